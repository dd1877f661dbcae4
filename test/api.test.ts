import type { InjectOptions } from 'fastify'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../src/api.ts'
import { ErrorCase, ScenarioStep } from '../src/engine/error-case.ts'
import { PageTable } from '../src/engine/fixtures/page-table.ts'
import { ComputedFrom } from '../src/engine/links/computed-from.ts'
import { FromInput } from '../src/engine/links/from-input.ts'
import { list, PageParams, PageSlice, PaginatedResponse } from '../src/engine/schema/list.ts'
import type { SimOptions } from '../src/options/app-options.ts'
import { temporaryFolder } from './temporary-folder.ts'

const User = Type.Object(
  { id: Type.Integer(), name: Type.String(), role: Type.Enum(['admin', 'member']) },
  { title: 'User' },
)
const Named = Type.Object({ name: Type.String() })

/** An app with the one route GET /users, whose output is a user unless another is given. */
function usersApi(options: object = {}, app: SimOptions = {}): SimAPI {
  return new SimAPI({ seed: 1, ...app }).get('/users', { output: User, ...options })
}

async function get(api: SimAPI, url: string, headers: Record<string, string> = {}, more: InjectOptions = {}) {
  const app = api.asWebApp()
  const { statusCode: status, headers: answered, body } = await app.inject({ url, headers, ...more })
  await app.close()
  return { status, headers: answered, body: body === '' ? undefined : (JSON.parse(body) as unknown) }
}

