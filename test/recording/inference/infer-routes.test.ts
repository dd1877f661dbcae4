import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHiddenApi } from './hidden-api.ts'
import { askHiddenApi } from './hidden-traffic.ts'
import { samplesOf } from './samples.ts'
import type { InferredRoute } from '../../../src/recording/inference/infer-route.ts'
import { type Inference, inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { readScalar } from '../../../src/recording/inference/values.ts'

describe('infer routes', () => {
  /** The fields that the hidden API takes from requests; all others that equal one do so by chance. */
  const ECHOES = [
    'POST /users name<-name',
    'POST /users role<-role',
    'GET /users [].role<-role',
    'GET /users/{id} id<-id',
    'PATCH /users/{id} id<-id',
    'PATCH /users/{id} name<-name',
    'GET /search query<-q',
    'GET /search language<-lang',
    'GET /reports/{day} day<-day',
    'GET /orgs/{org}/members [].org<-org',
    'GET /orgs/{org}/members [].team<-team',
    'POST /quotes symbol<-symbol',
    'POST /quotes quantity<-quantity',
    'POST /quotes tenant<-x-tenant',
    'GET /products/{sku} sku<-sku',
  ]

  const app = createHiddenApi()
  let inference: Inference
  let unseen: readonly Sample[]

  beforeAll(async () => {
    inference = inferRoutes(await askHiddenApi(app, 200, 5))
    unseen = await askHiddenApi(app, 100, 99)
  })
  afterAll(() => app.close())

  it('finds the twelve routes', () => {
    expect(inference.routes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'DELETE /users/{id}',
      'GET /events',
      'GET /orgs/{org}/members',
      'GET /products/{sku}',
      'GET /reports/{day}',
      'GET /search',
      'GET /status',
      'GET /users',
      'GET /users/{id}',
      'PATCH /users/{id}',
      'POST /quotes',
      'POST /users',
    ])
  })

  it('finds every echo and takes none of the decoys for one', () => {
    const found = inference.routes.flatMap(({ method, path, echoes }) =>
      echoes.map(({ field, source }) => `${method} ${path} ${field}<-${source.name}`),
    )
    expect(found.toSorted()).toEqual(ECHOES.toSorted())
    const ranges = inference.routes.flatMap((route) =>
      route.ranges.map(({ field }) => `${route.path} ${field}`),
    )
    expect(ranges).toEqual(['/events [].at'])
  })

  it('accepts exchanges that it never saw', () => {
    const refused = unseen.filter((sample) => !accepts(inference.routes, sample))
    process.stdout.write(
      `unseen exchanges accepted by the inferred models: ${unseen.length - refused.length} of ${unseen.length}\n`,
    )
    expect([unseen.length, refused.length <= 5]).toEqual([100, true])
  })

  it('finds the collection, and what was there before', () => {
    expect(inference.resources.map(({ path }) => path)).toEqual(['/users/{id}'])
    const [seeds] = inference.resources.map((resource) => resource.seeds.get('/users') ?? [])
    expect(seeds?.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('explains the failure of one value', () => {
    const { errors } = inference.routes.find(({ path }) => path === '/products/{sku}') as InferredRoute
    expect(errors).toMatchObject([{ field: 'sku', equals: 'sold-out', status: 410, detail: 'Gone' }])
  })

  it('says the same of the same samples', async () => {
    const samples = await askHiddenApi(createHiddenApi(), 120, 3)
    expect(JSON.stringify(inferRoutes(samples))).toBe(JSON.stringify(inferRoutes(samples)))
  })

  const ajv = addFormats.default(new Ajv2020({ strict: false, logger: false }))

  // By models alone: the input fits, and so does the answer of a success.
  function accepts(routes: readonly InferredRoute[], sample: Sample): boolean {
    const path = `/${sample.segments.join('/')}`
    const route = routes.find(
      (each) =>
        each.method === sample.method && new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    )
    if (route === undefined) return false
    if (sample.status >= 400) return true
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
    const at = route.path.split('/').slice(1)
    const params = names.map((name) => [name, readScalar(sample.segments[at.indexOf(`{${name}}`)] ?? '')])
    const query = Object.entries(sample.query).map(([name, value]) => [name, readScalar(String(value))])
    const input = { ...(sample.body as object | undefined), ...Object.fromEntries([...query, ...params]) }
    if (route.input !== undefined && !ajv.validate(route.input, input)) return false
    if (route.output === undefined) return sample.response === undefined
    const items = route.output.form === 'list' ? (sample.response as readonly unknown[]) : [sample.response]
    return items.every((item) => ajv.validate(route.output?.model ?? {}, item))
  }
})

describe('listed', () => {
  const page = (number: number, ids: readonly number[], total: number, more = '') =>
    [`GET /things?page=${number}${more}`, { response: { data: ids.map((id) => ({ id })), total } }] as const

  it('keeps a list that was seen from its beginning, in its own order', () => {
    const { resources } = inferRoutes(samplesOf(page(2, [3, 4], 5), page(1, [1, 2], 5)))
    expect(resources).toMatchObject([{ collection: '/things', confirmed: 2, contradicted: 0 }])
    expect([...(resources[0]?.seeds ?? [])]).toEqual([['/things', [1, 2, 3, 4].map((id) => ({ id }))]])
  })

  it('leaves a list to its model of which a part or little is known, or which is requested in other ways', () => {
    for (const pages of [
      [page(1, [1, 2], 9), page(2, [3, 4], 9)],
      [page(1, [1, 2], 6), page(3, [5, 6], 6)],
      [page(1, [1, 2], 4), page(2, [3, 4], 4), page(1, [4], 1, '&q=x')],
    ])
      expect(inferRoutes(samplesOf(...pages)).resources).toEqual([])
  })

  it('answers all below the root of a service, requested or not, and each service for itself', () => {
    const service = (name: string) => ({ '@odata.context': `$metadata#${name}`, value: [{ Id: 1, name }] })
    const routes = inferRoutes(
      samplesOf(
        ['GET /a/v4/Cars', { response: service('Cars') }],
        ['DELETE /a/v4/Cars(1)', { status: 204 }],
        ['GET /b/Dogs', { response: service('Dogs') }],
        ['GET /other', { response: { fine: true } }],
      ),
    ).routes.map(({ method, path, calls }) => [`${method} ${path}`, Object.keys(calls?.types ?? {})])
    expect(Object.fromEntries(routes)).toEqual({
      ...{ 'GET /a/v4/Cars': ['Cars'], 'DELETE /a/v4/Cars({id})': ['Cars'] },
      ...{ 'GET /a/v4/{path*}': ['Cars'], 'DELETE /a/v4/{path*}': ['Cars'] },
      ...{ 'GET /b/Dogs': ['Dogs'], 'GET /b/{path*}': ['Dogs'], 'GET /other': [] },
    })
  })
})

it('calls a parameter by the id of its items, though that is the id of another item by chance', () => {
  const book = (id: number) => ({ title: `book ${id}`, authorId: id, id })
  const reads = [1, 2, 3].map((id) => [`GET /books/${id}`, { response: book(id) }] as const)
  expect(inferRoutes(samplesOf(...reads)).routes.map(({ path }) => path)).toEqual(['/books/{id}'])
})
