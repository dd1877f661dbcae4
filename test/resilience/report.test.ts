import { expect, it } from 'vitest'
import { chaosReport } from '../../src/resilience/report.ts'
import { reportIn } from '../../src/resilience/read-run.ts'
import { reportJunit } from '../../src/resilience/report-files.ts'
import { reportPage } from '../../src/resilience/report-page.ts'
import type { AttemptEntry } from '../../src/resilience/attempts.ts'

const START = Date.parse('2026-01-31T12:00:00.000Z')
let id = 0

function entry(path: string, ms: number, status: number, more: Partial<AttemptEntry> = {}): AttemptEntry {
  return {
    ...{ id: ++id, time: new Date(START).toISOString(), method: 'GET', host: 'a', url: path, path, status },
    ...{ headers: [['user-agent', '<shop>']], durationMs: 1, arrivedMs: START + ms },
    ...more,
  }
}

// Each call is retried after 100 and 200 ms.
const doubling = ['/a', '/b', '/c', '/d'].flatMap((path, index) =>
  [0, 101, 302].map((ms, attempt) => entry(path, index * 7 + ms, attempt === 2 ? 200 : 503)),
)

it('counts calls and retries, and says how waits grow', () => {
  const { clients } = chaosReport({ entries: doubling })
  expect(clients).toMatchObject([
    {
      ...{ behaviour: 'exponential', calls: 4, retries: 8, recovered: 4, given_up: 0, most_attempts: 3 },
      backoff: {
        growth: 'exponential',
        jitter: false,
        factor: 2,
        waits_ms: [{ median: 100 }, { median: 200 }],
      },
      statuses: [{ status: '503', failed: 8, retried: 8 }],
    },
  ])
})

// Calls that begin together and differ in nothing, and fail each time. Requests arrive when a busy machine lets them.
function alike(waits: readonly number[], more: { free?: boolean; late?: (ms: number) => number } = {}) {
  const { free = true, late = (ms) => ms } = more
  return Array.from({ length: 16 }, (_, call) => {
    let ms = call * 0.4
    return [0, ...waits].map((wait, attempt) => {
      ms = late(ms + wait)
      const connection = free ? call : call + attempt * 100
      ms += 1
      return entry('/same', ms - 1, 503, { connection })
    })
  }).flat()
}

it.each([
  ['waits that follow no rule', alike([60, 500, 1500]), 'exponential', 3],
  ['squares', alike([80, 180, 320, 500]), 'exponential', 4],
  ['a last wait that a limit of the whole time cuts', alike([60, 120, 240, 20]), 'exponential', 4],
  ['first retries that were late', alike([182, 103]), 'fixed', 2],
  ['connections that are not read to the end', alike([500, 500], { free: false }), 'fixed', 2],
  [
    'a machine that is held up',
    alike([40, 40, 40], { late: (ms) => (ms > 35 && ms % 90 > 45 ? ms + 90 - (ms % 90) : ms) }),
    'fixed',
    3,
  ],
])('sees through %s', (_name, entries, behaviour, retries) => {
  const { clients } = chaosReport({ entries })
  expect(clients).toMatchObject([{ behaviour, calls: 16, retries: 16 * retries }])
})

it('finds jitter where it is estimated which requests are retries of which', () => {
  const entries = Array.from({ length: 24 }, (_, call) => {
    let ms = call * 0.4
    return [0, 60, 120, 240].map((wait, attempt) => {
      const drawn = ((call * 3 + attempt * 5) % 24) / 24
      ms += wait * (1 + drawn / 2) + (attempt === 0 ? 0 : 1)
      return entry('/same', ms, 503, { connection: call })
    })
  }).flat()
  expect(chaosReport({ entries }).clients).toMatchObject([{ behaviour: 'jittered', calls: 24 }])
})

// Calls of their own, each retried after waits that are longer by as much as the machine was late, or the client drew.
function apart(waits: readonly number[], more: (call: number, wait: number) => number) {
  return Array.from({ length: 16 }, (_, call) => {
    let ms = call * 3
    return [0, ...waits].map((wait, attempt) => {
      ms += attempt === 0 ? 0 : wait + more(call, wait) + 1
      return entry(`/${call}`, ms, 503)
    })
  }).flat()
}

// Half of them are late by little, and some by much.
const late = (call: number): number => [1, 3, 5, 8, 11, 15, 40, 120][call % 8] ?? 0

