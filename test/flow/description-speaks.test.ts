import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { textFile } from '../../src/data-files/text-file.ts'
import { createGateway, type GatewayDefaults } from '../../src/gateway.ts'
import { loadDescription } from '../../src/loaders/load-description.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}
type Ask = (
  line: string,
  headers?: Readonly<Record<string, string>>,
  payload?: string | object,
) => Promise<Received>

async function start(text: string, defaults: GatewayDefaults = {}, file = 'api.yaml'): Promise<Ask> {
  const { api } = await loadDescription(textFile(file, text), { defaults: { seed: 1 }, options: {} })
  const app = createGateway({ ...api.gatewayOptions(), defaults })
  closing.push(() => app.close())
  return async (line, headers = {}, payload) => {
    const [method = 'GET', url = '/'] = line.split(' ')
    const answer = await app.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) })
    const isJson = String(answer.headers['content-type']).includes('json')
    const body: unknown = isJson ? answer.json() : answer.body
    return { status: answer.statusCode, headers: answer.headers, body }
  }
}

const json = (schema: string, beside = ''): string =>
  `content: { application/json: { schema: ${schema}${beside === '' ? '' : `, ${beside}`} } }`

describe('values of an answer', () => {
  const SCHEMAS = `
openapi: 3.1.0
info: { title: Values, version: '1' }
paths:
  /thing:
    get: { responses: { '200': { description: A, ${json("{ $ref: '#/components/schemas/Thing' }")} } } }
components:
  schemas:
    Base: { type: object, properties: { kind: { type: string, example: base }, zip: { type: string, example: 94103 } } }
    Size: { enum: [s, m, l], default: m }
    Thing:
      allOf:
        - $ref: '#/components/schemas/Base'
        - type: object
          properties:
            kind: { type: string, examples: [own] }
            tags: { type: array, minItems: 2, uniqueItems: true, items: { type: string, example: first } }
            sizes: { type: array, items: { $ref: '#/components/schemas/Size' } }
            beside: { $ref: '#/components/schemas/Size', example: l }
            notFitting: { type: integer, example: many, default: 7 }
            map: { type: object, additionalProperties: { type: number, example: 1.5 } }
            choice: { oneOf: [{ type: object, required: [a], properties: { a: { const: 1 } }, example: { a: 1 } }] }
            linked: { type: object, example: { a: 1 }, properties: { a: { type: string, x-sim-link: { fromHeader: x-a } } } }
            noted: { $ref: '#/components/schemas/Remark' }
    Remark: { type: object, properties: { note: { type: string } }, example: { note: { $ref: nowhere } } }
`

  it('are what the description says at any depth, where it fits', async () => {
    const ask = await start(SCHEMAS)
    const { body } = await ask('GET /thing', { 'x-a': 'linked' })
    const { tags, map, noted, sizes, ...others } = body as Record<string, unknown[]>
    expect(others).toEqual({
      kind: 'own',
      zip: '94103',
      beside: 'l',
      notFitting: 7,
      choice: { a: 1 },
      linked: { a: 'linked' },
    })
    expect(new Set(sizes)).toEqual(new Set(['m']))
    expect([tags?.[0], new Set(tags).size]).toEqual(['first', tags?.length])
    expect(new Set(Object.values(map as object))).toEqual(new Set([1.5]))
    expect(noted).toEqual({ note: expect.any(String) as string })
  })

  it('are made where a client prefers that', async () => {
    const ask = await start(SCHEMAS)
    const { body } = await ask('GET /thing', { prefer: 'dynamic=true' })
    expect((body as { zip: string }).zip).not.toBe('94103')
  })

  it('are those of a file beside the description, and of none outside', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sim-external-'))
    writeFileSync(join(folder, 'one.json'), '{"from":"a file"}')
    const examples = (value: string): string => `examples: { one: { externalValue: ${value} } }`
    const paths = ['one.json', '../one.json', 'https://example.com/one.json']
      .map(
        (value, index) =>
          `  /${index}: { get: { responses: { '200': { description: A, ${json('{ type: object }', examples(value))} } } } }\n`,
      )
      .join('')
    const text = `openapi: 3.0.3\ninfo: { title: A, version: '1' }\npaths:\n${paths}`
    const ask = await start(text, {}, join(folder, 'api.yaml'))
    expect((await ask('GET /0')).body).toEqual({ from: 'a file' })
    expect([(await ask('GET /1')).body, (await ask('GET /2')).body]).not.toContainEqual({ from: 'a file' })
  })
})

