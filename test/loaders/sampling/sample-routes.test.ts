import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { ErrorCase, ScenarioStep } from '../../../src/engine/error-case.ts'
import { ComputedFrom } from '../../../src/engine/links/computed-from.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { list, PageParams, PaginatedResponse } from '../../../src/engine/schema/list.ts'
import { createRoute, type Method } from '../../../src/engine/route.ts'
import { findCreator, sampleRoutes, type Sample } from '../../../src/loaders/sampling/sample-routes.ts'

const NewUser = Type.Object({
  name: Type.String({ minLength: 1 }),
  age: Type.Integer({ minimum: 18, maximum: 99 }),
})
const User = Type.Object(
  { id: Type.String({ format: 'uuid' }), name: Type.String(FromInput('name')), age: Type.Integer() },
  { title: 'User' },
)

async function only(api: SimAPI): Promise<Sample> {
  const [sample] = await sampleRoutes(api)
  return sample as Sample
}
async function statuses(api: SimAPI): Promise<Record<string, unknown>> {
  const samples = await sampleRoutes(api)
  return Object.fromEntries(
    samples.map((sample) => [sample.route.key, sample.kind === 'answered' ? sample.status : sample.reason]),
  )
}

describe('sampling', () => {
  it('answers every method, with bodies, queries and paths made from the models', async () => {
    const api = new SimAPI({ seed: 1 })
      .get('/users', { input: PageParams, output: PaginatedResponse(User) })
      .get('/users/{id}', {
        output: Type.Object({ id: Type.String({ format: 'uuid', ...FromInput('id') }) }),
      })
      .post('/users', { input: NewUser, output: User, status: 201 })
      .put('/users/{id}', { input: NewUser, output: User })
      .patch('/users/{id}', { input: NewUser, output: User })
      .delete('/users/{id}')
      .post('/ping')
      .get('/teapot', { status: 418, output: Type.Object({}) })
    expect(await statuses(api)).toEqual({
      'GET /users': 200,
      'GET /users/{id}': 200,
      'POST /users': 201,
      'PUT /users/{id}': 200,
      'PATCH /users/{id}': 200,
      'DELETE /users/{id}': 204,
      'POST /ping': 200,
      'GET /teapot': 418,
    })
  })

  it('shows each route what there is before anything was changed', async () => {
    const headers = { 'content-type': 'application/json' }
    const answer = (after: string) => ({
      when: { url: '/things' },
      after,
      status: 200,
      headers,
      body: { after },
    })
    const api = new SimAPI({ seed: 1 })
      .post('/things', { answers: [{ when: { url: '/things' }, status: 201, body: {} }] })
      .get('/things', { answers: [answer('none')], nearest: 'failures', output: { const: 'changed' } })
    const samples = await sampleRoutes(api)
    expect(samples.at(-1)).toMatchObject({ body: { after: 'none' } })
  })

  it('meets no chaos and uses none of it up', async () => {
    const api = new SimAPI({ seed: 1 }).get('/x', {
      output: User,
      errorRate: 1,
      latencyMs: 60_000,
      jitterMs: 10,
      rateLimit: 1,
      scenario: [ScenarioStep({ status: 503 }), ScenarioStep({ status: 200 })],
      bearerTokens: ['secret'],
    })
    expect(await only(api)).toMatchObject({
      kind: 'answered',
      status: 200,
      body: { id: expect.any(String) as unknown },
    })

    const scenario = new SimAPI({ seed: 1 }).get('/x', {
      scenario: [ScenarioStep({ status: 503 }), ScenarioStep({ status: 200 })],
    })
    await sampleRoutes(scenario)
    const app = scenario.asWebApp()
    expect([(await app.inject('/x')).statusCode, (await app.inject('/x')).statusCode]).toEqual([503, 200])
  })

  it('finds items in a stateful app, of nested collections too, and stores none in it', async () => {
    const Team = Type.Object({ id: Type.Integer(), name: Type.String() })
    const api = new SimAPI({ seed: 1, stateful: true })
      .get('/users', { output: list(User) })
      .get('/users/{id}', { output: User })
      .post('/users', { input: NewUser, output: User })
      .put('/users/{id}', { input: NewUser, output: User })
      .patch('/users/{id}', { input: NewUser, output: User })
      .delete('/users/{user}')
      .post('/orgs/{org_id}/teams', { output: Team })
      .get('/orgs/{org}/teams/{team}', { output: Team })
      .put('/notes/{id}', { output: Team })
      .get('/notes/{id}', { output: Team })
    const samples = await sampleRoutes(api)
    expect(samples.filter(({ kind }) => kind !== 'answered')).toEqual([])
    expect(samples[0]).toMatchObject({ body: [{ id: expect.any(String) as unknown }] })
    expect(samples[5]).toMatchObject({ status: 204, body: undefined })
    expect(api.store.snapshot().collections).toEqual({})
  })

  it('says why an item could not be found', async () => {
    const api = new SimAPI({ seed: 1, stateful: true })
      .get('/lost/{id}', { output: User })
      .get('/found/{id}', { output: User })
      .post('/found', {
        output: User,
        errors: [ErrorCase({ when: () => true, status: 409, detail: 'taken' })],
      })
      .get('/odd/{id}', { output: User })
      .post('/odd', {
        input: Type.Object({ a: Type.Integer({ minimum: 1, maximum: 3, not: { enum: [1, 2, 3] } }) }),
        output: User,
      })
    expect(await statuses(api)).toEqual({
      'GET /lost/{id}': 'answered 404: Not found (no POST or PUT route is declared that creates an item)',
      'GET /found/{id}': 'answered 404: Not found (POST /found, which creates items, answered 409: taken)',
      'POST /found': 'answered 409: taken',
      'GET /odd/{id}':
        'answered 404: Not found (POST /odd, which creates items: no input was found that fits its input model)',
      'POST /odd': 'no input was found that fits its input model',
    })
  })

  it('tries other inputs where a mapped error speaks of one', async () => {
    const input = Type.Object({ kind: Type.Union([Type.Literal('a'), Type.Literal('b')]) })
    for (const refused of ['a', 'b']) {
      const errors = [ErrorCase({ when: ({ kind }) => kind === refused, status: 500, detail: 'refused' })]
      const sample = await only(new SimAPI({ seed: 1 }).post('/x', { input, errors }))
      expect(sample.kind).toBe('answered')
    }
    const errors = [ErrorCase({ when: () => true, status: 500, detail: 'always' })]
    const sample = await only(new SimAPI({ seed: 1 }).post('/x', { input, errors }))
    expect(sample).toMatchObject({ kind: 'refused', reason: 'answered 500: always' })
  })

  it.for([
    [
      'a link of the wrong type',
      {
        output: Type.Object({ n: Type.Integer(FromInput('id')) }, { title: 'M' }),
        input: Type.Object({ id: Type.Literal('word') }),
      },
      /M\.n: its fromInput link gave .word./,
    ],
    [
      'a link that throws',
      {
        output: Type.Object({
          a: Type.String(
            ComputedFrom([], () => {
              throw new Error('oops')
            }),
          ),
        }),
      },
      /oops/,
    ],
    [
      'an error case that throws',
      {
        errors: [
          ErrorCase({
            when: () => {
              throw new Error('bad predicate')
            },
            status: 404,
          }),
        ],
      },
      /^bad predicate$/,
    ],
    [
      'a model without values',
      { output: Type.Object({ a: Type.Integer({ enum: [] }) }, { title: 'M' }) },
      /^(GET .*: )?M\b/,
    ],
    [
      'an input model without values',
      { input: { type: 'object', required: ['self'], properties: { self: { $ref: '#' } } } },
      /requires itself without end/,
    ],
  ] as const)('fails for %s and says why', async ([, options, reason]) => {
    expect(await only(new SimAPI({ seed: 1 }).get('/x/{id}', options))).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(reason) as unknown,
    })
  })

  it('says what of the input was refused', async () => {
    const input = Type.Object({ filter: Type.Object({ a: Type.Integer() }) })
    expect(await only(new SimAPI({ seed: 1 }).get('/x', { input }))).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/^answered 422: query\.filter: /) as unknown,
    })
  })

  it('of some routes leaves the others alone, and comes out the same each time', async () => {
    const circle = Type.Object({
      a: Type.String(ComputedFrom(['b'], String)),
      b: Type.String(ComputedFrom(['a'], String)),
    })
    for (const stateful of [false, true]) {
      const api = new SimAPI({ stateful }).get('/circle', { output: circle }).post('/users', { output: User })
      const [, users] = api.routes
      if (users === undefined) throw new Error('no route')
      const first = await sampleRoutes(api, [users])
      expect(first).toEqual([
        { kind: 'answered', route: users, status: 200, body: expect.any(Object) as unknown },
      ])
      expect(await sampleRoutes(api, [users])).toEqual(first)
      await expect(sampleRoutes(api)).rejects.toThrow(/circle/)
    }
  })
})

