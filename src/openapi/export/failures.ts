import type { ErrorCase } from '../../engine/error-case.ts'
import { addressOf, type Address } from '../../collections/address.ts'
import { outputKind } from '../../engine/output.ts'
import type { Method, RouteDefinition } from '../../engine/route.ts'
import { isObject, LINK, type Schema, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { copySchema } from './copy-schema.ts'
import type { Header } from './document.ts'
import { createScope, type Located } from './scope.ts'
import { type InputModel, refusesInput } from './input-fields.ts'

/** The body of every error but 422. */
export const ERROR: Schema = {
  title: 'Error',
  type: 'object',
  required: ['detail'],
  properties: { detail: { description: 'What went wrong: a text, or any other JSON value' } },
}

/** The body of a 422: everything about the request that does not fit the input model. */
export const VALIDATION_ERROR: Schema = {
  title: 'ValidationError',
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'loc', 'msg', 'input'],
        properties: {
          type: { type: 'string', description: 'The rule that is broken' },
          loc: {
            type: 'array',
            items: { type: ['string', 'integer'] },
            description: 'Where: `query`, `path` or `body`, then the keys and indexes down to the value',
          },
          msg: { type: 'string' },
          input: { description: 'The value as it came' },
        },
      },
    },
  },
}

/** What a stateful route does with one stored item. */
export interface StoreUse {
  readonly does: 'find' | 'create' | 'replace' | 'overlay' | 'remove'
  readonly address: Address
}

/** What a route does with a stored item in a stateful app; `undefined` for one that lists or knows none. */
export function storeUseOf(route: RouteDefinition, routes: readonly RouteDefinition[]): StoreUse | undefined {
  if (route.options.pageTable !== undefined) return undefined
  const address = addressOf(route, routes)
  const isItem = address.kind === 'item'
  if (route.method === 'DELETE') return isItem ? { does: 'remove', address } : undefined
  if (outputKind(route.options.output) !== 'single') return undefined
  if (route.method === 'POST') return { does: 'create', address }
  const does = BY_ID[route.method]
  return isItem && does !== undefined ? { does, address } : undefined
}

const BY_ID: Readonly<Partial<Record<Method, StoreUse['does']>>> = {
  GET: 'find',
  PUT: 'replace',
  PATCH: 'overlay',
}

/** One reason for a route to answer with a status. */
export interface Reason {
  readonly status: number
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  /** Model of the body, or its schema in the document; absent for an answer without one. */
  readonly body?: SchemaOrBoolean | undefined
  readonly example?: unknown
  /** The media type of the body. Default: JSON. */
  readonly type?: string | undefined
}

/** What the reasons for errors are found from. */
export interface FailureContext {
  readonly route: RouteDefinition
  readonly input: InputModel | undefined
  /** What the route does with stored items, in a stateful app. */
  readonly store: StoreUse | undefined
  readonly verboseErrors: boolean
}

/** Every reason for a route to answer with an error, in the order a request meets them. */
export function failuresOf(context: FailureContext): Reason[] {
  return FAILURES.flatMap((find) => find(context))
}

type FindFailures = (context: FailureContext) => readonly Reason[]

/** An error with a body of the usual form. */
function failure(status: number, description: string, detail: unknown = description): Reason {
  return { status, description, body: ERROR, example: { detail } }
}

const unauthorized: FindFailures = ({ route: { options } }) => {
  if ((options.bearerTokens ?? []).length === 0) return []
  const challenge: Header = { schema: { type: 'string', const: 'Bearer' } }
  return [{ ...failure(401, 'Unauthorized'), headers: { 'WWW-Authenticate': challenge } }]
}

const rateLimited: FindFailures = ({ route }) => {
  if (!isLimited(route)) return []
  const headers = { 'Retry-After': seconds('Seconds to wait'), ...QUOTA_HEADERS }
  return [{ ...failure(429, 'Rate limit exceeded (simulated)'), headers }]
}

const inputRefused: FindFailures = ({ route, input }) => {
  // A route whose own answer is a refusal says itself what that looks like.
  if (!refusesInput(route, input) || route.options.status === 422) return []
  return [{ status: 422, description: 'The input does not fit its model', body: VALIDATION_ERROR }]
}

const mapped: FindFailures = ({ route: { options } }) =>
  (options.errors ?? []).map((each) => failing(each, 'Mapped error', 'Invalid request'))

const scenario: FindFailures = ({ route: { options } }) =>
  (options.scenario ?? [])
    .filter(({ status }) => status !== 200)
    .map((each) => failing(each, 'Scenario step', 'Simulated error'))