it.each([
  ['fixed', 'is late by hundredths of the wait', [1000, 1000], late],
  ['exponential', 'is late by hundredths of the wait', [1000, 2000], late],
  [
    'exponential',
    'is late where a first retry does not wait',
    [0, 400, 800, 1600],
    (call, wait) => (wait === 0 ? call * 4 : 3),
  ],
  [
    'exponential',
    'has less to do with each retry',
    [50, 100, 200],
    (call, wait) => ((call * 7) % 16) * (wait < 80 ? 7 : wait < 150 ? 4 : 2),
  ],
  ['storm', 'is late where no retry waits', [0, 0, 0], (call) => 12 + call],
  ['jittered', 'draws up to a tenth', [1000, 2000], (call, wait) => (wait * ((call * 7) % 16)) / 160],
  ['jittered', 'draws from nothing to all of a short wait', [0, 0, 0], (call) => ((call * 7) % 16) * 8],
] satisfies [string, string, number[], (call: number, wait: number) => number][])(
  'finds %s where the machine or the client %s: %j',
  (behaviour, _how, waits, more) => {
    expect(chaosReport({ entries: apart(waits, more) }).clients).toMatchObject([{ behaviour, calls: 16 }])
  },
)

// Each request in turn: how long after the end of the one before it comes, its status, and its connection.
function inTurn(requests: readonly (readonly [wait: number, status: number, connection: number])[]) {
  let ms = 0
  return requests.map(([wait, status, connection]) => {
    ms += wait + 1
    return entry('/same', ms - 1, status, { connection })
  })
}

// How long each of five calls waited before its first retry, and three of them before their second, of a client that waits
// 100 ms: it was late at first, as a process that has just begun is.
it.each([
  [
    [153.4, 159.5, 152.4, 146.4, 174.2],
    [106.6, 108.6, 109.4],
  ],
  [
    [127.4, 138.5, 137.5, 131.4, 145.4],
    [113.6, 117.4, 109.7],
  ],
])('takes no lateness for jitter where later retries wait less: %j, %j', (first, second) => {
  const entries = first.flatMap((wait, call) => {
    const ends = [0, wait, second[call]].flatMap((ms) => ms ?? [])
    return ends.map((_, attempt) => {
      const ms = ends.slice(0, attempt + 1).reduce((sum, each) => sum + each + 1, 90 - wait / 2)
      return entry(`/${call}`, ms, attempt === 2 ? 200 : 503)
    })
  })
  expect(chaosReport({ entries }).clients).toMatchObject([{ behaviour: 'fixed', backoff: { jitter: false } }])
})

const PACED = [503, 503, 200, 503, 200, 200, 503, 503, 503, 200, 503, 200, 503, 503, 200, 503]
// Of 24 calls on four connections, those that fail come again after a second, and again.
const waves = [24, 17, 11].flatMap((count, wave) =>
  Array.from({ length: count }, (_, index) =>
    entry('/same', wave * 1003 + index * 1.2, (index * 7) % count < ([17, 11, 0][wave] ?? 0) ? 503 : 200, {
      ...{ durationMs: 0.3, connection: index % 4, retryHeaders: [['retry-after', '1']] },
    }),
  ),
)

// 30 calls, one of each ten milliseconds, and a second later again those that have failed, with the number of the retry.
const numbered = [30, 21, 12].flatMap((count, wave) =>
  Array.from({ length: count }, (_, index) =>
    entry('/same', wave * 1003 + index * 10, (index * 7) % count < ([21, 12, 0][wave] ?? 0) ? 503 : 200, {
      ...{
        durationMs: 0.3,
        connection: wave === 0 ? index : index % 3,
        retryHeaders: [['retry-after', '1']],
      },
      headers: [['user-agent', 'shop'], ...(wave === 0 ? [] : [['retry-attempt', `${wave}`] as const])],
    }),
  ),
)
// A loop of calls on two connections, of which each is taken in turn: how long after one has ended the next comes, and which fail (F).
function loop(failures: string, waits: readonly number[]) {
  let ms = 0
  return Array.from(failures, (each, index) => {
    ms += (waits[index] ?? 0.9) + 0.2
    return entry('/same', ms, each === 'F' ? 503 : 200, { connection: 1 + (index % 2), durationMs: 0.2 })
  })
}
const even = loop('F.F..F.FFF..F.F...F..F.F.FF...', [0, 2.4, 1.4])
const slower = loop('F.FF..FF..FFF.F..F.F.FF.F....F', [
  ...[0, 5.3, 1.9, 1.3, 1.1, 1.1, 1, 0.9, 1, 0.9, 1, 0.9, 0.9, 0.9, 1],
  ...[0.9, 0.9, 2.8, 1.7, 1.3, 1.2, 18.9, 6.7, 6.2, 2.3, 6.5, 6.1, 2.7, 6.5, 6.3],
])

