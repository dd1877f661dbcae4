import { describe, expect, it } from 'vitest'
import { importData, importFile, problemsOf, routeOf } from './read-file.ts'

const orders = importFile('orders.json')

describe('a Swagger 2.0 description', () => {
  it('is served below its base path', () => {
    expect(orders.problems).toEqual([])
    expect(orders.routes.map(({ key }) => key)).toEqual([
      'GET /v2/orders',
      'POST /v2/orders',
      'PUT /v2/orders/{id}/proof',
      'POST /v2/orders/{id}/proof',
    ])
  })

  it('has lists in its query as collectionFormat says', () => {
    const { parameters } = routeOf(orders, 'GET /v2/orders').operation
    expect(parameters.map(({ name, style, explode }) => [name, style, explode])).toEqual([
      ['limit', 'form', true],
      ['status', 'form', true],
      ['ids', 'form', false],
      ['pipes', 'pipeDelimited', false],
    ])
    expect(parameters[0]?.model).toEqual({ type: 'integer', exclusiveMaximum: 50 })
    expect(parameters[1]?.model).toEqual({ type: 'array', items: { type: 'string', enum: ['open', 'done'] } })
  })

  it('names the lists that are separated by tabs, which cannot be read', () => {
    const list = (name: string, place: string): object => ({
      ...{ name, in: place, type: 'array', items: { type: 'string' }, collectionFormat: 'tsv' },
    })
    const post = { parameters: [list('ids', 'query'), list('tags', 'formData')], responses: {} }
    const { unused } = importData({ swagger: '2.0', info: {}, paths: { '/a': { post } } })
    expect(unused.map(({ kind, name }) => `${kind}: ${name}`).toSorted()).toEqual([
      'collection format: tsv of ids',
      'collection format: tsv of tags',
    ])
  })

  it('has a body of each type it consumes', () => {
    const { body } = routeOf(orders, 'POST /v2/orders').operation
    expect(body?.required).toBe(true)
    expect([...(body?.content.keys() ?? [])]).toEqual(['application/json', 'application/xml'])
    expect(body?.content.get('application/json')?.model).toMatchObject({ title: 'Order', required: ['kind'] })
  })

  it('makes one body of form fields', () => {
    const upload = routeOf(orders, 'PUT /v2/orders/{id}/proof').operation.body
    expect([...(upload?.content ?? [])]).toMatchObject([
      [
        'multipart/form-data',
        {
          model: {
            properties: { file: { type: 'string', format: 'binary' }, labels: { type: 'array' } },
            required: ['file'],
          },
          encoding: { labels: { style: 'form', explode: false } },
        },
      ],
    ])
    const note = routeOf(orders, 'POST /v2/orders/{id}/proof').operation.body
    expect([...(note?.content.keys() ?? [])]).toEqual(['application/x-www-form-urlencoded'])
  })

  it('answers each type that the operation, or else the document, produces', () => {
    const { responses } = routeOf(orders, 'GET /v2/orders').operation
    expect([...(responses[0]?.content.keys() ?? [])]).toEqual(['application/json', 'text/csv'])
    expect(responses[0]?.content.get('application/json')?.examples).toEqual([
      { name: 'default', value: [{ id: 1, kind: 'Order' }] },
    ])
    expect(responses[0]?.headers).toMatchObject([{ name: 'X-Total', model: { type: 'integer', minimum: 1 } }])
    expect([...(responses[1]?.content.keys() ?? [])]).toEqual(['application/json'])
  })

  it('has an example for a range in each type of it that is produced', () => {
    const answered = (produces: string[], examples: object): [string, unknown][] => {
      const get = { produces, responses: { 200: { description: 'A', schema: { type: 'string' }, examples } } }
      const imported = importData({
        swagger: '2.0',
        info: { title: 'T', version: '1' },
        paths: { '/a': { get } },
      })
      const content = routeOf(imported, 'GET /a').operation.responses[0]?.content ?? new Map<string, never>()
      return [...content].map(([type, { examples: shown }]) => [type, shown[0]?.value])
    }
    expect(answered(['text/plain', 'text/csv'], { '*/*': 'a', 'text/csv': 'b' })).toEqual([
      ['text/plain', 'a'],
      ['text/csv', 'b'],
    ])
    expect(answered(['*/*'], { '*/*': 'a' })).toEqual([['*/*', 'a']])
  })

  it('has the security of its definitions', () => {
    expect(routeOf(orders, 'GET /v2/orders').operation.security).toEqual([
      [{ name: 'key', kind: 'apiKey', in: 'query', field: 'api_key' }],
    ])
    expect(routeOf(orders, 'POST /v2/orders').operation.security).toEqual([
      [{ name: 'basic', kind: 'basic' }],
      [{ name: 'oauth', kind: 'bearer', scopes: ['read'] }],
    ])
    expect(orders.document().components?.securitySchemes).toMatchObject({
      oauth: { 'x-kept': true, flows: { authorizationCode: { tokenUrl: 'https://o.example/t' } } },
    })
  })

  it('keeps its x- keys', () => {
    expect(orders.document()).toMatchObject({ 'x-sim-list-count': 2 })
    expect(orders.document().paths['/orders']).toMatchObject({ get: { 'x-sim-latency-ms': 0 } })
  })

  it('has a body of its own in an operation, whatever its path item has', () => {
    const formData = (name: string): object => ({ name, in: 'formData', type: 'string' })
    const operation = (parameters: object[]): object => ({
      parameters,
      responses: { 200: { description: 'A' } },
    })
    const paths = {
      '/a': { post: operation([formData('own')]), put: operation([]), parameters: [formData('above')] },
    }
    const imported = importData({ swagger: '2.0', info: { title: 'T', version: '1' }, paths })
    const fieldsOf = (key: string): string[] => {
      const [media] = [...(routeOf(imported, key).operation.body?.content.values() ?? [])]
      return Object.keys((media?.model?.['properties'] as object | undefined) ?? {})
    }
    expect(fieldsOf('POST /a')).toEqual(['own'])
    expect(fieldsOf('PUT /a')).toEqual(['above'])
  })

  it('is reported by the places of its own text', () => {
    const paths = {
      '/a': {
        get: {
          parameters: [{ name: 'q', in: 'query', type: 'strin' }],
          responses: { 200: { description: 'A', schema: { $ref: '#/definitions/Gone' } } },
        },
        post: {
          parameters: [{ name: 'b', in: 'body', schema: { $ref: '#/definitions/B' } }],
          responses: { 200: { description: 'A' } },
        },
      },
    }
    const definitions = { B: { type: 'object', properties: { p: { type: 'date' } } } }
    const text = JSON.stringify({ swagger: '2.0', info: {}, paths, definitions }, undefined, 1)
    const problems = problemsOf(importData(text)).map((line) =>
      line.replace(/^.*?:(\d+)/, '$1').replace(/: [^#]*$/, ''),
    )
    expect(problems).toEqual([
      '11: #/paths/~1a/get/parameters/0/type',
      '17: #/paths/~1a/get/responses/200/schema: refers to #/definitions/Gone',
      '46: #/definitions/B/properties/p/type',
    ])
  })
})