const routes = [
  'GET /users',
  'POST /users/',
  'GET /users/{id}',
  'PUT /users/{user}',
  'POST /orgs/{org}/teams',
  'GET /orgs/{o}/teams/{id}',
  'GET /notes',
  'GET /notes/{id}',
  'PUT /notes/{note}',
  'DELETE /nothing/{id}',
].map((key) => {
  const [method = '', path = ''] = key.split(' ')
  return createRoute(method as Method, path, {})
})
const creatorOf = (key: string): string | undefined => {
  const route = routes.find((each) => each.key === key)
  return route === undefined ? 'no such route' : findCreator(route, routes)?.key
}

describe('the route that creates items', () => {
  it.for([
    ['GET /users', 'POST /users/'],
    ['GET /users/{id}', 'POST /users/'],
    ['PUT /users/{user}', 'POST /users/'],
    ['GET /orgs/{o}/teams/{id}', 'POST /orgs/{org}/teams'],
    ['GET /notes/{id}', 'PUT /notes/{note}'],
    ['PUT /notes/{note}', undefined],
    ['GET /notes', undefined],
    ['POST /users/', undefined],
    ['DELETE /nothing/{id}', undefined],
  ] as const)('for %s is %s', ([key, expected]) => {
    expect(creatorOf(key)).toBe(expected)
  })
})
