import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { ErrorCase, ScenarioStep } from '../../src/engine/error-case.ts'
import { ComputedFrom } from '../../src/engine/links/computed-from.ts'
import { FromInput } from '../../src/engine/links/from-input.ts'
import { FromJsonFixture } from '../../src/engine/links/from-json-fixture.ts'
import { defineLink } from '../../src/engine/links/link.ts'
import { createRoute, type Method, type RouteDefinition } from '../../src/engine/route.ts'
import type { RouteOptions } from '../../src/engine/route-options.ts'
import { PaginatedResponse, list } from '../../src/engine/schema/list.ts'
import { checkModels, findShadowed, validateApp } from '../../src/loaders/validate-app.ts'

const User = Type.Object(
  { id: Type.String({ format: 'uuid' }), name: Type.String(FromInput('name')) },
  { title: 'User' },
)
const Named = Type.Object({ name: Type.String() })

async function findings(api: SimAPI): Promise<{ problems: string[]; warnings: string[] }> {
  const { problems, warnings } = await validateApp(api)
  return {
    problems: problems.map(({ message }) => message),
    warnings: warnings.map(({ message }) => message),
  }
}

describe('an app that works', () => {
  it('has its routes and links counted, and keeps its state', async () => {
    const api = new SimAPI({ seed: 1, stateful: true, validateLinks: true, validateResponses: true })
      .get('/users', { input: Named, output: list(User) })
      .post('/users', { input: Named, output: User, scenario: [ScenarioStep({ status: 503 })] })
      .get('/users/{id}', { output: User, input: Type.Object({ id: Type.String(), name: Type.String() }) })
      .get('/nested', {
        input: Named,
        output: Type.Object({ all: Type.Array(Type.Object({ a: Type.String(FromInput('name')) })) }),
      })
    const { problems, warnings, routes, links } = await validateApp(api)
    expect([problems, warnings, routes, links]).toEqual([[], [], 4, 4])
    expect(api.store.snapshot().collections).toEqual({})
  })

  it('may show stored items whose links an earlier request had fields for', async () => {
    const Item = Type.Object(
      { id: Type.Integer(), name: Type.String(FromInput('name')), city: Type.String(FromInput('city')) },
      { title: 'Item' },
    )
    const New = Type.Object({ name: Type.String(), city: Type.String() })
    const api = new SimAPI({ seed: 1, stateful: true, validateLinks: true })
      .get('/items', { output: list(Item) })
      .post('/items', { input: New, output: Item, status: 201 })
      .get('/items/{id}', { output: Item })
      .put('/items/{id}', { input: New, output: Item })
      .patch('/items/{id}', { input: Type.Object({ name: Type.String() }), output: Item })
      .delete('/items/{id}', { output: Item, status: 200 })
    expect(await findings(api)).toEqual({ problems: [], warnings: [] })
    expect(() => api.engine()).not.toThrow()
  })

  it('without routes is fine', async () => {
    expect(await validateApp(new SimAPI())).toEqual({
      problems: [],
      warnings: [],
      notes: [],
      routes: 0,
      links: 0,
    })
  })
})

