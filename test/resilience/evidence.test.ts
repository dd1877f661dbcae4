import seedrandom from 'seedrandom'
import { expect, it } from 'vitest'
import type { AttemptEntry } from '../../src/resilience/attempts.ts'
import { chaosReport } from '../../src/resilience/report.ts'

const START = Date.parse('2026-01-31T12:00:00.000Z')

/** The requests of a client that makes one call after another, all alike. @param retryMs how long it waits before a retry */
function requests(seed: number, failing: number, thinkMs: number, retryMs?: number): AttemptEntry[] {
  const draw = seedrandom(String(seed))
  const entries: AttemptEntry[] = []
  let now = 0
  for (let call = 0; call < 40; call++) {
    for (let attempt = 1; ; attempt++) {
      const hasFailed = draw() < failing
      const durationMs = 2 + draw() * 4
      const [id, arrivedMs] = [entries.length + 1, START + now]
      entries.push({
        ...{ id, arrivedMs, durationMs, time: new Date(arrivedMs).toISOString(), connection: 1 },
        ...{ method: 'GET', url: '/a', host: 'shop', path: '/a', headers: [], status: hasFailed ? 503 : 200 },
      })
      now += durationMs
      if (!hasFailed || retryMs === undefined || attempt > 3) break
      now += retryMs + draw() * 3
    }
    now += thinkMs * (0.3 + draw() * 1.4)
  }
  return entries
}

const behaviours = (make: (seed: number) => AttemptEntry[]): readonly (string | undefined)[] =>
  Array.from({ length: 12 }, (_, seed) => chaosReport({ entries: make(seed) }).clients[0]?.behaviour)

it.each([
  [0.5, 0],
  [0.8, 0],
  [0.8, 60],
])('finds no retries where calls follow failures as they follow others: %d fail, %d ms apart', (rate, ms) => {
  for (const each of behaviours((seed) => requests(seed, rate, ms)))
    expect(['none', 'unclear']).toContain(each)
})

it('finds retries that come between calls at irregular times', () => {
  const found = behaviours((seed) => requests(seed, 0.4, 60, 25))
  expect(found.filter((each) => each === 'none')).toEqual([])
  expect(found.filter((each) => each === 'fixed').length).toBeGreaterThan(8)
})

it('says that it is unclear, and judges nothing', () => {
  const reports = Array.from(
    { length: 12 },
    (_, seed) => chaosReport({ entries: requests(seed, 0.8, 0) }).clients[0],
  )
  const unclear = reports.find((each) => each?.behaviour === 'unclear')
  expect(unclear).toMatchObject({ retries: 0 })
  expect(unclear?.findings.map(({ result }) => result)).not.toContain('failed')
})

/** The requests of workers that each make one call after another, and wait 60 ms before a retry. */
function byWorkers(seed: number): AttemptEntry[] {
  const draw = seedrandom(String(seed))
  const due = Array.from({ length: 6 }, (_, connection) => ({ at: draw() * 4, connection, attempt: 1 }))
  const entries: AttemptEntry[] = []
  for (let calls = 0; calls < 30;) {
    due.sort((a, b) => a.at - b.at)
    const worker = due[0] as (typeof due)[number]
    if (worker.attempt === 1) calls++
    const hasFailed = draw() < 0.6
    const durationMs = 1 + draw() * 4
    const [id, arrivedMs] = [entries.length + 1, START + worker.at]
    entries.push({
      ...{ id, arrivedMs, durationMs, time: new Date(arrivedMs).toISOString() },
      ...{ connection: worker.connection, method: 'GET', url: '/a', host: 'shop', path: '/a', headers: [] },
      status: hasFailed ? 503 : 200,
    })
    const again = hasFailed && worker.attempt < 4
    worker.at += durationMs + draw() * 2 + (again ? 60 : 0)
    worker.attempt = again ? worker.attempt + 1 : 1
  }
  return entries
}

it('finds retries of several that make calls at the same time', () => {
  expect(behaviours(byWorkers).filter((each) => each === 'none' || each === 'unclear').length).toBeLessThan(4)
})
