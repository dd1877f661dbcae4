import * as fc from 'fast-check'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/simulation/engine.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { createChecker } from '../../../src/engine/schema/checker.ts'
import { list } from '../../../src/engine/schema/list.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { type OpenApiDocument, type Operation, operationsIn } from '../../../src/openapi/export/document.ts'
import { toOpenApi } from '../../../src/openapi/export/to-openapi.ts'
import { ModelInvalid, OptionInvalid } from '../../../src/errors.ts'
import { arbitraryRoutes, TOKEN } from '../arbitrary-routes.ts'
import { bodyOf, documentOf, operationIn, problemsOf, routes } from '../documents.ts'
import { SimAPI } from '../../../src/api.ts'
import { createRoute, type RouteDefinition } from '../../../src/engine/route.ts'
import { importData, importFile } from '../import/read-file.ts'

const User = Type.Object({ id: Type.String(), name: Type.String(FromInput('name')) }, { title: 'User' })
const flags = fc.record({ stateful: fc.boolean(), verboseErrors: fc.boolean() })

/** The operation of a route, whatever names its path's parameters have in the document. */
function findOperation(
  document: OpenApiDocument,
  { method, path }: RouteDefinition,
): [string, Operation] | undefined {
  const shape = (template: string): string => template.replace(/\{[^{}]+\}/g, '{}')
  const [template, item] = Object.entries(document.paths).find(([each]) => shape(each) === shape(path)) ?? []
  const [, operation] = operationsIn(item ?? {}).find(([each]) => each === method) ?? []
  return template === undefined || operation === undefined ? undefined : [template, operation]
}

