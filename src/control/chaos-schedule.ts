import { decideBy } from '../../plugins/count.ts'
import { compileRules, entryOf } from '../state/chaos.ts'
import { RouteNotFound } from '../errors.ts'
import { CHAOS_ENTRY } from './chaos.ts'
import { defineOperation, fields, snakeKeys } from './operation.ts'

/** What the rules in force will do. */
export const schedule = defineOperation(
  'GET',
  '/chaos/schedule',
  {
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
  async ({ route, count }, { engine, session }) => {
    const key = String(route)
    const declared = engine.routes.find((each) => each.key === key)
    const [, method = '', host = '', path = ''] = /^([A-Z-]+) ([^/\s]*)(\/\S*)$/.exec(key) ?? []
    if (declared === undefined && method === '')
      throw new RouteNotFound('', key, 'name a method and a path, such as GET /users')
    const { seed, chaos, clock, requestCounts } = session
    const own = declared?.options.chaos
    const rules = [...chaos.rules, ...(own === undefined ? [] : compileRules([{ name: 'route', ...own }]))]
    const call = {
      method: declared?.method ?? method,
      path: declared?.path ?? path,
      host: declared?.options.host ?? host,
      headers: {},
    }
    const seconds = (clock.now() - chaos.since) / 1000
    const first = await requestCounts.count(key)
    return Array.from({ length: Number(count) }, (_, index) => {
      const ordinal = first + index
      const decision = decideBy({ ...{ seed, rules, key, ordinal, call, seconds } })
      const entry = decision && entryOf(key, ordinal, decision)
      return snakeKeys(entry ?? { route: key, ordinal })
    })
  },
)
