import fc from 'fast-check'

const NAMES = ['A', 'B', 'C', 'D']

const name = fc.constantFrom(...NAMES)
const reference = name.map((each) => ({ $ref: `#/components/schemas/${each}` }))
const scalar = fc.oneof(
  fc.record(
    { type: fc.constant('string'), minLength: fc.nat(3), nullable: fc.boolean() },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constant('integer'),
      minimum: fc.integer(),
      exclusiveMinimum: fc.boolean(),
      example: fc.integer(),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({ type: fc.constant('string'), enum: fc.uniqueArray(fc.string(), { minLength: 1 }) }),
  fc.constantFrom({}, { type: 'boolean', default: true }, { type: 'strin' }),
)

const discriminator = fc.record(
  {
    propertyName: fc.constant('kind'),
    mapping: fc.dictionary(fc.constantFrom('a', 'b'), name, { maxKeys: 2 }),
  },
  { requiredKeys: ['propertyName'] },
)

const schema = fc.letrec<{ any: object; object: object }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    scalar,
    reference,
    tie('object'),
    fc.record({ type: fc.constant('array'), items: tie('any') }),
    fc.record({ allOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }), nullable: fc.boolean() }),
    fc.record({
      oneOf: fc.array(reference, { minLength: 1, maxLength: 2 }),
      discriminator,
    }),
  ),
  object: fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(
        fc.constantFrom('a', 'kind', '$ref', 'default'),
        fc
          .tuple(tie('any'), fc.constantFrom({}, { readOnly: true }, { writeOnly: true }))
          .map(([any, flags]) => ({
            ...any,
            ...flags,
          })),
        { maxKeys: 2 },
      ),
      required: fc.uniqueArray(fc.constantFrom('a', 'kind')),
      discriminator,
      'x-sim-link': fc.constant({ fromInput: 'q' }),
    },
    { requiredKeys: ['type'] },
  ),
}))

const parameter = fc.record(
  {
    name: fc.constantFrom('p', 'q', 'id'),
    in: fc.constantFrom('query', 'header', 'cookie', 'path'),
    required: fc.boolean(),
    explode: fc.boolean(),
    schema: schema.any,
  },
  { requiredKeys: ['name', 'in', 'schema'] },
)

const content = fc.dictionary(
  fc.constantFrom('application/json', 'text/plain', 'application/xml'),
  fc.record({ schema: schema.any, example: fc.jsonValue({ maxDepth: 1 }) }, { requiredKeys: [] }),
  { maxKeys: 2 },
)

const response = fc.record(
  {
    description: fc.string(),
    content,
    headers: fc.dictionary(fc.constantFrom('X-A', 'X-B'), fc.record({ schema: schema.any }), { maxKeys: 1 }),
  },
  { requiredKeys: ['description'] },
)

const operation = fc.record(
  {
    parameters: fc.array(parameter, { maxLength: 2 }),
    requestBody: fc.record({ required: fc.boolean(), content }, { requiredKeys: ['content'] }),
    responses: fc.dictionary(fc.constantFrom('200', '201', '2XX', '404', 'default'), response, {
      minKeys: 1,
      maxKeys: 2,
    }),
    security: fc.array(fc.dictionary(fc.constantFrom('bearer', 'key'), fc.constant([])), { maxLength: 2 }),
    servers: fc.constant([{ url: '/own' }]),
    'x-sim-stateful': fc.boolean(),
  },
  { requiredKeys: ['responses'] },
)

/** Descriptions of OpenAPI 3.0 and 3.1 with what they may hold, some of it wrong. */
export const arbitraryDescription = fc.record({
  openapi: fc.constantFrom('3.0.3', '3.1.0'),
  info: fc.constant({ title: 'T', version: '1' }),
  servers: fc.constantFrom([], [{ url: 'https://h.example/{v}', variables: { v: { default: 'v1' } } }]),
  security: fc.constantFrom([], [{ bearer: [] }]),
  paths: fc.dictionary(
    fc.constantFrom('/a', '/a/{id}', '/b/{id}.{q}'),
    fc.dictionary(fc.constantFrom('get', 'post', 'head', 'trace'), operation, { maxKeys: 2 }),
    { maxKeys: 2 },
  ),
  components: fc.record({
    schemas: fc
      .tuple(...NAMES.map(() => schema.any))
      .map((all) => Object.fromEntries(all.map((each, index) => [NAMES[index], each]))),
    securitySchemes: fc.constant({
      bearer: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'query', name: 'key' },
    }),
  }),
})
