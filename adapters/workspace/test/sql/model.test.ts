import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask } from '../client.ts'

/** The moves that are documented; `gone` is a statement that was forgotten. */
const MOVES: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['RUNNING', 'CANCELED'],
  RUNNING: ['SUCCEEDED', 'FAILED', 'CANCELED'],
  SUCCEEDED: ['CLOSED', 'gone'],
  FAILED: ['gone'],
  CANCELED: ['gone'],
  CLOSED: ['gone'],
  gone: [],
}

function isReachable(from: string, to: string): boolean {
  const seen = new Set([from])
  for (const state of seen) for (const next of MOVES[state] ?? []) seen.add(next)
  return seen.has(to)
}

const result = { columns: [{ name: 'x', type: 'INT' }], rows: [[1]] }
const statements = [
  { sql: 'quick', result },
  { sql: 'slow', durationMs: 20_000, result },
  { sql: 'bad', durationMs: 6000, error: { message: 'no' } },
]
const step = fc.oneof(
  fc.record({
    name: fc.constant('execute' as const),
    statement: fc.constantFrom('quick', 'slow', 'bad', 'unknown'),
    wait_timeout: fc.constantFrom('0s', '5s', '30s'),
    on_wait_timeout: fc.constantFrom('CONTINUE', 'CANCEL'),
  }),
  fc.record({ name: fc.constantFrom('get' as const, 'cancel' as const, 'close' as const), at: fc.nat(5) }),
  fc.record({ name: fc.constant('advance' as const), ms: fc.constantFrom(1000, 5000, 20_000, 43_200_000) }),
  fc.record({ name: fc.constantFrom('stop' as const, 'start' as const, 'save' as const) }),
)
const drive = fc.oneof(
  fc.record({ by: fc.constant('reads'), intermediateReads: fc.nat(2) }),
  fc.constant({ by: 'time' }),
)
const PATH = '/api/2.0/sql/statements'

describe('the machine of SQL statements', () => {
  it('has no state and no move but those that are documented, whatever is done', async () => {
    await fc.assert(
      fc.asyncProperty(drive, fc.array(step, { maxLength: 25 }), async (how, steps) => {
        using mock = new WorkspaceMockContext({
          fixture: {
            version: 1,
            lifecycle: { statements: how, warehouses: how },
            warehouses: [{ id: 'w', name: 'w' }],
            statements,
          },
        })
        const known = new Map<string, string>()
        const look = (): void => {
          for (const [id, before] of known) {
            const saved = mock.state.statements.snapshot().statements.find((each) => each.id === id)
            const now = saved?.state ?? 'gone'
            expect({ before, now, isReachable: isReachable(before, now) }).toMatchObject({
              isReachable: true,
            })
            const isKept = !['CANCELED', 'CLOSED', 'gone'].includes(now)
            expect({ now, isKept: saved?.outcome !== undefined }).toEqual({ now, isKept })
            known.set(id, now)
          }
        }
        for (const each of steps) {
          if (each.name === 'execute') {
            const { name: _name, ...request } = each
            const { body } = await ask(mock, 'POST', PATH, { warehouse_id: 'w', ...request })
            const { statement_id: id, status } = body as { statement_id: string; status: { state: string } }
            expect(Object.keys(MOVES)).toContain(status.state)
            known.set(id, status.state)
          } else if (each.name === 'advance') mock.adapter.clock.advance(each.ms)
          else if (each.name === 'save') {
            const snapshot = JSON.parse(JSON.stringify(mock.adapter.snapshot())) as never
            mock.adapter.restore(snapshot)
          } else if (!('at' in each)) await ask(mock, 'POST', `/api/2.0/sql/warehouses/w/${each.name}`)
          else {
            const id = [...known.keys()][each.at] ?? 'none'
            if (each.name === 'get') await ask(mock, 'GET', `${PATH}/${id}`)
            else if (each.name === 'close') await ask(mock, 'DELETE', `${PATH}/${id}`)
            else await ask(mock, 'POST', `${PATH}/${id}/cancel`)
          }
          look()
        }
      }),
      { numRuns: 60 },
    )
  })
})
