import * as fc from 'fast-check'
import Type from 'typebox'
import { ErrorCase } from '../../src/engine/error-case.ts'
import { PageTable } from '../../src/engine/fixtures/page-table.ts'
import { ComputedFrom } from '../../src/engine/links/computed-from.ts'
import { FromInput } from '../../src/engine/links/from-input.ts'
import { list, PageSlice, PaginatedResponse } from '../../src/engine/schema/list.ts'
import type { Schema } from '../../src/engine/schema/schema.ts'
import type { RouteOptions } from '../../src/engine/route-options.ts'
import { createRoute, type Method, type RouteDefinition } from '../../src/engine/route.ts'
import { schema } from './documents.ts'

const names = fc.constantFrom('id', 'name', 'user_id', 'kind', 'Größe')
const titles = fc.constantFrom('User', 'Order', 'Error', 'Page<User>', 'users/new')

const scalar: fc.Arbitrary<Schema> = fc.oneof(
  fc.constantFrom<Schema>(
    { type: 'string' },
    { type: 'string', format: 'date-time', description: 'When' },
    { type: 'string', title: 'Label', maxLength: 8, default: 'x' },
    { type: ['string', 'null'] },
    { type: 'integer', minimum: 1, maximum: 9, ...FromInput('name') },
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'boolean' },
    { enum: ['a', 'b', null] },
    { title: 'Kind', enum: ['a', 'b'] },
    { const: 7 },
  ),
  fc.constant<Schema>({ type: 'string', ...ComputedFrom(['none'], (none: unknown) => typeof none) }),
)

// One model must not hold an id twice, not even of equal parts; titles may be there twice.
const cyclic: fc.Arbitrary<Schema> = fc
  .tuple(fc.constantFrom('Node', 'User'), fc.uuid())
  .map(([title, id]) => {
    const below = Type.Optional(Type.Array(Type.Ref(id)))
    return schema(Type.Cyclic({ [id]: Type.Object({ id: Type.String(), below }, { title }) }, id))
  })

const { model } = fc.letrec<{ model: Schema; object: Schema }>((tie) => ({
  object: fc
    .record({
      title: fc.option(titles, { nil: undefined, freq: 2 }),
      properties: fc.dictionary(names, tie('model'), { maxKeys: 4 }),
      required: fc.uniqueArray(names, { maxLength: 3 }),
      additionalProperties: fc.constantFrom(undefined, false),
    })
    .map(({ title, properties, required, additionalProperties }) => ({
      type: 'object',
      ...(title !== undefined && { title }),
      properties,
      required: required.filter((name) => name in properties),
      ...(additionalProperties !== undefined && { additionalProperties }),
    })),
  model: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'model' },
    scalar,
    cyclic,
    tie('object'),
    tie('model').map((items) => ({ type: 'array', items })),
    tie('model').map((one) => ({ anyOf: [one, { type: 'null' }] })),
    tie('model').map((additionalProperties) => ({ type: 'object', additionalProperties })),
    fc.tuple(tie('model'), tie('model')).map((prefixItems) => ({ type: 'array', prefixItems, items: false })),
  ),
}))

const withDefinitions = model.map((A): Schema => {
  const properties = { a: { $ref: '#/$defs/A' }, b: { $ref: '#b' }, again: { $ref: '#' } }
  return { $defs: { A, B: { $anchor: 'b', type: 'string' } }, type: 'object', properties }
})

const output: fc.Arbitrary<Schema | undefined> = fc.oneof(
  fc.constant(undefined),
  model,
  withDefinitions,
  model.map((item) => list(item)),
  model.map(PaginatedResponse),
  model.map(PageSlice),
)

const input: fc.Arbitrary<Schema | undefined> = fc.oneof(
  fc.constant(undefined),
  fc
    .record({
      title: fc.option(titles, { nil: undefined }),
      properties: fc.dictionary(names, model, { maxKeys: 4 }),
      required: fc.uniqueArray(names, { maxLength: 3 }),
    })
    .map(({ title, ...others }) => ({ type: 'object', ...(title !== undefined && { title }), ...others })),
)

const TOKEN = 'token-that-stays-secret'
const details = fc.constantFrom<unknown>('no', undefined, { reason: [1, null] }, `Bearer ${TOKEN}`)
const statuses = fc.constantFrom(200, 201, 204, 304, 400, 401, 404, 409, 429, 500, 503, 507)

const options: fc.Arbitrary<RouteOptions> = fc.record(
  {
    status: fc.constantFrom(200, 201, 202, 204, 404),
    headers: fc.constantFrom<Record<string, string>>({}, { ETag: '"1"', 'X-Echo': `Bearer ${TOKEN}` }),
    listCount: fc.nat(5),
    errorRate: fc.constantFrom(0, 0.5, 1),
    errorCodes: fc.array(fc.constantFrom(404, 429, 500), { maxLength: 3 }),
    errors: fc.array(
      fc
        .record({ status: statuses, detail: details })
        .map((each) => ErrorCase({ when: () => true, ...each })),
    ),
    scenario: fc.array(fc.record({ status: statuses, detail: details })),
    latencyMs: fc.nat(10),
    rateLimit: fc.nat(3),
    bearerTokens: fc.constantFrom<string[]>([], [TOKEN], [TOKEN, 't']),
    summary: fc.string(),
    description: fc.string(),
    tags: fc.array(fc.string(), { maxLength: 2 }),
  },
  { requiredKeys: [] },
)

const segment = fc.constantFrom('users', 'a-b', 'x.json', '{id}', '{user_id}', '{name}.csv', '{kind}')
const path = fc.uniqueArray(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`)

const route = fc
  .record({
    method: fc.constantFrom<Method>('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    path,
    input,
    output,
    options,
    paged: fc.boolean(),
  })
  .map(({ method, path, input, output, options, paged }): RouteDefinition => {
    const isTable = paged && (output?.['x-sim-page'] === 'token' || output?.['type'] === 'array')
    return createRoute(method, path, {
      ...options,
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
      ...(isTable && !('prefixItems' in output) && { pageTable: new PageTable({ pages: { '': [] } }) }),
    })
  })

/** Any routes that one app can have; those with a bearer token have this one among their tokens. */
export const arbitraryRoutes = fc.uniqueArray(route, {
  selector: ({ method, path }) => `${method} ${path.replace(/\{[^{}]+\}/g, '{}')}`,
  maxLength: 8,
})
export { TOKEN }
