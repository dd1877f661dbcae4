import { expect, it } from 'vitest'
import type { AttemptEntry } from '../../src/resilience/attempts.ts'
import { chaosReportApart } from '../../src/resilience/report-apart.ts'
import { chaosReport } from '../../src/resilience/report.ts'

it('is the same report, and holds nobody up while it is made', async () => {
  // Eight callers who ask for the same at once, fail two times in three, and come again after 40 ms.
  const entries = Array.from({ length: 240 }, (_, id): AttemptEntry => {
    const arrivedMs = 1_700_000_000_000 + Math.floor(id / 8) * 50 + (id % 8)
    const time = new Date(arrivedMs).toISOString()
    const about = { method: 'GET', url: '/a', host: 'h', path: '/a', headers: [['user-agent', 'x']] as const }
    return {
      id,
      time,
      arrivedMs,
      ...about,
      durationMs: 5,
      status: id % 3 === 0 ? 200 : 503,
      connection: id % 8,
    }
  })
  let turns = 0
  const turning = setInterval(() => turns++, 1)
  const report = await chaosReportApart({ entries })
  clearInterval(turning)
  expect(report).toEqual(chaosReport({ entries }))
  expect(turns).toBeGreaterThan(5)
})

it('takes time in proportion to the requests whose answers say that a limit is spent', () => {
  const retryHeaders = [
    ['x-ratelimit-remaining', '0'],
    ['x-ratelimit-reset', '9'],
  ] as const
  const entries = Array.from({ length: 20_000 }, (_, id): AttemptEntry => {
    const about = { method: 'GET', url: `/${id}`, host: 'h', path: '/', headers: [], status: 200 }
    return { id, time: '', arrivedMs: 1_700_000_000_000 + id, durationMs: 1, retryHeaders, ...about }
  })
  const begun = performance.now()
  expect(chaosReport({ entries }).clients).toMatchObject([{ requests: 20_000, behaviour: 'none' }])
  // It took 40 s when each was compared with all after it.
  expect(performance.now() - begun).toBeLessThan(5000)
})
