import { describe, expect, it } from 'vitest'
import { sample } from '../inference/samples.ts'
import type { When } from '../../../src/routing/condition.ts'
import type { Content, Operation, Parameter } from '../../../src/engine/operation.ts'
import { createRoute } from '../../../src/engine/route.ts'
import { list, Paged } from '../../../src/engine/schema/list.ts'
import {
  compareOutput,
  declaredBaseline,
  declaredInput,
} from '../../../src/recording/drift/declared-baseline.ts'

describe('declared baseline', () => {
  const User = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
  const routes = [
    createRoute('GET', '/users/{id}', {
      output: User,
      input: User,
      errors: [{ when: () => true, status: 410 }],
      errorCodes: [503],
    }),
    createRoute('DELETE', '/users/{id}', {}),
  ]

  it('knows what the options of a route say', () => {
    const found = declaredBaseline(routes, true)(sample(0, 'GET /users/7'))
    expect(found).toMatchObject({ name: 'GET /users/{id}', statuses: [200, 410, 503, 400, 422, 404] })
    expect(found?.answer(200)?.compare?.({ id: '7' })).toMatchObject([{ pointer: '/id' }])
    expect(found?.answer(410)).toEqual({ types: [], headers: [] })
    expect(found?.answer(500)).toBeUndefined()
  })

  it('says nothing of the parts of XML that is modelled as a text', () => {
    const compare = compareOutput({ type: 'string', contentMediaType: 'text/xml', const: '<a/>' })
    expect(compare({ a: {} })).toEqual([])
    expect(compareOutput({ type: 'string' })({ a: {} })).toHaveLength(1)
  })

  it('knows the list of a page by its model, whatever else is called items', () => {
    const output = Paged({
      type: 'object',
      properties: { items: { type: 'integer' }, data: { type: 'array', items: { type: 'string' } } },
    })
    expect(compareOutput(output)({ items: 25, data: ['a'] })).toEqual([])
    expect(compareOutput(output)({ items: 25, data: [1] })).toMatchObject([{ pointer: '/data/-' }])
  })

  it.each<readonly [string, When, object, Readonly<Record<string, string>>]>([
    ['a header', { header: 'X-Amz-Target', equals: 'Db.Put' }, {}, { 'x-amz-target': 'Db.Put' }],
    ['a query field', { query: 'action', equals: 'list' }, {}, {}],
    ['a member', { pointer: '/method', equals: 'add' }, { body: { method: 'add' } }, {}],
    [
      'a form field',
      { form: 'Action', equals: 'Send' },
      { body: { Action: 'Send' } },
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    [
      'an XML element',
      { element: '/Envelope/Body/*', equals: 'Pay' },
      { body: '<s:Envelope xmlns:s="x"><s:Body><Pay/></s:Body></s:Envelope>' },
      { 'content-type': 'text/xml' },
    ],
    ['a selection', { selection: 'query { user }' }, { body: { query: 'query { user }' } }, {}],
    [
      'JSON of another type',
      { pointer: '/a', equals: 1 },
      { body: '{"a":1}' },
      { 'content-type': 'text/plain' },
    ],
  ])('finds the operation that %s names', (_, when, request, headers) => {
    const baseline = declaredBaseline(
      [createRoute('POST', '/', { when, status: 201 }), createRoute('GET', '/', {})],
      false,
    )
    const requested = sample(0, 'POST /?action=list', request, headers)
    expect(baseline(requested)?.statuses).toEqual([201])
    expect(baseline(sample(0, 'POST /?action=other'))).toBeUndefined()
    expect(baseline({ method: 'POST', origin: 'http://any', segments: [''] })?.statuses).toEqual([201])
  })

  it('expects 204 of a deletion, and 404 only of what is stored', () => {
    expect(declaredBaseline(routes, false)(sample(0, 'DELETE /users/7'))?.statuses).toEqual([204])
  })

  it('expects both statuses of a PUT that makes or replaces', () => {
    const put = createRoute('PUT', '/users/{id}', { status: 201, item: { again: 204 } })
    expect(declaredBaseline([put], false)(sample(0, 'PUT /users/7'))?.statuses).toEqual([201, 204])
  })

  it('knows the answers of a description by status, class and default', () => {
    const content = (type: string): Content => new Map([[type, { model: User, examples: [] }]])
    const header = { name: 'X-Id', required: true, model: {}, examples: [] }
    const [route] = routes
    const operation = {
      place: '',
      parameters: [],
      security: [],
      responses: [
        { status: 200 as const, content: content('application/json; charset=utf-8'), headers: [header] },
        { status: '4XX' as const, content: content('application/problem+json'), headers: [] },
      ],
    }
    const found = declaredBaseline(
      [{ ...(route as NonNullable<typeof route>), operation }],
      false,
    )(sample(0, 'GET /users/7'))
    expect(found?.statuses).toEqual([200, '4XX'])
    expect(found?.answer(200)).toMatchObject({ types: ['application/json'], headers: ['x-id'] })
    expect(found?.answer(404)?.types).toEqual(['application/problem+json'])
    expect(found?.answer(500)).toBeUndefined()
  })
})

describe('declared input', () => {
  const Input = {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      page: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['id', 'page'],
  }

  it('reads the query as the model asks for, and leaves the path alone', () => {
    const { query, body } = declaredInput(createRoute('GET', '/users/{id}', { input: Input }))
    expect(query?.({ page: '2', tags: 'a' })).toEqual([])
    expect(query?.({ page: 'two', sort: 'up' })).toMatchObject([
      { change: 'type changed', pointer: '/page' },
      { change: 'field added', pointer: '/sort' },
    ])
    expect(query?.({})).toMatchObject([{ change: 'field removed', pointer: '/page' }])
    expect(body).toBeUndefined()
  })

  it('compares the body of other methods', () => {
    const { query, body } = declaredInput(createRoute('POST', '/users/{id}', { input: Input }))
    expect(body?.({ page: 2 })).toEqual([])
    expect(body?.({ page: '2' })).toMatchObject([{ change: 'type changed', pointer: '/page' }])
    expect(query).toBeUndefined()
  })

  it('says nothing of a route without an input model', () => {
    expect(declaredInput(createRoute('GET', '/users', {}))).toEqual({})
  })

  it('knows the parameters of a description, its keys and the parts of objects', () => {
    const parameter = (name: string, more: Partial<Parameter> = {}): Parameter => ({
      ...{ name, in: 'query', required: false, style: 'form', explode: true, model: { type: 'integer' } },
      ...more,
    })
    const operation: Operation = {
      place: '',
      parameters: [
        parameter('page', { required: true }),
        parameter('filter', { style: 'deepObject', model: { type: 'object' } }),
        parameter('X-Id', { in: 'header' }),
      ],
      responses: [],
      security: [[{ name: 'key', kind: 'apiKey', in: 'query', field: 'api_key' }]],
    }
    const { query } = declaredInput({ ...createRoute('GET', '/users', {}), operation })
    expect(query?.({ page: '1', api_key: 'k', 'filter[state]': 'open' })).toEqual([])
    expect(query?.({ page: 'x', 'X-Id': '1' })).toMatchObject([
      { change: 'type changed', pointer: '/page' },
      { change: 'field added', pointer: '/X-Id' },
    ])
    const none = declaredInput({
      ...createRoute('GET', '/users', {}),
      operation: { ...operation, parameters: [], security: [] },
    })
    expect(none.query?.({ any: '1' })).toMatchObject([{ change: 'field added', pointer: '/any' }])
  })
})

describe('compare output', () => {
  const Node = {
    $defs: { name: { type: 'string' } },
    type: 'object',
    properties: { name: { $ref: '#/$defs/name' }, children: { type: 'array', items: { $ref: '#' } } },
    required: ['name'],
  }

  it('compares items of a list with their own model, whose references stay as they were', () => {
    const compare = compareOutput(list(Node))
    expect(compare([{ name: 'a', children: [{ name: 'b' }] }])).toEqual([])
    expect(compare([{ name: 1 }, { name: 2, children: [{}] }])).toMatchObject([
      { change: 'type changed', pointer: '/-/name' },
      { change: 'field removed', pointer: '/-/children/-/name' },
    ])
    expect(compare({ items: [] })).toMatchObject([{ change: 'type changed', pointer: '' }])
  })

  it('compares pages field by field', () => {
    const page = {
      'x-sim-page': 'offset',
      type: 'object',
      properties: { items: { type: 'array', items: Node }, total: { type: 'integer' } },
      required: ['items', 'total'],
    }
    expect(compareOutput(page)({ items: [{ name: 1 }], total: '1' })).toMatchObject([
      { change: 'type changed', pointer: '/total' },
      { change: 'type changed', pointer: '/items/-/name' },
    ])
  })
})
