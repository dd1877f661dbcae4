import { expect, it } from 'vitest'
import type { AttemptEntry } from '../../src/resilience/attempts.ts'
import { chaosReport } from '../../src/resilience/report.ts'

const START = Date.parse('2026-01-31T12:00:00.000Z')

function entry(path: string, ms: number, status: number, given: Partial<AttemptEntry> = {}): AttemptEntry {
  return {
    ...{ id: Math.round(ms), arrivedMs: START + ms, durationMs: 1, time: new Date(START + ms).toISOString() },
    ...{ method: 'GET', url: path, host: 'shop', path, headers: [], status, ...given },
  }
}

/** Calls that began together, by how long each waited before its retries. */
function calls(...waits: readonly (readonly number[])[]): AttemptEntry[] {
  return (waits[0] ?? []).flatMap((_, call) => {
    const own = waits.flatMap((each) => each[call] ?? [])
    let ms = 0
    return [entry(`/${call}`, 0, 503), ...own.map((wait) => entry(`/${call}`, (ms += wait + 1), 503))]
  })
}

// Waits that gateways measured of retries of published libraries.
it.each([
  // A tenth more or less.
  [
    [985, 989, 1008, 1011, 1038, 1041, 1041, 1046, 1059, 1062, 1062, 1078, 1110],
    [1926, 2000, 2030, 2057, 2106, 2109, 2123, 2148],
    [3664, 3688, 3723, 3903, 4137, 4357],
  ],
  // Up to half as long again, of timers that came in bunches.
  [
    [
      65.5, 66.1, 66.1, 66.8, 66.9, 72.1, 73, 74.6, 74.7, 74.8, 74.9, 76.5, 76.8, 78.1, 79.5, 79.6, 87.8, 88,
      88.1, 88.1, 89.2,
    ],
    [94.8, 95.2, 97, 105.1, 142.5, 143.2, 143.2, 143.2, 156.5, 156.6, 158.3, 159.3, 159.3, 159.3],
    [161.8, 179.7, 188.9, 191.9, 207.6, 208.4, 235.7, 236.2],
    [364.6, 382.6, 439.7, 466.2],
  ],
  // Up to 100 ms longer each time.
  [
    [
      63.8, 65.1, 67.1, 70.9, 79.9, 81.2, 92.2, 96.8, 97.3, 106.5, 118.5, 122.9, 132.7, 133.7, 138.4, 140.5,
      140.6, 143.3, 154.5, 155.9, 156.8,
    ],
    [161.4, 162.8, 165.5, 171.1, 178.9, 182.3, 190, 205.9, 206.6, 208.3, 211.5, 220.2, 236.9, 243],
    [462.7, 465.4, 487.2, 493.5, 501.9, 504.7, 508, 526.9],
  ],
])('finds jitter in waits that are long or few: %j', (...waits) => {
  const entries = calls(...waits)
  expect(chaosReport({ entries }).clients).toMatchObject([
    { behaviour: 'jittered', backoff: { growth: 'exponential', jitter: true } },
  ])
})

it('takes waits that are cut at a most for jitter still', () => {
  const first = [174, 187, 215, 278, 351, 404, 456, 721, 762, 827, 969, 1071, 1159, 1420, 1552, 1702, 1893]
  const second = [122, 779, 2001, 2001, 2001, 2002, 2003, 2004, 2004, 2005]
  const entries = calls(first, second, [2001, 2001, 2002, 2002, 2002, 2008])
  expect(chaosReport({ entries }).clients).toMatchObject([{ behaviour: 'jittered' }])
})

it('finds that waits grow by the same though the first ones were late', () => {
  const first = [90.7, 90.7, 90.8, 91.1, 92.9, 95.6, 95.7, 98.4, 98.5, 99.5, 103.2, 107.5, 107.6, 107.6]
  const second = [121.3, 121.8, 122, 122.6, 122.7, 123.3, 123.4, 123.6, 125.2]
  const entries = calls(first, second, [181.5, 181.7, 182.2, 182.5, 183.8], [242.2, 243.1, 243.7])
  expect(chaosReport({ entries }).clients).toMatchObject([{ behaviour: 'linear' }])
  const tight = calls([40, 41, 40, 42, 41], [80, 81, 81, 80], [160, 161, 161], [240, 241, 240])
  expect(chaosReport({ entries: tight }).clients).toMatchObject([{ behaviour: 'exponential' }])
})

// Signatures of AWS have the second in a header, and its clients say in another one which attempt it is.
it('takes no header with the time of attempts for the name of a call', () => {
  const attempt = (path: string, ms: number, count: number, status: number): AttemptEntry =>
    entry(path, ms, status, {
      headers: [
        ['x-amz-date', `20260131T1200${String(Math.floor(ms / 1000)).padStart(2, '0')}Z`],
        ['amz-sdk-request', `attempt=${count}`],
      ],
    })
  const entries = [0, 1, 2].flatMap((call) => [
    attempt(`/${call}`, call, 1, 503),
    attempt(`/${call}`, 300 + call, 2, 503),
    attempt(`/${call}`, 1300 + call, 3, 503),
    attempt(`/${call}`, 1700 + call, 4, 200),
  ])
  expect(chaosReport({ entries }).clients).toMatchObject([{ calls: 3, retries: 9, most_attempts: 4 }])
})

it('counts a client error that the server means as an answer, and one that chaos made as a failure', () => {
  const missing = [0, 1, 2, 3].map((call) => entry(`/${call}`, 10 * call, 404))
  const [report] = chaosReport({ entries: missing }).clients
  expect(report).toMatchObject({ given_up: 0, statuses: [] })
  expect(report?.findings.map(({ result }) => result)).not.toContain('failed')
  const made = missing.map((each) => ({ ...each, chaos: ['status 404'] }))
  expect(chaosReport({ entries: made }).clients).toMatchObject([{ given_up: 4 }])
  const limited = missing.map((each) => ({
    ...each,
    status: 403,
    retryHeaders: [['retry-after', '1']] as const,
  }))
  expect(chaosReport({ entries: limited }).clients).toMatchObject([{ given_up: 4 }])
})

it('finds that a client retries all but successes', () => {
  const entries = [0, 1, 2].flatMap((call) =>
    [0, 100, 201, 303].map((ms) => entry(`/${call}`, ms + call, 404)),
  )
  expect(chaosReport({ entries }).clients).toMatchObject([{ behaviour: 'fixed', calls: 3, retries: 9 }])
})