describe('registration', () => {
  it('refuses a second route for a method and path, whatever its parameters are called', () => {
    const api = new SimAPI().get('/users/{id}')
    expect(() => api.get('/users/{user}')).toThrow(
      "Duplicate GET endpoint registered for path '/users/{user}'",
    )
    expect(() => api.get('/users/{id}/')).toThrow(/Duplicate/)
    api.post('/users/{id}')
    expect(api.routes.map(({ key }) => key)).toEqual(['GET /users/{id}', 'POST /users/{id}'])
  })

  it.for([
    [{ errorRate: 1.5 }, 'errorRate must be a number from 0 to 1, not 1.5'],
    [{ errorRate: '0.5' }, 'errorRate must be a number from 0 to 1, not "0.5"'],
    [{ errorCodes: [200] }, 'errorCodes must be a list of statuses from 400 to 599, not [200]'],
    [{ errors: [{ status: 404 }] }, 'errors must be a list of ErrorCase'],
    [
      { errors: [ErrorCase({ when: () => true, status: 422 })] },
      'errors must be a list of ErrorCase({ when, status, detail, body, text }) with any status but 422',
    ],
    [{ scenario: [{ status: 42 }] }, 'scenario must be a list of ScenarioStep'],
    [{ bearerTokens: 'secret' }, 'bearerTokens must be a list of texts, not "secret"'],
    [{ bearerTokens: [''] }, 'bearerTokens must be a list of texts'],
    [{ latencyMs: -1 }, 'latencyMs must be a number of milliseconds'],
    [{ jitterMs: Number.NaN }, 'jitterMs must be a number of milliseconds'],
    [{ rateLimit: -1 }, 'rateLimit must be a number of requests per second'],
    [{ listCount: -1 }, 'listCount must be a number of items or the name of an input field'],
    [{ listCount: 'n' }, "listCount names the input field 'n', which is not there. Fields: name"],
    [{ seedFrom: 'n' }, "seedFrom names the input field 'n', which is not there"],
    [{ filterBy: 'n' }, "filterBy names the input field 'n', which is not there"],
    [
      { filterBy: 'name', output: Type.Object({}) },
      "filterBy names the output field 'name', which is not there",
    ],
    [{ status: 99 }, 'status must be a status from 200 to 599'],
    [{ headers: { a: 1 } }, 'headers must be texts by name'],
    [{ output: [] }, 'output must be a JSON Schema object'],
    [{ input: list(Named) }, 'input must be a model of an object, whose fields are the input'],
    [{ pageTable: {} }, 'pageTable must be a PageTable'],
    [
      { pageTable: new PageTable({ pages: { '': [] } }) },
      'pageTable requires list(model) or PageSlice(model) as output',
    ],
    [
      { output: list(Named), pageTable: new PageTable({ pages: { '': [{ name: 1 }] } }) },
      'pageTable has a row that does not fit: name: Value must be string',
    ],
    [{ tags: 'users' }, 'tags must be a list of texts'],
    [{ lateny: 5 }, "there is no option 'lateny'. Options: input, output"],
  ] as const)('refuses %j and says what is wrong, where', ([options, message]) => {
    expect(() => new SimAPI().get('/users', { input: Named, ...(options as object) })).toThrow(
      `GET /users: ${message}`,
    )
  })

  it.for([
    ['users', "the path must start with '/'"],
    ['/users?x=1', 'the path must not hold a query or a fragment'],
    ['/users/{id', 'the path has a brace without its partner'],
    ['/users/{id}/{id}', "the path names the parameter 'id' twice"],
  ] as const)('refuses the path %s', ([path, message]) => {
    expect(() => new SimAPI().get(path)).toThrow(`GET ${path}: ${message}`)
  })

  it.for([
    [{ seed: 1.5 }, 'seed must be a whole number, not 1.5'],
    [{ stateful: 'false' }, 'stateful must be true or false, not "false"'],
    [{ store: { maxItem: 1 } }, 'store must be an object such as { maxItems: 1000 }'],
    [{ seeds: 1 }, "SimAPI has no option 'seeds'"],
  ] as const)('refuses the app options %j', ([options, message]) => {
    expect(() => new SimAPI(options as object)).toThrow(message)
  })

  it('lets an option that is undefined be the config file’s', () => {
    using folder = temporaryFolder()
    const configPath = folder.write('sim.yaml', 'stateful: true\nseed: 7\n')
    const api = new SimAPI({ configPath, stateful: undefined, seed: 8 })
    expect(api.options).toMatchObject({ stateful: true, seed: 8 })
  })

  it('refuses to build an app whose fields are computed from each other in a circle', () => {
    const Circle = Type.Object({
      a: Type.String(ComputedFrom(['b'], String)),
      b: Type.String(ComputedFrom(['a'], String)),
    })
    const api = new SimAPI().get('/circle', { output: Circle })
    expect(() => api.asWebApp()).toThrow(/GET \/circle.*a → b → a/)
  })

  it('refuses unbound links only in strict mode, with route, model and field', () => {
    const Lost = Type.Object({ name: Type.String(FromInput('nmae')) }, { title: 'Lost' })
    expect(() => new SimAPI().get('/lost', { input: Named, output: Lost }).asWebApp()).not.toThrow()
    const strict = new SimAPI({ validateLinks: true }).get('/lost', { input: Named, output: Lost })
    expect(() => strict.asWebApp()).toThrow(/GET \/lost: Lost\.name: fromInput reads input field 'nmae'/)
  })
})