const PETS = `
openapi: 3.0.3
info: { title: Pets, version: '1' }
servers:
  - { url: 'https://{where}.example.com/{version}', variables: { where: { default: a }, version: { default: v1, enum: [v1, v2] } } }
  - { url: /beta }
security: [{ login: [write] }]
paths:
  /pets:
    post:
      deprecated: true
      x-sunset: '2030-01-01T00:00:00Z'
      requestBody: { required: true, ${json('{ type: object, required: [name], properties: { name: { type: string }, age: { type: integer } } }')} }
      responses:
        '201':
          description: Made
          headers: { Location: { schema: { type: string } }, ETag: { schema: { type: string } }, X-RateLimit-Limit: { schema: { type: integer } } }
          ${json('{ type: object, properties: { id: { type: integer, example: 7 } } }')}
        '400': { description: Bad, ${json("{ $ref: '#/components/schemas/Problem' }")} }
        '401': { description: Who, ${json('{ type: object, properties: { error: { type: object, properties: { code: { type: string, example: no_key }, message: { type: string, example: Bring a key } } } } }')} }
        '403': { description: No, ${json("{ $ref: '#/components/schemas/Problem' }")} }
        '405': { description: How, headers: { X-Trace: { schema: { type: string, example: abc } } }, ${json('{}', 'example: { oops: true }')} }
        '415': { description: Only a word }
        5XX: { description: Broken, ${json("{ $ref: '#/components/schemas/Problem' }")} }
components:
  securitySchemes: { login: { type: oauth2, flows: { clientCredentials: { tokenUrl: /token, scopes: { write: Write } } } } }
  schemas:
    Problem:
      type: object
      required: [code, message]
      properties:
        code: { type: integer }
        message: { type: string }
        errors: { type: array, items: { type: object, properties: { field: { type: string }, message: { type: string } } } }
`
const LOGIN = { authorization: 'Bearer any' }
const JSON_TYPE = { 'content-type': 'application/json' }

describe('a refusal', () => {
  it('has the status, the form and the headers that are described, and says what is wrong', async () => {
    const ask = await start(PETS)
    expect(await ask('POST /v1/pets', LOGIN, { age: 'old' })).toMatchObject({
      status: 400,
      body: {
        code: 400,
        message: 'body.name: Field required; body.age: Value must be integer',
        errors: [
          { field: 'name', message: 'Field required' },
          { field: 'age', message: 'Value must be integer' },
        ],
      },
    })
    expect(await ask('POST /v1/pets')).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      body: { error: { code: 'no_key', message: 'Bring a key' } },
    })
    expect(await ask('PUT /v1/pets')).toMatchObject({
      status: 405,
      headers: { 'x-trace': 'abc', allow: 'POST, OPTIONS' },
      body: { oops: true },
    })
    expect(await ask('POST /v1/pets', { ...LOGIN, 'content-type': 'text/csv' }, 'a')).toMatchObject({
      status: 415,
      body: { code: 'SIM_MEDIA_TYPE_UNSUPPORTED' },
    })
  })

  it('is the example that the request prefers', async () => {
    const ask = await start(`
openapi: 3.0.3
info: { title: Cats, version: '1' }
paths:
  /cats:
    post:
      requestBody: { ${json('{ type: object, required: [name] }')} }
      responses:
        '201': { description: Made }
        '422': { description: No, ${json('{ type: object, properties: { message: { type: string } } }', 'examples: { short: { value: { message: Too short } }, empty: { value: { message: A name } } }')} }
`)
    const refused = async (example: string): Promise<unknown> => {
      const prefer = `code=422, example=${example}`
      return (await ask('POST /cats', { ...JSON_TYPE, prefer }, {})).body
    }
    expect(await refused('empty')).toEqual({ message: 'A name' })
    expect(await refused('nowhere')).toEqual({ message: 'body.name: Field required' })
  })

  it('is the described one as well where it is simulated', async () => {
    const ask = await start(PETS, { errorRate: 1, errorCodes: [503] })
    expect(await ask('POST /v1/pets', LOGIN, { name: 'Rex' })).toMatchObject({
      status: 503,
      body: { code: 503, message: 'Simulated error' },
    })
  })

  it('is problem details where nothing is described, that is requested for and the client accepts it', async () => {
    const ask = await start(PETS, { problemDetails: true })
    const type = 'application/problem+json'
    expect(await ask('GET /nowhere')).toMatchObject({
      headers: { 'content-type': type },
      body: { type: 'about:blank', title: 'Not Found', status: 404, code: 'SIM_ROUTE_NOT_FOUND' },
    })
    const refused = await ask('GET /nowhere', { accept: 'application/json' })
    expect(refused.headers['content-type']).toMatch(/^application\/json/)
    expect((await ask('POST /v1/pets', LOGIN, {})).headers['content-type']).toBe('application/json')
  })
})

