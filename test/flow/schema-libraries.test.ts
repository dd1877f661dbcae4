import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FromInput, list, PageParams, PageSlice, PaginatedResponse, SimAPI } from '../../src/index.ts'
import { createClient, type Client } from '../../src/testing/client.ts'
import { testEndpoint } from '../../src/testing/test-endpoint.ts'

declare global {
  interface ArkEnv {
    meta(): { readonly 'x-sim-link'?: object }
  }
}

type Accepts = (value: unknown) => boolean

const link = FromInput('name')
const ZodUser = z.object({
  id: z.uuid(),
  name: z.string().min(1).meta(link),
  email: z.email(),
  age: z.number().int().min(18).max(120),
  role: z.enum(['admin', 'member']),
  nickname: z.string().optional(),
})
const ArkUser = type({
  id: 'string.uuid',
  name: type('string > 0').configure(link),
  email: 'string.email',
  age: '18 <= number.integer <= 120',
  role: "'admin' | 'member'",
  'nickname?': 'string',
})
const ValibotUser = v.object({
  id: v.pipe(v.string(), v.uuid()),
  name: v.pipe(v.string(), v.minLength(1), v.metadata(link)),
  email: v.pipe(v.string(), v.email()),
  age: v.pipe(v.number(), v.integer(), v.minValue(18), v.maxValue(120)),
  role: v.picklist(['admin', 'member']),
  nickname: v.optional(v.string()),
})

const LIBRARIES = [
  {
    library: 'Zod',
    User: ZodUser,
    Query: z.object({ name: z.string().min(2).optional(), size: z.coerce.number<string>().int().default(3) }),
    accepts: ((value) => ZodUser.safeParse(value).success) as Accepts,
  },
  {
    library: 'ArkType',
    User: ArkUser,
    Query: type({ 'name?': 'string >= 2', size: 'number.integer = 3' }),
    accepts: ((value) => !(ArkUser(value) instanceof type.errors)) as Accepts,
  },
  {
    library: 'Valibot',
    User: toStandardJsonSchema(ValibotUser),
    Query: toStandardJsonSchema(
      v.object({
        name: v.optional(v.pipe(v.string(), v.minLength(2))),
        size: v.optional(v.pipe(v.number(), v.integer()), 3),
      }),
    ),
    accepts: ((value) => v.safeParse(ValibotUser, value).success) as Accepts,
  },
]

let client: Client | undefined
afterEach(() => client?.close())

describe.for(LIBRARIES)('models of $library', ({ User, Query, accepts }) => {
  const api = new SimAPI({ seed: 5, validateResponses: true })
    .get('/users', { input: Query, output: list(User), listCount: 'size' })
    .get('/users/{id}', { output: User })
    .post('/users', { input: User, output: User })
    .get('/pages', { input: PageParams, output: PaginatedResponse(User) })
    .get('/slices', { output: PageSlice(User) })
  const get = async (path: string): Promise<{ status: number; body: unknown }> => {
    client ??= createClient(api)
    const response = await client.fetch(path)
    return { status: response.status, body: await response.json() }
  }
  afterEach(() => {
    client = undefined
  })

  it('answer with what the library itself accepts, links bound', async () => {
    const { status, body } = await get('/users?name=Ann&size=3')
    expect(status).toBe(200)
    expect(body).toHaveLength(3)
    expect((body as object[]).filter((user) => !accepts(user))).toEqual([])
    expect(body).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ name: 'Ann' })))
  })

  it('refuse input that does not fit', async () => {
    expect(await get('/users?name=A')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'name'] }] },
    })
    expect(await get('/users?size=many')).toMatchObject({ status: 422 })
  })

  it('are pages as well', async () => {
    for (const path of ['/pages', '/slices']) {
      const { items } = (await get(path)).body as { items: unknown[] }
      expect(items.length).toBeGreaterThan(0)
      expect(items.filter((item) => !accepts(item))).toEqual([])
    }
  })

  it('hold for every endpoint', async () => {
    for (const { method, path } of api.routes) await testEndpoint(api, { method, path, numRuns: 20 })
    await testEndpoint(api, { method: 'POST', path: '/users', input: User, output: User, numRuns: 20 })
  })

  it('are in the OpenAPI document', () => {
    expect(JSON.stringify(api.openapi().paths['/users/{id}'])).toContain('"nickname"')
  })
})