describe('a declared route', () => {
  it('answers HEAD as GET without the body', async () => {
    const api = usersApi({ output: list(User) })
    const [full, head] = [await get(api, '/users'), await get(api, '/users', {}, { method: 'HEAD' })]
    const length = full.headers['content-length']
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, undefined, length])
  })

  it('answers with its status and headers, of which one may be the type', async () => {
    const type = 'application/problem+json'
    const api = usersApi({ status: 203, headers: { 'x-api': 'v1', 'Content-Type': type } })
    const { status, headers } = await get(api, '/users')
    expect([status, headers['x-api'], headers['content-type']]).toEqual([203, 'v1', type])
  })

  it('has the app’s list count, the route’s, or the input’s, within bounds', async () => {
    const input = Type.Object({ n: Type.Optional(Type.Integer()) })
    const api = new SimAPI({ seed: 1, listCount: 4 })
    api.get('/app', { output: list(User) }).get('/route', { output: list(User), listCount: 2 })
    api.get('/input', { input, output: list(User), listCount: 'n' })
    const lengthOf = async (url: string) => ((await get(api, url)).body as unknown[]).length
    const lengths: Record<string, number> = { '/app': 4, '/route': 2, '/input?n=3': 3 }
    Object.assign(lengths, { '/input': 5, '/input?n=-3': 0, '/input?n=20000': 10_000 })
    for (const [url, length] of Object.entries(lengths)) expect(await lengthOf(url)).toBe(length)
  })

  it('gives each item of a list its own content', async () => {
    const api = usersApi({ output: list(User), listCount: 10 })
    const items = (await get(api, '/users')).body as { id: number }[]
    expect(new Set(items.map(({ id }) => id)).size).toBe(10)
  })

  it('keeps only the items that filterBy names', async () => {
    const input = Type.Object({ role: Type.Optional(Type.String()) })
    const api = usersApi({ input, output: list(User), listCount: 8, filterBy: 'role' })
    const roles = ((await get(api, '/users?role=admin')).body as { role: string }[]).map(({ role }) => role)
    expect(roles).toEqual(Array.from({ length: 8 }, () => 'admin'))
    expect(((await get(api, '/users')).body as unknown[]).length).toBe(8)
    expect((await get(api, '/users?role=nobody')).body).toEqual([])
  })

  it('shows one list through pages, whatever their size, that ends at its total', async () => {
    const api = usersApi({ input: PageParams, output: PaginatedResponse(User), listCount: 23 })
    const pageOf = async (limit: number, offset: number) =>
      (await get(api, `/users?limit=${limit}&offset=${offset}`)).body as { items: unknown[]; total: number }
    const { items: all, total } = await pageOf(100, 0)
    expect([all.length, total]).toEqual([23, 23])
    for (const size of [1, 7, 10]) {
      const paged: unknown[] = []
      for (let offset = 0; offset < 23; offset += size) paged.push(...(await pageOf(size, offset)).items)
      expect(paged).toEqual(all)
    }
    expect((await pageOf(10, 500)).items).toEqual([])
    expect((await get(api, '/users?limit=-1')).status).toBe(422)
  })

  it('takes a field as seed: the only one without an app seed, one more with it', async () => {
    const input = Type.Object({ s: Type.Optional(Type.Integer()), other: Type.Optional(Type.String()) })
    const bodyOf = async (options: { seed?: number }, url: string) => {
      const api = new SimAPI(options).get('/users', { input, output: User, seedFrom: 's' })
      return (await get(api, url)).body
    }
    expect(await bodyOf({}, '/users?s=5')).toEqual(await bodyOf({}, '/users?s=5'))
    expect(await bodyOf({}, '/users?s=5')).not.toEqual(await bodyOf({}, '/users?s=6'))
    expect(await bodyOf({}, '/users')).not.toEqual(await bodyOf({}, '/users'))
    expect(await bodyOf({ seed: 1 }, '/users?s=5')).toEqual(await bodyOf({ seed: 1 }, '/users?s=5'))
    expect(await bodyOf({ seed: 1 }, '/users?s=5')).not.toEqual(await bodyOf({ seed: 2 }, '/users?s=5'))
  })

  it('answers from its page table, and 400 for an unknown token', async () => {
    const [a, b] = [[{ name: 'a' }], [{ name: 'b' }]]
    const table = new PageTable({ pages: { '': a, two: b }, nextTokens: { '': 'two' }, tokenField: 'token' })
    const input = Type.Object({ token: Type.Optional(Type.String()) })
    const api = new SimAPI({ seed: 1 })
    api.get('/slices', { input, output: PageSlice(Named), pageTable: table })
    api.get('/lists', { input, output: list(Named), pageTable: table })
    expect((await get(api, '/slices')).body).toEqual({ items: a, next_page_token: 'two' })
    expect((await get(api, '/slices?token=two')).body).toEqual({ items: b, next_page_token: null })
    expect((await get(api, '/lists?token=two')).body).toEqual(b)
    expect(await get(api, '/slices?token=three')).toMatchObject({
      status: 400,
      body: { detail: 'Invalid page token' },
    })
  })

  it('plays its scenario once, holds the last step, and starts again when reset', async () => {
    const steps = [
      ScenarioStep({ status: 503, detail: 'busy' }),
      ScenarioStep({ status: 200 }),
      ScenarioStep({ status: 418 }),
    ]
    const api = new SimAPI({ seed: 1 }).get('/steps/{id}', { output: User, scenario: steps })
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await get(api, `/steps/${i}`)).status)
    expect(statuses).toEqual([503, 200, 418, 418])
    api.resetScenarios()
    expect((await get(api, '/steps/1')).body).toEqual({ detail: 'busy' })
  })

  it('advances its scenario only with requests that reach it', async () => {
    const api = new SimAPI({ seed: 1 }).get('/steps', {
      input: Named,
      output: User,
      bearerTokens: ['t'],
      errors: [ErrorCase({ when: ({ name }) => name === 'mapped', status: 409 })],
      scenario: [ScenarioStep({ status: 503 }), ScenarioStep({ status: 200 })],
    })
    const token = { authorization: 'Bearer t' }
    expect((await get(api, '/steps?name=x')).status).toBe(401)
    expect((await get(api, '/steps', token)).status).toBe(422)
    expect((await get(api, '/steps?name=mapped', token)).status).toBe(409)
    expect((await get(api, '/steps?name=x', token)).status).toBe(503)
    expect((await get(api, '/steps?name=x', token)).status).toBe(200)
  })

  it('requires the token before it looks at the input, and never echoes one', async () => {
    const api = usersApi({ input: Named, bearerTokens: ['good'] })
    const { status, body, headers } = await get(api, '/users', { authorization: 'Bearer planted' })
    expect([status, body, headers['www-authenticate']]).toEqual([401, { detail: 'Unauthorized' }, 'Bearer'])
  })

  it('names route, model and field of an answer that does not fit, where answers are checked', async () => {
    const Odd = Type.Object(
      { n: Type.Object({ deep: Type.Array(Type.Integer(), { minItems: 1 }) }) },
      { title: 'Odd' },
    )
    const table = new PageTable({ pages: { '': [] } })
    const bad = { ...PageSlice(Odd), required: ['items', 'next_page_token', 'never'] }
    const api = new SimAPI({ seed: 1, validateResponses: true }).get('/odd', {
      output: bad,
      pageTable: table,
    })
    const { status, body } = await get(api, '/odd')
    expect([status, body]).toEqual([
      500,
      {
        detail: 'GET /odd: the answer does not fit OddSlice: never: Field required',
        error: 'ResponseInvalid',
        code: 'SIM_RESPONSE_INVALID',
      },
    ])
  })

  it('counts scenarios and limits apart for each app', async () => {
    const declare = () => new SimAPI({ seed: 1 }).get('/x', { output: User, rateLimit: 1 })
    expect((await get(declare(), '/x')).status).toBe(200)
    expect((await get(declare(), '/x')).status).toBe(200)
  })
})

describe('CORS', () => {
  const origin = 'http://localhost:5173'

  it('answers preflight requests before anything else, and marks answers', async () => {
    const api = usersApi({ bearerTokens: ['t'] })
    const asks = { origin, 'access-control-request-method': 'GET' }
    const preflight = await get(api, '/users', asks, { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, origin])
    const answer = await get(api, '/users', { origin, authorization: 'Bearer t' })
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, origin])
  })

  it('lets only listed origins in', async () => {
    const api = usersApi({}, { cors: ['https://a.example'] })
    const allowed = async (from: string) =>
      (await get(api, '/users', { origin: from })).headers['access-control-allow-origin']
    expect(await allowed('https://a.example')).toBe('https://a.example')
    expect(await allowed('https://b.example')).not.toBe('https://b.example')
  })

  it('can be off: OPTIONS is answered with the methods of the path alone', async () => {
    const asks = { origin, 'access-control-request-method': 'GET' }
    const { status, headers } = await get(usersApi({}, { cors: false }), '/users', asks, {
      method: 'OPTIONS',
    })
    expect([status, headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS'])
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})