describe('a token', () => {
  const payload = (claims: object): string => Buffer.from(JSON.stringify(claims)).toString('base64url')
  const statusOf = async (ask: Ask, token: string): Promise<number> =>
    (await ask('POST /v1/pets', { authorization: `Bearer ${token}` }, { name: 'Rex' })).status

  it('needs the scopes of the operation, where it or the list says which it has', async () => {
    const ask = await start(PETS)
    expect(await statusOf(ask, 'opaque')).toBe(201)
    expect(await statusOf(ask, `e.${payload({ scope: 'read write' })}.s`)).toBe(201)
    expect(await statusOf(ask, `e.${payload({ scp: ['read'] })}.s`)).toBe(403)
    const listed = await start(PETS, { bearerTokens: ['one read', 'two read write', 'three'] })
    const statuses = await Promise.all(
      ['one', 'two', 'three', 'four'].map((token) => statusOf(listed, token)),
    )
    expect(statuses).toEqual([403, 201, 201, 401])
    const refused = await listed('POST /v1/pets', { authorization: 'Bearer one' }, { name: 'Rex' })
    expect(refused).toMatchObject({
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="write"' },
      body: { code: 403, message: 'The token does not have the scope write' },
    })
  })
})

describe('an answer', () => {
  it('has the headers that are described, with what is true, and says that its operation is deprecated', async () => {
    const ask = await start(PETS)
    const { headers } = await ask('POST /v1/pets', { ...LOGIN, host: 'pets.test' }, { name: 'Rex' })
    expect(headers).toMatchObject({
      location: 'http://pets.test/v1/pets/7',
      'x-ratelimit-limit': '1000',
      deprecation: '@0',
      sunset: 'Tue, 01 Jan 2030 00:00:00 GMT',
    })
    const again = await ask('POST /v1/pets', LOGIN, { name: 'Tom' })
    expect(again.headers['etag']).toMatch(/^"[\w-]{22}"$/)
    expect(again.headers['etag']).toBe(headers['etag'])
  })

  it('is given below every server and every value of its variables', async () => {
    const ask = await start(PETS)
    const headers = { ...LOGIN, ...JSON_TYPE }
    const statuses = ['/v1/pets', '/v2/pets', '/beta/pets', '/v3/pets', '/pets'].map(
      async (path) => (await ask(`POST ${path}`, headers, { name: 'Rex' })).status,
    )
    expect(await Promise.all(statuses)).toEqual([201, 201, 201, 404, 404])
    expect((await ask('GET /beta/pets')).status).toBe(405)
  })
})
