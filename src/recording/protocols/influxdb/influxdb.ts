import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { Call, CallForm } from '../../calls/call.ts'
import type { Objects } from '../../calls/objects.ts'
import { pathOf, type Sample } from '../../inference/sample.ts'
import type { Fresh } from '../../match/nearest-answer.ts'
import { endpointBelow, NO_PAGE } from '../endpoints.ts'
import type { Protocol } from '../protocol.ts'
import { DATABASES, learn, type Learned, POINTS, USERS, wordsIn } from './learn.ts'
import { parseInfluxQl } from './parse-influxql.ts'
import { BadLine, itemOf, pointKey, pointOf, pointsIn } from './points.ts'
import { run } from './run-statement.ts'
import { Malformed, Unknown } from './statement.ts'
import { unitOf } from './times.ts'

const calls: CallForm = {
  isOfPaths: true,
  hasPlainTags: true,
  roots: (samples) => [
    ...new Set(samples.flatMap((sample) => (speaks(sample) ? [pathOf(sample).replace(/\/query$/, '')] : []))),
  ],
  read({ method = 'GET', path, query, body }) {
    return path === undefined ? undefined : [{ name: path, args: { method, path, query, body } }]
  },
  outcomes: ({ body = '', status }) => [status < 400 ? { value: body, status } : { error: body, status }],
  write: ([{ error, value, status = 200 } = {}]) => ({ status, body: error ?? value }),
  semantics: { learn, perform },
}

/** InfluxDB 1: points in databases, written as lines and queried by InfluxQL. */
export const influxdb: Protocol = {
  name: 'InfluxDB',
  speaks,
  operations: () => () => undefined,
  calls,
}

function speaks(sample: Sample): boolean {
  const { response } = sample
  const results = isObject(response) ? response['results'] : undefined
  if (!pathOf(sample).endsWith('/query') || !Array.isArray(results) || results.length === 0) return false
  return results.every((each) => isObject(each) && 'statement_id' in each)
}

function perform(
  { learned }: Pick<CallModel, 'learned'>,
  all: ReadonlyMap<string, Objects>,
  call: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const known = learned as unknown as Learned
  const [databases, points, users] = [all.get(DATABASES), all.get(POINTS), all.get(USERS)]
  const endpoint = endpointBelow(call, known.root)
  if (databases === undefined || points === undefined || users === undefined) return undefined
  const params = wordsIn(call)
  const database = params['db'] ?? ''
  const now = BigInt(Math.round(fresh.now)) * 1_000_000n
  if (endpoint === 'write') {
    if (!databases.items.has(database))
      return { status: 404, error: { error: `database not found: "${database}"` } }
    try {
      const text = typeof call.args['body'] === 'string' ? call.args['body'] : ''
      for (const point of pointsIn(text, database, unitOf(params['precision']), now)) {
        const before = points.items.get(pointKey(point))
        const { fields = {}, types = {} } = before === undefined ? {} : pointOf(before)
        const whole = { fields: { ...fields, ...point.fields }, types: { ...types, ...point.types } }
        points.items.set(pointKey(point), itemOf({ ...point, ...whole }))
      }
      return { status: 204, value: '' }
    } catch (error) {
      if (error instanceof BadLine) return { status: 400, error: { error: error.message } }
      throw error
    }
  }
  if (endpoint !== 'query') return known.endpoints.includes(endpoint ?? '') ? undefined : NO_PAGE
  const store = { databases: databases.items, points: points.items, users: users.items }
  try {
    const results = parseInfluxQl(params['q'] ?? '', now).map((statement, at) => ({
      statement_id: at,
      ...run(statement, store, {
        database,
        now,
        epoch: params['epoch'],
        isRead: call.args['method'] === 'GET',
      }),
    }))
    return { status: 200, value: { results } }
  } catch (error) {
    if (error instanceof Malformed) return { status: 400, error: { error: error.message } }
    if (error instanceof Unknown) return undefined
    throw error
  }
}
