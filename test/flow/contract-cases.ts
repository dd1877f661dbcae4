// The table of what a contract checks: for each rule a request and an answer that break it, and good ones.

/** A request and the answer that it is to get, and what of both is not as described. */
export interface ContractCase {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly answer: CaseAnswer
  /** Side, part, pointer and rule of each violation. */
  readonly violations: readonly string[]
}

export interface CaseAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Schema = Readonly<Record<string, unknown>>

interface KeywordRow {
  readonly keyword: string
  readonly schema: Schema
  readonly good: unknown
  readonly bad: unknown
  /** Of what is bad, below the body. */
  readonly pointer?: string
  readonly rules?: readonly string[]
}

const row = (
  keyword: string,
  schema: Schema,
  good: unknown,
  bad: unknown,
  pointer = '',
  rules: readonly string[] = [`${pointer} ${keyword}`],
): KeywordRow => ({ keyword, schema, good, bad, pointer, rules })

/** Each keyword of JSON Schema 2020-12 that validates. */
export const KEYWORDS: readonly KeywordRow[] = [
  row('type', { type: 'integer' }, 1, 'one'),
  row('enum', { enum: ['a', 'b'] }, 'a', 'c'),
  row('const', { const: 7 }, 7, 8),
  row('minLength', { type: 'string', minLength: 2 }, 'ab', 'a'),
  row('maxLength', { type: 'string', maxLength: 2 }, 'ab', 'abc'),
  row('pattern', { type: 'string', pattern: '^[a-z]+$' }, 'ab', 'A1'),
  row('format', { type: 'string', format: 'date-time' }, '2026-01-31T12:00:00Z', 'yesterday'),
  row('minimum', { type: 'number', minimum: 1 }, 1, 0),
  row('maximum', { type: 'number', maximum: 1 }, 1, 2),
  row('exclusiveMinimum', { type: 'number', exclusiveMinimum: 1 }, 2, 1),
  row('exclusiveMaximum', { type: 'number', exclusiveMaximum: 1 }, 0, 1),
  row('multipleOf', { type: 'integer', multipleOf: 5 }, 10, 11),
  row('items', { type: 'array', items: { type: 'integer' } }, [1], [1, 'x'], '/1', ['/1 type']),
  row('prefixItems', { type: 'array', prefixItems: [{ type: 'integer' }] }, [1], ['x'], '/0', ['/0 type']),
  row('minItems', { type: 'array', minItems: 1 }, [1], []),
  row('maxItems', { type: 'array', maxItems: 1 }, [1], [1, 2]),
  row('uniqueItems', { type: 'array', uniqueItems: true }, [1, 2], [1, 1]),
  row('contains', { type: 'array', contains: { const: 1 } }, [1], [2], '', ['/0 const', ' contains']),
  row('maxContains', { type: 'array', contains: { const: 1 }, maxContains: 1 }, [1], [1, 1], '', [
    ' contains',
  ]),
  row('unevaluatedItems', { type: 'array', prefixItems: [{}], unevaluatedItems: false }, [1], [1, 2]),
  row('properties', { type: 'object', properties: { a: { type: 'integer' } } }, { a: 1 }, { a: '1' }, '/a', [
    '/a type',
  ]),
  row('required', { type: 'object', required: ['a'] }, { a: 1 }, {}, '/a'),
  row('additionalProperties', { type: 'object', additionalProperties: false }, {}, { b: 1 }, '/b'),
  row(
    'patternProperties',
    { type: 'object', patternProperties: { '^n': { type: 'integer' } } },
    { n: 1 },
    { n: 'x' },
    '/n',
    ['/n type'],
  ),
  row('propertyNames', { type: 'object', propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }, '', [
    ' maxLength',
    ' propertyNames',
  ]),
  row('minProperties', { type: 'object', minProperties: 1 }, { a: 1 }, {}),
  row('maxProperties', { type: 'object', maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }),
  row(
    'dependentRequired',
    { type: 'object', dependentRequired: { a: ['b'] } },
    { a: 1, b: 2 },
    { a: 1 },
    '',
    ['/b dependentRequired'],
  ),
  row(
    'dependentSchemas',
    { type: 'object', dependentSchemas: { a: { required: ['b'] } } },
    { a: 1, b: 2 },
    { a: 1 },
    '/b',
    ['/b required'],
  ),
  row('unevaluatedProperties', { type: 'object', unevaluatedProperties: false }, {}, { a: 1 }, '/a'),
  row('allOf', { allOf: [{ type: 'integer' }, { minimum: 3 }] }, 3, 2, '', [' minimum']),
  row('anyOf', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, null, 'x', '', [' anyOf', ' type']),
  row('oneOf', { oneOf: [{ minimum: 1 }, { maximum: 5 }] }, 0, 3),
  row('not', { not: { type: 'string' } }, 1, 'x'),
  row('if', { if: { type: 'string' }, then: { minLength: 2 } }, 'ab', 'a', '', [' if', ' minLength']),
  row('$ref', { $ref: '#/components/schemas/Named' }, { name: 'n' }, { name: 1 }, '/name', ['/name type']),
]

