import { RouteNotFound } from '../errors.ts'
import { createClock } from '../state/clock.ts'
import { createSession, type Session } from '../state/session.ts'
import { createMemoryState } from '../state/state.ts'
import { CHAOS_ENTRY } from './chaos.ts'
import { defineOperation, fields, snakeKeys } from './operation.ts'

/** What the rules in force will do. */
export const schedule = defineOperation(
  'GET',
  '/chaos/schedule',
  {
    scope: { reads: ['session', 'counts'] },
    tag: 'chaos',
    summary: 'What will happen to the next requests of a route, by the rules in force',
    description: 'As if all of them came now, without headers that rules could match.',
    input: fields(
      {
        route: { type: 'string', description: 'Method and path, such as GET /users or GET /users/{id}' },
        count: { type: 'integer', minimum: 1, maximum: 1000, default: 20 },
      },
      ['route'],
    ),
    output: { type: 'array', items: CHAOS_ENTRY },
  },
  async ({ route, count }, { engine, session, schedule: scheduleIn }) => {
    const key = String(route)
    const declared = engine.routes.find((each) => each.key === key)
    const [, method = '', host = '', path = ''] = /^([A-Z-]+) ([^/\s]*)(\/\S*)$/.exec(key) ?? []
    if (declared === undefined && method === '')
      throw new RouteNotFound('', key, 'name a method and a path, such as GET /users')
    const request =
      declared === undefined
        ? { method, url: path, host }
        : { method: declared.method, url: declared.path, host: declared.options.host ?? '' }
    const scheduled = await scheduleIn(await copyOf(session, key), request, Number(count))
    return scheduled.flatMap(({ route: counted, ordinal, entries }) =>
      (entries.length > 0 ? entries : [{ route: counted, ordinal }]).map(snakeKeys),
    )
  },
)

// A session in which the same is about to happen to the requests of a route, and in which nothing is done.
async function copyOf(session: Session, route: string): Promise<Session> {
  const { key, seed, chaos, clock, redactor } = session
  const state = createMemoryState(undefined)
  state.requestCounts.restore(route, await session.requestCounts.count(route))
  state.scenarios.restore(route, await session.scenarios.count(route))
  const still = createClock()
  still.freeze(clock.now())
  return createSession({
    ...{ key, seed, redactor, state, clock: still, store: undefined, journal: 0 },
    ...{ chaos: chaos.rules, since: chaos.since },
    listener: { nextId: () => 0 },
  })
}
