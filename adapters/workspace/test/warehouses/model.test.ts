import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask } from '../client.ts'

/** The moves that are documented; a warehouse that is deleted is gone. */
const MOVES: Readonly<Record<string, readonly string[]>> = {
  none: ['STARTING', 'RUNNING', 'STOPPED'],
  STARTING: ['RUNNING', 'STOPPED', 'STOPPING', 'DELETING'],
  RUNNING: ['STOPPING', 'DELETING'],
  STOPPING: ['STOPPED', 'DELETING'],
  STOPPED: ['STARTING', 'DELETING'],
  DELETING: ['none'],
}

/** Whether a warehouse can have come from one state to another by documented moves. */
function isReachable(from: string, to: string): boolean {
  const seen = new Set([from])
  for (const state of seen)
    for (const next of MOVES[state] ?? []) if (next !== 'none' || to === 'none') seen.add(next)
  return seen.has(to)
}

const step = fc.oneof(
  fc
    .constantFrom('start', 'stop', 'delete', 'get', 'list', 'create', 'execute')
    .map((name) => ({ name, ms: 0 })),
  fc.constantFrom(1000, 5000, 600_000, 43_200_000).map((ms) => ({ name: 'advance', ms })),
)
const drive = fc.oneof(
  fc.record({ by: fc.constant('reads'), intermediateReads: fc.nat(2) }),
  fc.constant({ by: 'time' }),
)

describe('the machine of SQL warehouses', () => {
  it('has no state and no move but those that are documented, whatever is done', async () => {
    await fc.assert(
      fc.asyncProperty(
        drive,
        fc.array(step, { maxLength: 25 }),
        fc.boolean(),
        async (how, steps, isUnlucky) => {
          using mock = new WorkspaceMockContext({
            fixture: {
              version: 1,
              lifecycle: { warehouses: how, statements: how },
              warehouses: [
                {
                  id: 'w',
                  name: 'w',
                  auto_stop_mins: 10,
                  ...(isUnlucky && { startFailure: { summary: 'no', times: 2 } }),
                },
              ],
            },
          })
          const PATH = '/api/2.0/sql/warehouses'
          let before = 'STOPPED'
          for (const { name, ms } of steps) {
            if (name === 'advance') mock.adapter.clock.advance(ms)
            else if (name === 'get') await ask(mock, 'GET', `${PATH}/w`)
            else if (name === 'list') await ask(mock, 'GET', PATH)
            else if (name === 'delete') await ask(mock, 'DELETE', `${PATH}/w`)
            else if (name === 'create') await ask(mock, 'POST', PATH, { name: 'other' })
            else if (name === 'execute')
              await ask(mock, 'POST', '/api/2.0/sql/statements', {
                warehouse_id: 'w',
                statement: 'x',
                wait_timeout: '0s',
              })
            else await ask(mock, 'POST', `${PATH}/w/${name}`)
            const states = new Map([...mock.state.warehouses.ordered].map(({ id, state }) => [id, state]))
            const now = states.get('w') ?? 'none'
            expect(Object.keys(MOVES)).toContain(now)
            expect({ before, name, now, isReachable: isReachable(before, now) }).toMatchObject({
              isReachable: true,
            })
            if (ms === 0 && name !== 'execute' && name !== 'get' && before !== now)
              expect(MOVES[before]).toContain(now)
            before = now
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
