import { expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { reportOf } from '../../../src/recording/inference/report.ts'
import { samplesOf } from './samples.ts'

it('reports routes, links and doubts', () => {
  const report = reportOf(
    inferRoutes(
      samplesOf(
        ...['x', 'y', 'z'].map((q) => [`GET /search?q=${q}`, { response: { requested: q } }] as const),
        ['GET /search?q=x', { status: 500 }],
        ['GET /once', { response: {} }],
        'CONNECT /search',
      ),
    ),
    'today',
    [
      {
        ...{ route: 'GET /search', exchanges: 4, byRule: 3, shownOnce: 1, asRecorded: 1 },
        unlike: ['status 200 instead of 500'],
      },
    ],
  )
  expect(report).toContain('# What was inferred from today')
  expect(report).toContain(
    '2 routes from 5 exchanges. 75 % of them are answered by a rule, which answers other requests too, 25 % by one that a single exchange shows.',
  )
  expect(report).toContain('| `GET /search` | 4 | 3 | 1 | 1 | 200 × 3, 500 × 1 | single |')
  expect(report).toContain('| `GET /search` | `requested` | query `q` | 3 exchanges | 3 |')
  expect(report).toContain('- `GET /once`: seen only once')
  expect(report).toContain('- `GET /search`: answered 500 1 times for no reason that was found')
  expect(report).toContain('- `GET /search`: no rule gives 1 of its 4 answers')
  expect(report).toContain('- `GET /search`: not answered as it was recorded: status 200 instead of 500')
  expect(report).toContain('- 1 exchanges left out: method CONNECT')
})

it('says so when there is nothing to report', () => {
  const report = reportOf(inferRoutes(samplesOf('GET /a', 'GET /a')), 'r', [])
  expect(report).toContain('No field was found')
  expect(report).toContain('No collection was seen')
  expect(report).toContain('Nothing in particular.')
})
