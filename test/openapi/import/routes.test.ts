import { describe, expect, it } from 'vitest'
import { textFile } from '../../../src/data-files/text-file.ts'
import { importDescription } from '../../../src/openapi/import/import-description.ts'
import { documentWith, importData, importFile, problemsOf, routeOf } from './read-file.ts'

const OK = { 200: { description: 'A' } }
const pets = importFile('pets.yaml')

describe('the path of an operation', () => {
  it.for([
    [undefined, '/a'],
    [[], '/a'],
    [[{ url: 'https://h.example' }], '/a'],
    [[{ url: 'https://h.example/' }], '/a'],
    [[{ url: '/v1/' }, { url: '/v2' }], '/v1/a'],
    [[{ url: '//h.example/v1?x=1#y' }], '/v1/a'],
    [[{ url: 'v1/./b/../' }], '/v1/b/a'],
    [
      [
        {
          url: 'https://{host}:{port}/{base}/{gone}',
          variables: { base: { default: 'x' }, port: { default: 1 } },
        },
      ],
      '/x/a',
    ],
    [[{}], '/a'],
  ])('below the servers %o is %s', ([servers, path]) => {
    const document = { ...documentWith({ '/a': { get: { responses: OK } } }), servers }
    expect(importData(document).routes[0]?.path).toBe(path)
  })

  it('has the hosts of its servers, where they are absolute', () => {
    const servers = [
      { url: 'https://API.example/v1' },
      { url: 'http://{where}.example:81', variables: { where: { default: 'a', enum: ['a', 'b'] } } },
      ...[{ url: '/v2' }, { url: '//other.example' }, {}],
    ]
    const document = { ...documentWith({ '/a': { get: { responses: OK } } }), servers }
    expect(importData(document).routes[0]?.operation?.origins).toEqual([
      ...['https://api.example', 'http://a.example:81', 'http://b.example:81'],
    ])
  })

  it('has no blanks around it', () => {
    const document = documentWith({ ' /a': { get: { responses: OK } }, '/b ': { get: { responses: OK } } })
    expect(importData(document).routes.map(({ path }) => path)).toEqual(['/a', '/b'])
  })

  it.for([
    ['/a?kind=one', 'query kind one'],
    ['/a?q={q}', 'query q '],
    ['/a#upload', undefined],
  ] as const)('asks for what %s says after it', ([path, condition]) => {
    const route = importData(documentWith({ [path]: { get: { responses: OK } } })).routes[0]
    expect([
      route?.path,
      route?.when?.map(({ place, name, equals = '' }) => `${place} ${name} ${String(equals)}`).join(),
    ]).toEqual(['/a', condition])
  })

  it('is below the servers of the operation, or else of the path item', () => {
    const server = (url: string): object => ({ servers: [{ url }] })
    const paths = {
      '/a': { ...server('/item'), get: { responses: OK }, put: { ...server('/own'), responses: OK } },
    }
    expect(importData({ ...documentWith(paths), ...server('/all') }).routes.map(({ path }) => path)).toEqual([
      '/item/a',
      '/own/a',
    ])
  })
})