it.each([
  ['calls in a loop', even, { behaviour: 'none', retries: 0 }],
  ['calls in a loop that is held up', slower, { behaviour: 'none', retries: 0 }],
  [
    'retries that are numbered, and first attempts that are not',
    numbered,
    { behaviour: 'as-requested', calls: 30, retries: 33 },
  ],
  [
    'one call, made again after 1 and 2 s',
    inTurn([0, 1000, 2000].map((wait) => [wait, 500, 1])),
    { behaviour: 'exponential', calls: 1, retries: 2 },
  ],
  [
    'one call, made again after 1 s each time',
    inTurn([0, 1002, 1003, 1001].map((wait) => [wait, 500, 1])),
    { behaviour: 'fixed', calls: 1, retries: 3 },
  ],
  [
    'few calls, a process for each',
    inTurn([
      ...[0, 1001, 1002, 1001].map((wait): [number, number, number] => [wait, 500, 1]),
      [25, 200, 2],
      ...[3, 4, 5].flatMap((process): [number, number, number][] => [
        [20 + process, 500, process],
        [1001, 200, process],
      ]),
      [20, 200, 6],
    ]),
    { behaviour: 'fixed' },
  ],
  [
    'requests at a pace',
    inTurn(PACED.map((status, index) => [300 + (index % 3), status === 503 ? 500 : 200, 1])),
    { behaviour: 'none', retries: 0 },
  ],
  [
    'failures that come together when Retry-After has passed',
    waves,
    { behaviour: 'as-requested', calls: 24, retries: 28 },
  ],
])('finds what is a call and what a retry: %s', (_name, entries, found) => {
  expect(chaosReport({ entries }).clients).toMatchObject([found])
})

it('says whether a retry of a change repeats its key', () => {
  const post = (path: string, ms: number, status: number, key?: string): AttemptEntry =>
    entry(path, ms, status, {
      ...{ method: 'POST', headers: key === undefined ? [] : [['Idempotency-Key', key]] },
    })
  const calls = [
    [post('/a', 0, 503, 'one'), post('/a', 50, 201, 'one')],
    [post('/b', 0, 503, 'two'), post('/b', 50, 201, 'three')],
    [post('/c', 0, 503), post('/c', 50, 201)],
  ]
  const { clients } = chaosReport({ entries: calls.flat() })
  expect(clients).toMatchObject([{ idempotency: { retries: 3, same_key: 1, other_key: 1, no_key: 1 } }])
})

it.each([
  ['retry-after', '2', 2000],
  ['Retry-After', new Date(START + 2001).toUTCString(), 2000],
  ['retry-after-ms', '150', 150],
  ['x-ratelimit-reset', String((START + 3001) / 1000), 3000],
  ['ratelimit', '"default";r=0;t=4', 4000],
])('takes %s: %s as a wait', (name, value, ms) => {
  const retryHeaders = [
    [name.toLowerCase(), value],
    ['x-ratelimit-remaining', '0'],
  ] as const
  const wanted = (second: number): unknown =>
    chaosReport({
      entries: ['/a', '/b'].flatMap((path) => [
        entry(path, 0, 429, { retryHeaders }),
        entry(path, second, 200),
      ]),
    }).clients[0]?.retry_after
  expect(wanted(ms + 5)).toEqual({ requested: 2, heeded: 2, ignored: 0 })
  expect(wanted(ms / 3)).toEqual({ requested: 2, heeded: 0, ignored: 2 })
})

it('is read back from a journal and from itself, and shows hostile names as text', () => {
  const saved = JSON.stringify(
    doubling.map(({ durationMs, arrivedMs, ...others }) => ({
      ...others,
      duration_ms: durationMs,
      arrived_ms: arrivedMs,
    })),
  )
  const report = reportIn(saved, 'journal.json')
  expect(report).toEqual(chaosReport({ entries: doubling }))
  expect(reportIn(JSON.stringify(report), 'report.json')).toEqual(report)
  expect(reportPage(report)).toContain('<h2>&lt;shop&gt;</h2>')
  expect(reportJunit(report)).toContain(
    '<testcase classname="&lt;shop&gt;" name="waits longer before each retry"/>',
  )
  expect(() => reportIn('[{"id":1}]', 'x.json')).toThrow(
    'request 1 of x.json is not one of a journal: it has no time',
  )
})