const JSON_HEADERS = { 'content-type': 'application/json' }
const OK: CaseAnswer = { status: 200, headers: { ...JSON_HEADERS, 'x-total': '3' }, body: '{"id":1}' }
const REQUEST_OK = {
  method: 'POST',
  path: '/all/1?q=1',
  headers: { ...JSON_HEADERS, 'x-key': 'k', 'x-count': '1', cookie: 'c=1' },
  body: '{"id":1}',
}

function keywordCases({ keyword, good, bad, rules = [] }: KeywordRow): readonly ContractCase[] {
  const path = `/keyword/${encodeURIComponent(keyword)}`
  const answer = (body: unknown): CaseAnswer => ({
    status: 200,
    headers: JSON_HEADERS,
    body: JSON.stringify(body),
  })
  const made = (
    name: string,
    sent: unknown,
    given: unknown,
    violations: readonly string[],
  ): ContractCase => ({
    name: `${keyword}: ${name}`,
    method: 'POST',
    path: `${path}?case=${encodeURIComponent(name)}`,
    headers: JSON_HEADERS,
    body: JSON.stringify(sent),
    answer: answer(given),
    violations,
  })
  return [
    made('both good', good, good, []),
    made(
      'a bad request',
      bad,
      good,
      rules.map((rule) => `request body ${rule}`),
    ),
    made(
      'a bad answer',
      good,
      bad,
      rules.map((rule) => `response body ${rule}`),
    ),
  ]
}

function others(): readonly ContractCase[] {
  const { headers } = REQUEST_OK
  const without = (name: string): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name))
  const request = (
    name: string,
    changes: Partial<ContractCase>,
    ...violations: readonly string[]
  ): ContractCase => {
    const path = changes.path ?? REQUEST_OK.path
    const mark = path.includes('?') ? '&' : '?'
    return {
      answer: OK,
      name,
      ...REQUEST_OK,
      ...changes,
      path: `${path}${mark}case=${encodeURIComponent(name)}`,
      violations,
    }
  }
  const answer = (
    name: string,
    changes: Partial<CaseAnswer>,
    ...violations: readonly string[]
  ): ContractCase => request(name, { answer: { ...OK, ...changes } }, ...violations)
  return [
    request('all good', {}),
    request('missing query', { path: '/all/1' }, 'request query /q required'),
    request('wrong query', { path: '/all/1?q=x' }, 'request query /q type'),
    request('wrong path', { path: '/all/x?q=1' }, 'request path /id type'),
    request('missing header', { headers: { ...without('x-count') } }, 'request header /x-count required'),
    request('wrong header', { headers: { ...headers, 'x-count': 'x' } }, 'request header /x-count type'),
    request('missing cookie', { headers: without('cookie') }, 'request cookie /c required'),
    request('wrong cookie', { headers: { ...headers, cookie: 'c=x' } }, 'request cookie /c type'),
    request('missing credentials', { headers: without('x-key') }, 'request security  security'),
    request(
      'undeclared media type',
      { headers: { ...headers, 'content-type': 'text/csv' } },
      'request media-type  media-type',
    ),
    request('no JSON', { body: '{"id":' }, 'request body  syntax'),
    request('undeclared body', { method: 'DELETE' }, 'request body  body'),
    request('undeclared method', { method: 'PATCH' }, 'request operation  operation'),
    request('undeclared path', { path: '/none?q=1' }, 'request operation  operation'),
    answer('undeclared status', { status: 202 }, 'response status  status'),
    answer(
      'undeclared answer type',
      { headers: { 'x-total': '3', 'content-type': 'text/csv' } },
      'response media-type  media-type',
    ),
    answer('missing answer header', { headers: JSON_HEADERS }, 'response header /x-total required'),
    answer(
      'wrong answer header',
      { headers: { ...OK.headers, 'x-total': 'x' } },
      'response header /x-total type',
    ),
    answer('an answer of no JSON', { body: '{"id"' }, 'response body  syntax'),
    answer('undeclared answer body', { status: 404 }, 'response body  body'),
    answer('missing answer body', { body: '' }, 'response body  body'),
  ]
}

export const CASES: readonly ContractCase[] = [...others(), ...KEYWORDS.flatMap(keywordCases)]

const parameter = (name: string, where: string): Schema => ({
  name,
  in: where,
  required: true,
  schema: { type: 'integer' },
})
const body = (schema: Schema): Schema => ({ required: true, content: { 'application/json': { schema } } })
const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
const parameters = [
  parameter('id', 'path'),
  parameter('q', 'query'),
  parameter('x-count', 'header'),
  parameter('c', 'cookie'),
]
const responses = {
  200: {
    description: 'good',
    headers: { 'x-total': { required: true, schema: { type: 'integer' } } },
    content: { 'application/json': { schema: item } },
  },
  404: { description: 'without a body' },
}

/** The description of all cases. */
export const DESCRIPTION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Cases', version: '1' },
  paths: {
    '/all/{id}': {
      parameters,
      post: { security: [{ key: [] }], requestBody: body(item), responses },
      delete: { security: [{ key: [] }], responses },
    },
    ...Object.fromEntries(
      KEYWORDS.map(({ keyword, schema }) => [
        `/keyword/${keyword}`,
        {
          post: {
            requestBody: body(schema),
            responses: { 200: { description: 'good', content: { 'application/json': { schema } } } },
          },
        },
      ]),
    ),
  },
  components: {
    schemas: { Named: { type: 'object', properties: { name: { type: 'string' } } } },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } },
  },
})