describe('the parameters of an operation', () => {
  it('have the style of their place, and what their schema says', () => {
    const { parameters } = routeOf(pets, 'GET /v1/pets').operation
    expect(
      parameters.map(({ name, in: place, style, explode, required }) => [
        place,
        name,
        style,
        explode,
        required,
      ]),
    ).toEqual([
      ['query', 'limit', 'form', true, false],
      ['query', 'tags', 'pipeDelimited', false, false],
      ['query', 'where', 'deepObject', false, false],
      ['query', 'filter', 'form', true, false],
      ['header', 'X-Tenant', 'simple', false, true],
      ['cookie', 'sid', 'form', true, false],
    ])
    expect(parameters[3]).toMatchObject({ mediaType: 'application/json', model: { type: 'object' } })
  })

  it('take the place of those of the path item', () => {
    const { parameters } = routeOf(pets, 'GET /v1/pets/{petId}').operation
    expect(parameters.map(({ name }) => name)).toEqual(['petId', 'verbose'])
    expect(parameters[1]).toMatchObject({ required: true, model: { enum: ['yes', 'no'] } })
  })

  it('are any text where the path names them and nothing describes them', () => {
    const imported = importData(documentWith({ '/a/{id}': { get: { responses: OK } } }))
    expect(problemsOf(imported)).toEqual([
      expect.stringContaining("the path's parameter 'id' is not described"),
    ])
    expect(imported.routes[0]?.operation?.parameters).toMatchObject([
      { name: 'id', model: { type: 'string' } },
    ])
  })

  it('are reported when they cannot be', () => {
    const parameters = [
      { name: 'q', in: 'query' },
      { name: 'q', in: 'query' },
      { name: 'gone', in: 'path', required: true },
      { name: 'where' },
    ]
    const imported = importData(documentWith({ '/a': { get: { parameters, responses: OK } } }))
    expect(problemsOf(imported).map((line) => line.replace(/^.*parameters\//, ''))).toEqual([
      "1: the query parameter 'q' comes twice",
      "2: the path has no parameter 'gone'",
      '3: a parameter needs a name, and as in: path, query, header or cookie',
    ])
    expect(imported.routes[0]?.operation?.parameters.map(({ name }) => name)).toEqual(['q'])
  })
})

describe('the responses of an operation', () => {
  it('have examples by name, wherever they are', () => {
    const [success] = routeOf(pets, 'GET /v1/pets').operation.responses
    expect(success?.content.get('application/json')?.examples).toEqual([
      { name: 'none', value: [] },
      {
        name: 'two',
        value: [
          { id: 1, name: 'Rex' },
          { id: 2, name: 'Tom' },
        ],
      },
    ])
    expect(success?.content.get('text/csv')?.examples).toEqual([{ name: 'default', value: 'id,name' }])
    expect(success?.headers).toMatchObject([
      { name: 'X-Total', required: true, model: { minimum: 0 }, examples: [{ name: 'default', value: 7 }] },
      { name: 'Link', required: false, model: { type: 'string' }, examples: [] },
    ])
  })

  it.for<[string, unknown, unknown]>([
    ['object', '{ "a": 1 }', { a: 1 }],
    ['array', '[1]', [1]],
    ['object', '{ a', '{ a'],
    ['string', '{ "a": 1 }', '{ "a": 1 }'],
  ])('have the example of an %s whose JSON is a text, %j', ([type, value, wanted]) => {
    const content = { 'application/json': { schema: { type }, examples: { one: { value } } } }
    const document = documentWith({ '/a': { get: { responses: { 200: { description: 'A', content } } } } })
    const [response] = importData(document).routes[0]?.operation?.responses ?? []
    expect(response?.content.get('application/json')?.examples).toEqual([{ name: 'one', value: wanted }])
  })

  it.for<[object, unknown[]]>([
    [{ example: 1 }, [1]],
    [{ examples: [1, 2], default: 3 }, [1, 2, 3]],
    [{ example: { $ref: '#/components/examples/E' } }, [{ a: 1 }]],
    [{ $ref: '#/components/schemas/S' }, ['s']],
    [{}, []],
  ])('have the examples of the schema %o', ([schema, values]) => {
    const content = { 'application/json': { schema } }
    const components = {
      examples: { E: { value: { a: 1 } } },
      schemas: { S: { type: 'string', example: 's' } },
    }
    const document = documentWith(
      { '/a': { get: { responses: { 200: { description: 'A', content } } } } },
      components,
      '3.1.0',
    )
    const [response] = importData(document).routes[0]?.operation?.responses ?? []
    const examples = response?.content.get('application/json')?.examples ?? []
    expect(examples.map(({ value }) => value)).toEqual(values)
    expect(examples.map(({ name }) => name)).toEqual(
      ['default', 'default2', 'default3'].slice(0, values.length),
    )
  })

  it('have a content that the description writes once and refers to', () => {
    const content = { $ref: '#/components/mediaTypes/all' }
    const document = documentWith(
      {
        '/a': {
          post: { requestBody: { content }, responses: { 200: { description: 'A', content } } },
        },
      },
      { mediaTypes: { all: { 'application/json': { schema: { type: 'integer' } } } } },
    )
    const operation = importData(document).routes[0]?.operation
    expect([...(operation?.responses[0]?.content.keys() ?? [])]).toEqual(['application/json'])
    expect([...(operation?.body?.content.keys() ?? [])]).toEqual(['application/json'])
  })

  it('have statuses, classes of them and a default', () => {
    expect(routeOf(pets, 'GET /v1/pets').operation.responses.map(({ status }) => status)).toEqual([
      200,
      '4XX',
      'default',
    ])
  })
})

describe('the security of an operation', () => {
  it("is its own, or else the document's", () => {
    expect(routeOf(pets, 'GET /v1/pets').operation.security).toEqual([[{ name: 'bearer', kind: 'bearer' }]])
    expect(routeOf(pets, 'DELETE /v1/pets/{petId}').operation.security).toEqual([])
    expect(routeOf(pets, 'POST /v1/pets').operation.security).toEqual([
      [{ name: 'key', kind: 'apiKey', in: 'header', field: 'X-Api-Key' }],
      [
        { name: 'bearer', kind: 'bearer' },
        { name: 'basic', kind: 'basic' },
      ],
      [],
    ])
  })

  it('asks for bearer tokens where OAuth 2 and OpenID Connect do, and for nothing that is not checked', () => {
    const securitySchemes = {
      o: { type: 'oauth2', flows: {} },
      c: { type: 'openIdConnect' },
      d: { type: 'http', scheme: 'digest' },
    }
    const operation = { security: [{ o: [] }, { c: [] }, { d: [] }], responses: OK }
    const { routes } = importData(documentWith({ '/a': { get: operation } }, { securitySchemes }))
    expect(routes[0]?.operation?.security).toEqual([
      [{ name: 'o', kind: 'bearer' }],
      [{ name: 'c', kind: 'bearer' }],
      [],
    ])
  })
})

describe('the x-sim keys of a description', () => {
  const document = {
    'x-sim-options': { list_count: 1, error_rate: 0 },
    'x-sim-latency-ms': 1,
    'x-sim-stateful': true,
    ...documentWith({
      '/a': {
        'x-sim-list-count': 2,
        get: { 'x-sim-options': { latency_ms: 3 }, responses: OK },
        put: {
          'x-sim-list-count': 4,
          'x-sim-options': { list_count: 5 },
          'x-sim-stateful': false,
          responses: OK,
        },
      },
    }),
  }

  it('are read together, the nearest first', () => {
    const read: object[] = []
    const { routes } = importDescription(textFile('/tmp/a.json', JSON.stringify(document)), (data) => {
      read.push(data)
      return { listCount: 9 }
    })
    expect(read).toEqual([
      { list_count: 2, error_rate: 0, latency_ms: 3 },
      { list_count: 4, error_rate: 0, latency_ms: 1 },
    ])
    expect(routes.map(({ options }) => options.listCount)).toEqual([9, 9])
    expect(routes.map(({ operation }) => operation?.stateful)).toEqual([true, false])
  })

  it('are reported by their place when they cannot be', () => {
    const imported = importDescription(textFile('/tmp/a.json', JSON.stringify(document)), (_data, report) => {
      report(['latency_ms'], 'is wrong')
      return {}
    })
    expect(problemsOf(imported)).toEqual([
      '/tmp/a.json:1: #/paths/~1a/get/x-sim-options/latency_ms: the option latency_ms: is wrong',
      '/tmp/a.json:1: #/x-sim-latency-ms: the option latency_ms: is wrong',
    ])
  })
})