describe('toOpenApi', () => {
  it('describes other methods as OpenAPI 3.2 does, and reads them again', async () => {
    const methods = ['GET', 'PROPFIND', 'M-SEARCH', 'QUERY'] as const
    const document = toOpenApi(methods.map((method) => createRoute(method, '/files', {})))
    expect(document.openapi).toBe('3.2.0')
    expect(Object.keys(document.paths['/files'] ?? {})).toEqual(['get', 'additionalOperations', 'query'])
    expect(await problemsOf(document)).toEqual([])
    expect(importData(document).routes.map(({ method }) => method)).toEqual([
      'GET',
      'QUERY',
      'PROPFIND',
      'M-SEARCH',
    ])
  })

  it('makes a valid document of no routes', async () => {
    const document = toOpenApi([])
    expect(document).toEqual({
      openapi: '3.1.0',
      info: { title: 'Simulated API', version: '0.0.0' },
      paths: {},
    })
    expect(await problemsOf(document)).toEqual([])
  })

  it('says what the app says of itself', async () => {
    const info = {
      title: 'Shop',
      version: '2.1.0',
      description: 'Sells',
      servers: ['/api', 'https://a.test/{x}'],
    }
    const document = toOpenApi(
      routes(['GET', '/a', { tags: ['x', 'y'], bearerTokens: ['t'] }], ['GET', '/b', { tags: ['y'] }]),
      info,
    )
    expect(document.info).toEqual({ title: 'Shop', version: '2.1.0', description: 'Sells' })
    expect(document.servers).toEqual([{ url: '/api' }, { url: 'https://a.test/{x}' }])
    expect(document.tags).toEqual([{ name: 'x' }, { name: 'y' }])
    expect(document.components?.securitySchemes).toEqual({ bearerAuth: { type: 'http', scheme: 'bearer' } })
    expect(toOpenApi([], { servers: [] })).not.toHaveProperty('servers')
  })

  it('gives one path its methods, and routes one model', async () => {
    const document = toOpenApi(
      routes(
        ['GET', '/users', { output: list(User) }],
        ['POST', '/users', { input: Type.Object({ name: Type.String() }), output: User }],
        ['GET', '/users/{id}', { output: User }],
      ),
    )
    expect(Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ['/users', ['get', 'post']],
      ['/users/{id}', ['get']],
    ])
    expect(Object.keys(document.components?.schemas ?? {})).toEqual(['User', 'ValidationError'])
    expect(document.components?.schemas?.['User']).toMatchObject({
      properties: { name: { type: 'string', 'x-sim-link': { fromInput: 'name' } } },
    })
    expect(await problemsOf(document)).toEqual([])
  })

  it('leaves two different models of one name two names', () => {
    const Other = Type.Object({ id: Type.Integer() }, { title: 'User' })
    const document = toOpenApi(routes(['GET', '/a', { output: User }], ['GET', '/b', { output: Other }]))
    expect(bodyOf(operationIn(document, 'GET', '/a').responses[200])?.schema).toEqual({
      $ref: '#/components/schemas/User',
    })
    expect(bodyOf(operationIn(document, 'GET', '/b').responses[200])?.schema).toEqual({
      $ref: '#/components/schemas/User2',
    })
  })

  it('keeps data that JSON lacks out of the document', async () => {
    const output = {
      type: 'object',
      'x-sim-link': { custom: () => 1 },
      maxProperties: Infinity,
      default: { at: new Date(0) },
    }
    const document = documentOf('GET', '/x', {
      output,
      errors: [{ when: () => true, status: 400, detail: { a: undefined, b: 1 } }],
    })
    expect(bodyOf(operationIn(document, 'GET', '/x').responses[200])?.schema).toEqual({
      type: 'object',
      'x-sim-link': { custom: [] },
      default: { at: '1970-01-01T00:00:00.000Z' },
    })
    expect(await problemsOf(document)).toEqual([])
  })

  it('refuses a model that refers to what is not there', () => {
    expect(() => documentOf('GET', '/x', { output: { $ref: '#/$defs/None' } })).toThrow(ModelInvalid)
  })

  it('makes valid documents of any routes, with every route and path parameter in them', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRoutes, flags, async (declared, info) => {
        const document = toOpenApi(declared, info)
        expect(await problemsOf(document)).toEqual([])
        expect(JSON.parse(JSON.stringify(document))).toStrictEqual(document)
        for (const route of declared) {
          const [template = '', operation] = findOperation(document, route) ?? []
          const named = [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name)
          const inPath = (operation?.parameters ?? []).filter((parameter) => parameter.in === 'path')
          expect(inPath.map(({ name }) => name)).toEqual(named)
          expect(named).toHaveLength(route.parameters.length)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('never shows a bearer token', () => {
    fc.assert(
      fc.property(arbitraryRoutes, flags, (declared, info) => {
        const examples = new Map(declared.map(({ key }) => [key, { echo: [`Bearer ${TOKEN}`] }]))
        const isGuarded = declared.some(({ options }) => options.bearerTokens?.includes(TOKEN) === true)
        const text = JSON.stringify(toOpenApi(declared, info, examples))
        expect(isGuarded && text.includes(TOKEN)).toBe(false)
      }),
    )
  })

  it('documents the bodies that the engine answers with', () => {
    fc.assert(
      fc.property(arbitraryRoutes, fc.integer(), (declared, seed) => {
        const document = toOpenApi(declared)
        const engine = createEngine({ routes: declared, seed })
        for (const route of declared) {
          const path = route.path.replace(/\{[^{}]+\}/g, '1')
          const call = {
            method: route.method,
            scheme: 'http',
            host: 'x',
            path,
            search: '',
            headers: {},
          } as const
          const { status, body } = engine.answer({ route, params: {} }, call, {})
          const response = findOperation(document, route)?.[1].responses[status]
          const schema = bodyOf(response)?.schema
          expect(response).toBeDefined()
          if (body === undefined || schema === undefined || typeof schema === 'boolean') continue
          const whole: Schema = { ...schema, components: document.components }
          expect(createChecker(whole).check(body)).toEqual([])
        }
      }),
    )
  })
})

describe('an app that a document describes', () => {
  it('is described by it', () => {
    const { routes, document } = importFile('library.json')
    expect(new SimAPI().addRoutes(routes, document).openapi()).toEqual(document())
  })

  it('has a title, a version and servers of its own where its options say so', () => {
    const { routes, document } = importFile('library.json')
    const api = new SimAPI({ title: 'Mine', version: '9', servers: ['https://mine.example'] })
    const described = api.addRoutes(routes, document).openapi()
    expect(described.info).toEqual({ title: 'Mine', version: '9' })
    expect(described.servers).toEqual([{ url: 'https://mine.example' }])
  })

  it('is described with its other routes, which have names of their own', () => {
    const { routes, document } = importFile('pets.yaml')
    const Pet = { title: 'Pet', type: 'object', properties: { wild: { type: 'boolean' } } }
    const api = new SimAPI().addRoutes(routes, document).get('/wild', { output: Pet, bearerTokens: ['t'] })
    const { paths, components } = api.openapi()
    expect(Object.keys(paths)).toEqual([...Object.keys(document().paths), '/wild'])
    expect(paths['/wild']?.get).toMatchObject({
      servers: [{ url: '/' }],
      security: [{ bearerAuth: [] }],
      responses: {
        200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet2' } } } },
      },
    })
    expect(components?.schemas?.['Pet']).toEqual(document().components?.schemas?.['Pet'])
    expect(components?.securitySchemes).toMatchObject({ bearerAuth: {}, basic: {} })
  })

  it('shows sampled answers where the document has no examples', () => {
    const { routes, document } = importFile('pets.yaml')
    const api = new SimAPI().addRoutes(routes, document)
    const examples = new Map([
      ['GET /v1/pets', ['sampled']],
      ['GET /v1/animals', ['sampled']],
    ])
    const text = JSON.stringify(api.openapi(examples))
    expect(text.match(/"example":\["sampled"\]/g)).toHaveLength(1)
    expect(api.openapi()).toEqual(document())
  })

  it('has one description only', () => {
    const { routes, document } = importFile('library.json')
    const api = new SimAPI().addRoutes(routes, document)
    expect(() => api.addRoutes([], document)).toThrow(OptionInvalid)
    expect(() => api.addRoutes(routes)).toThrow(/Duplicate GET endpoint/)
  })
})
