import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/engine/schema/checker.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { MODEL_SCRIPT } from '../../../src/openapi/docs-page/model-script.ts'
import { functionsOf } from './page.ts'

interface ModelScript {
  typeText(document: object, schema: unknown): string
  sampleOf(document: object, schema: unknown): unknown
  sampleText(document: object, parameter: object): string
  urlOf(base: string, path: string, parameters: readonly object[], values: readonly string[]): string
  curlOf(method: string, url: string, guarded: boolean, body: string): string
  compact(text: string): string
  operationsByGroup(document: object): Map<string, { path: string; method: string }[]>
}
const { typeText, sampleOf, sampleText, urlOf, curlOf, compact, operationsByGroup } =
  functionsOf<ModelScript>(MODEL_SCRIPT, [
    'typeText',
    'sampleOf',
    'sampleText',
    'urlOf',
    'curlOf',
    'compact',
    'operationsByGroup',
  ])
const user = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, friend: { $ref: '#/components/schemas/User' } },
}
const document = { components: { schemas: { User: user, 'a~b': { type: 'boolean' } } } }

describe("the page's script for models", () => {
  it.for<[unknown, string]>([
    [{ type: 'string', format: 'date', minLength: 2 }, 'string (date, length ≥ 2)'],
    [{ type: 'array', items: { $ref: '#/components/schemas/User' } }, 'list of User'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ anyOf: [{ type: 'integer', minimum: 1 }, { const: 'x' }] }, 'integer (≥ 1) | "x"'],
    [{ enum: ['a', null] }, '"a" | null'],
    [{}, 'anything'],
    [true, 'anything'],
    [false, 'nothing'],
  ])('says of %j: %s', ([schema, text]) => {
    expect(typeText(document, schema)).toBe(text)
  })

  it.for<Schema>([
    { type: 'string', minLength: 9, maxLength: 12 },
    { type: 'string', maxLength: 2 },
    { type: 'integer', minimum: 10 },
    { type: 'integer', exclusiveMinimum: 10, multipleOf: 4 },
    { type: 'number', maximum: -3 },
    { type: 'integer', exclusiveMaximum: 0 },
    { type: ['null', 'boolean'] },
    { type: 'null' },
    { enum: ['a', 'b'] },
    { const: 4 },
    { type: 'string', default: 'x' },
    { type: 'array', minItems: 3, items: { type: 'integer' } },
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
    { anyOf: [{ type: 'null' }, { type: 'integer' }] },
    {
      allOf: [{ properties: { a: { type: 'integer' } }, required: ['a'] }, { properties: { b: {} } }],
      properties: { c: {} },
    },
    { oneOf: [{ properties: { a: {} }, required: ['a'] }], properties: { b: {} }, required: ['b'] },
    ...['date-time', 'date', 'time', 'duration', 'email', 'uuid', 'uri', 'hostname', 'ipv4', 'ipv6'].map(
      (format) => ({ type: 'string', format }),
    ),
  ])('finds a sample of %j that fits it', (schema) => {
    expect(createChecker(schema).check(sampleOf({}, schema))).toEqual([])
  })

  it('ends the sample of a model that contains itself', () => {
    const sample = JSON.stringify(sampleOf(document, { $ref: '#/components/schemas/User' }))
    expect(sample).toBe('{"id":1,"friend":{"id":1,"friend":{"id":1,"friend":{"id":1}}}}')
    const endless = { type: 'array', items: { $ref: '#/components/schemas/Endless' } }
    const text = JSON.stringify(sampleOf({ components: { schemas: { Endless: endless } } }, endless))
    expect(text).toMatch(/^\[+\]+$/)
  })

  it('follows references as pointers are written', () => {
    expect(sampleOf(document, { $ref: '#/components/schemas/a~0b' })).toBe(true)
    expect(sampleOf(document, true)).toBe('text')
    expect(sampleOf(document, { $ref: '#/components/none/x' })).toBe('text')
  })

  it('writes samples of parameters as texts', () => {
    expect(sampleText({}, { in: 'path', schema: { type: 'string' } })).toBe('1')
    expect(sampleText({}, { in: 'query', schema: { type: 'string' } })).toBe('text')
    expect(
      sampleText({}, { in: 'query', schema: { type: 'array', minItems: 2, items: { type: 'integer' } } }),
    ).toBe('1,1')
  })

  it('puts values into path and query, and leaves empty ones out', () => {
    const parameters = [
      { name: 'id', in: 'path' },
      { name: 'tag', in: 'query', explode: true },
      { name: 'q', in: 'query' },
      { name: 'none', in: 'query' },
    ]
    const url = urlOf('http://a.test/', '/users/{id}/x', parameters, ['a/b', 'x, y', 'ö&c', ''])
    expect(url).toBe('http://a.test/users/a%2Fb/x?tag=x&tag=y&q=%C3%B6%26c')
    expect(urlOf('', '/users/{id}', [], [])).toBe('/users/')
  })

  it('writes a curl line that a shell reads as meant', () => {
    expect(curlOf('POST', 'http://a.test/x', true, compact('{\n "name": "O\'Hara"\n}'))).toBe(
      `curl -X POST 'http://a.test/x' -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"name":"O'\\''Hara"}'`,
    )
    expect(curlOf('GET', 'http://a.test/x', false, '')).toBe("curl -X GET 'http://a.test/x'")
    expect(compact('not json')).toBe('not json')
  })

  it('groups operations by their first tag, and by the first part of the path without one', () => {
    const paths = {
      '/users/{id}': { get: {}, delete: { tags: ['admin'] } },
      '/users': { post: {} },
      '/': { get: {} },
    }
    const groups = [...operationsByGroup({ paths })].map(([group, each]) => [
      group,
      each.map(({ method, path }) => `${method} ${path}`),
    ])
    expect(groups).toEqual([
      ['/users', ['GET /users/{id}', 'POST /users']],
      ['admin', ['DELETE /users/{id}']],
      ['/', ['GET /']],
    ])
  })
})