function failing(
  { status, detail, body }: Pick<ErrorCase, 'status' | 'detail' | 'body'>,
  description: string,
  usual: string,
): Reason {
  if (body !== undefined) return { status, description, body: true, example: body }
  return failure(status, description, detail ?? usual)
}

const simulated: FindFailures = ({ route: { options } }) => {
  if ((options.errorRate ?? 0) <= 0) return []
  const { errorCodes = [] } = options
  const statuses = errorCodes.length === 0 ? DEFAULT_CODES : errorCodes
  return statuses.map((status) => failure(status, 'Simulated error'))
}

const byChance: FindFailures = ({ route: { options } }) => {
  const { codes = [500], answers = {} } = options.chaos?.errors ?? { codes: [] }
  const statuses = Array.isArray(codes) ? codes : Object.keys(codes).map(Number)
  return statuses.map((status: number) => {
    const { body } = answers[status] ?? {}
    return failing({ status, body }, 'Error by chance', 'Simulated error')
  })
}

const pageTokenInvalid: FindFailures = ({ route: { options } }) =>
  options.pageTable === undefined ? [] : [failure(400, 'Invalid page token')]

const itemMissing: FindFailures = ({ route, store, verboseErrors }) => {
  if (store === undefined || !['find', 'overlay', 'remove'].includes(store.does)) return []
  if (!verboseErrors) return [failure(404, 'Not found')]
  const collection = route.path.replace(/\/\{[^{}]+\}$/, '')
  const where = { collection, id_field: store.address.idField ?? 'id', id_value: 'unknown' }
  return [failure(404, 'Not found', { detail: 'Not found', ...where })]
}

const notStored: FindFailures = ({ store }) => {
  const exists: Reason = { status: 409, description: 'An item with this id is stored already', body: ERROR }
  const full: Reason = { status: 507, description: 'The collection is full; nothing was stored', body: ERROR }
  if (store?.does === 'create') return [exists, full]
  return store?.does === 'replace' ? [full] : []
}

const fixtureMissed: FindFailures = ({ route: { options } }) =>
  holdsStrictFixture(options.output) ? [failure(500, 'Fixture miss')] : []

const FAILURES: readonly FindFailures[] = [
  ...[unauthorized, rateLimited, inputRefused, mapped, scenario, simulated, byChance],
  ...[pageTokenInvalid, itemMissing, notStored, fixtureMissed],
]
const DEFAULT_CODES: readonly number[] = [404, 500]

/** Whether a route has a rate limit: every admitted answer then states the quota too. */
export function isLimited({ options }: RouteDefinition): boolean {
  return (options.rateLimit ?? 0) > 0
}

function seconds(description: string): Header {
  return { description, schema: { type: 'integer', minimum: 1 } }
}

/** The headers that state the quota of a rate limit. */
export const QUOTA_HEADERS: Readonly<Record<string, Header>> = {
  'RateLimit-Limit': {
    description: 'Requests admitted in a second',
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Remaining': { description: 'Requests left', schema: { type: 'integer', minimum: 0 } },
  'RateLimit-Reset': seconds('Seconds until there are more'),
}

const FIXTURE_LINKS = new Set(['fromJsonFixture', 'fromNestedFixture'])

/** Whether a model holds, at any depth, a fixture link whose miss is an error. */
export function holdsStrictFixture(model: Schema | undefined): boolean {
  const seen = new Set<Located>()
  const walk = (located: Located): boolean => {
    if (seen.has(located)) return false
    seen.add(located)
    const elsewhere: Located[] = []
    const { schema, scope } = located
    const own = copySchema(schema, {
      reference: (reference) => String(elsewhere.push(scope.find(reference))),
      named: (part) => ({ $ref: String(elsewhere.push(scope.at(part))) }),
    })
    return holdsStrict(own) || elsewhere.some(walk)
  }
  return model !== undefined && walk(createScope(model).at(model))
}

function holdsStrict(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return (
    (!Array.isArray(value) && isStrict((value as Schema)[LINK])) || Object.values(value).some(holdsStrict)
  )
}

// The link of a `whenInput` lies within its arguments.
function isStrict(link: unknown): boolean {
  if (!isObject(link)) return false
  return Object.entries(link).some(
    ([name, data]) => (FIXTURE_LINKS.has(name) && asksStrict(data)) || isStrict(data),
  )
}

function asksStrict(data: unknown): boolean {
  const parts = Array.isArray(data) ? data : [data]
  return parts.some((part) => isObject(part) && part['strict'] === true)
}