describe('an app that does not work', () => {
  it('has all its problems reported, each with route, model and field', async () => {
    const Other = defineLink('other', () => 'word')
    const api = new SimAPI({ seed: 1 })
      .get('/unbound', { input: Type.Object({ nme: Type.String() }), output: User })
      .get('/circle', {
        output: Type.Object({ a: Type.String(ComputedFrom(['a'], String)) }, { title: 'Circle' }),
      })
      .get('/schema', { output: { title: 'Bad', type: 'object', properties: { a: { type: 'strnig' } } } })
      .get('/type', { output: Type.Object({ n: Type.Integer(Other()) }, { title: 'Typed' }) })
      .get('/fixture', {
        output: Type.Object(
          { n: Type.String(FromJsonFixture('./none.json', { pointer: '/a' })) },
          { title: 'Filed' },
        ),
      })
      .get('/endless', {
        output: { title: 'Endless', type: 'object', required: ['self'], properties: { self: { $ref: '#' } } },
      })
      .get('/thrown', {
        errors: [
          ErrorCase({
            when: () => {
              throw new Error('oops')
            },
            status: 404,
          }),
        ],
      })
      .get('/lost', { input: { type: 'object', properties: { a: { $ref: '#/$defs/A' } } } })
      .get('/good', { input: Named, output: User })
    const { problems, warnings } = await findings(api)
    expect(problems).toEqual([
      "GET /unbound: User.name: fromInput reads input field 'name', which the input model does not have. Did you mean 'nme'?",
      expect.stringMatching(/^GET \/circle: Circle.*circle: a → a$/),
      expect.stringMatching(/^GET \/schema: Bad\.a: type: Value must be equal to one of/),
      expect.stringMatching(/^GET \/fixture: Filed\.n: fromJsonFixture: .*none\.json is not there/),
      expect.stringMatching(/^GET \/lost: input: .*\$defs\/A/),
      expect.stringMatching(/^GET \/type: Typed\.n: its other link gave .word./),
      expect.stringMatching(/^GET \/endless: Endless requires itself without end/),
      'GET /thrown: oops',
    ])
    expect(warnings).toEqual([])
    const [first] = (await validateApp(api)).problems
    expect(first).toMatchObject({ kind: 'link', route: 'GET /unbound', model: 'User', field: 'name' })
  })

  it.for([
    [false, 'GET /users/{id}: User.age: its answer does not fit: Field required'],
    [true, 'GET /users/{id}: the answer does not fit User: age: Field required'],
  ] as const)(
    'gives answers that do not fit (validateResponses: %s)',
    async ([validateResponses, message]) => {
      const Aged = Type.Object({ id: Type.String(), age: Type.Integer() }, { title: 'User' })
      const api = new SimAPI({ seed: 1, stateful: true, validateResponses })
        .post('/users', { output: Type.Object({ id: Type.String() }) })
        .get('/users/{id}', { output: Aged })
      expect((await validateApp(api)).problems).toEqual([
        { kind: 'answer', route: 'GET /users/{id}', model: 'User', field: 'age', message },
      ])
    },
  )

  it('is warned of routes that are never reached and answers that cannot be seen', async () => {
    const api = new SimAPI({ seed: 1, stateful: true })
      .get('/f/{a}.{b}', {})
      .get('/f/{a}.json', {})
      .get('/lost/{id}', { output: User })
    expect(await findings(api)).toEqual({
      problems: [expect.stringMatching(/^GET \/lost\/\{id\}: User\.name: fromInput reads/)],
      warnings: [
        'GET /f/{a}.json: never reached, since GET /f/{a}.{b} answers its paths',
        expect.stringMatching(
          /^GET \/lost\/\{id\}: no answer could be sampled: answered 404: Not found \(no POST/,
        ),
      ],
    })
  })

  it('has links reported that nothing binds, in a stateful app too', async () => {
    const Item = Type.Object(
      {
        id: Type.Integer(),
        name: Type.String(FromInput('nmae')),
        label: Type.String(ComputedFrom(['x'], (x: unknown) => x)),
      },
      { title: 'Item' },
    )
    const api = new SimAPI({ seed: 1, stateful: true })
      .post('/items', { input: Named, output: Item })
      .get('/items/{id}', { output: Item })
      .get('/one', { output: Item })
    const { problems } = await findings(api)
    const reads = (key: string): string[] =>
      problems.filter((problem) => problem.startsWith(`${key}: `) && problem.includes("'nmae'"))
    expect(
      [reads('POST /items'), reads('GET /items/{id}'), reads('GET /one')].map(({ length }) => length),
    ).toEqual([1, 1, 1])
    expect(
      problems.some((problem) => problem.startsWith('GET /items/{id}: ') && problem.includes("'x'")),
    ).toBe(true)
  })

  it('reports the same route twice', async () => {
    class Doubled extends SimAPI {
      override get routes(): readonly RouteDefinition[] {
        return [...super.routes, ...super.routes]
      }
    }
    expect((await findings(new Doubled({ seed: 1 }).get('/x'))).problems).toEqual([
      "Duplicate GET endpoint registered for path '/x'",
    ])
  })
})

const messagesOf = (options: { input?: object; output?: object }): string[] =>
  checkModels(createRoute('POST', '/x', options)).map(({ message }) => message)

describe('models', () => {
  it.for([
    {},
    { output: Type.Object({ a: Type.String(FromInput('a')) }) },
    { output: PaginatedResponse(Type.Object({ a: Type.Integer() })) },
    { output: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' } },
    { output: { $defs: { A: { type: 'string' } }, properties: { a: { $ref: '#/$defs/A' } } } },
  ])('that are valid have no problems: %j', (options) => {
    expect(messagesOf(options)).toEqual([])
  })

  it('that are not valid are reported with route, model, field and keyword, all of them', () => {
    const output = {
      title: 'User',
      type: 'object',
      properties: {
        name: { type: 'strnig' },
        address: { type: 'object', properties: { zip: { type: 'string', minLength: -1 } } },
        many: { type: 'array', items: { minimum: 'low' } },
      },
    }
    expect(messagesOf({ input: { required: 'name' }, output })).toEqual([
      'POST /x: input: required: Value must be array',
      expect.stringMatching(/^POST \/x: User\.name: type: Value must be equal to one of the allowed values/),
      'POST /x: User.address.zip: minLength: Value must be >= 0',
      'POST /x: User.many: minimum: Value must be number',
    ])
  })

  it('that cannot be used are reported', () => {
    const output = { title: 'User', type: 'object', properties: { a: { $ref: '#/$defs/Missing' } } }
    expect(messagesOf({ output })).toEqual([expect.stringMatching(/^POST \/x: User: .*\$defs\/Missing/)])
    expect(messagesOf({ output: { title: 'M', type: 'string', pattern: '(' } })).toEqual([
      expect.stringMatching(/^POST \/x: M: .*Invalid regular expression/),
    ])
  })
})

const routeOf = (key: string, options: RouteOptions = {}): RouteDefinition => {
  const [method = '', path = ''] = key.split(/ (.*)/s)
  return createRoute(method as Method, path, options)
}
const shadowed = (...keys: readonly string[]): string[] =>
  findShadowed(keys.map((key) => routeOf(key))).map(({ message }) => message)

describe('shadowed routes', () => {
  it('are not those that share some paths', () => {
    expect(shadowed('GET /users/{id}', 'GET /users/me', 'POST /users/{id}', 'GET /users/{id}.json')).toEqual(
      [],
    )
    expect(shadowed('GET /files/{name}.json', 'GET /files/{name}.{ext}')).toEqual([])
    const counts = routeOf('GET /items', { when: { query: 'action', equals: 'count' } })
    const lists = routeOf('GET /items', { when: { query: 'action', equals: 'list' } })
    expect(findShadowed([counts, lists, routeOf('GET /{bucket}')])).toEqual([])
  })

  it('are those whose paths are all answered by another', () => {
    expect(shadowed('GET /files/{name}.{ext}', 'GET /files/{name}.json')).toEqual([
      'GET /files/{name}.json: never reached, since GET /files/{name}.{ext} answers its paths',
    ])
    expect(shadowed('GET /caf%C3%A9', 'GET /café')).toEqual([
      'GET /caf%C3%A9: never reached, since GET /café answers its paths',
    ])
  })
})
