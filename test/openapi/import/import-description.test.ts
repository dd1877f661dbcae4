import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { textFile } from '../../../src/data-files/text-file.ts'
import { importDescription } from '../../../src/openapi/import/import-description.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { answering, documentWith, importData, importFile, problemsOf, routeOf } from './read-file.ts'

describe('a description of OpenAPI 3.0', () => {
  const pets = importFile('pets.yaml')

  it('has a route for each operation below the base path of its first server', () => {
    expect(pets.routes.map(({ key }) => key)).toEqual([
      'GET /v1/pets',
      'POST /v1/pets',
      'GET /v1/pets/{petId}',
      'DELETE /v1/pets/{petId}',
      'HEAD /v1/pets/{petId}',
      'GET /v1/animals',
      'POST /v1/animals',
      'POST /upload/photos',
      'GET /v1/diff/{base}...{head}',
    ])
    expect(pets.problems).toEqual([])
  })

  it('names what it describes and is not simulated', () => {
    expect(pets.unused).toEqual([
      { kind: 'security scheme', name: 'digest' },
      { kind: 'callback', name: 'onSold' },
      { kind: 'link', name: 'GetPet' },
      { kind: 'external example', name: 'far' },
    ])
  })

  it('says where an operation stands', () => {
    expect(routeOf(pets, 'POST /v1/pets').operation.place).toMatch(/pets\.yaml:58 #\/paths\/~1pets\/post$/)
  })

  it('takes summary and tags, the status of the success and its model as options', () => {
    const { options } = routeOf(pets, 'GET /v1/pets')
    expect(options).toMatchObject({ summary: 'All pets', tags: ['pets'], status: 200 })
    expect(options.output).toMatchObject({ type: 'array', items: { $ref: '#/$defs/Pet' } })
    expect(routeOf(pets, 'DELETE /v1/pets/{petId}').options).toMatchObject({ status: 204 })
  })

  it('reads x-sim keys of document, path item and operation, the nearest first', () => {
    expect(routeOf(pets, 'GET /v1/pets').operation.stateful).toBe(true)
    expect(routeOf(pets, 'GET /v1/animals').operation.stateful).toBeUndefined()
  })
})

describe('a description of OpenAPI 3.1', () => {
  const library = importFile('library.json')

  it('has routes for OPTIONS and TRACE, and for path items that are components', () => {
    expect(library.routes.map(({ key }) => key)).toEqual([
      'GET /api/books',
      'POST /api/books',
      'TRACE /api/books',
      'OPTIONS /api/shelves/{shelf}',
      'GET /api/shelves/{shelf}',
    ])
    expect(library.unused).toEqual([{ kind: 'webhook', name: 'bookAdded' }])
    expect(library.problems).toEqual([])
  })

  it('answers with a class of statuses, or by default, where there is no other success', () => {
    expect(routeOf(library, 'POST /api/books').options.status).toBe(200)
    expect(routeOf(library, 'GET /api/shelves/{shelf}').options.output).toMatchObject({ title: 'Tree' })
  })
})

describe('a description of several files', () => {
  const shop = importFile('shop/openapi.yaml')

  it('is read from all of them', () => {
    expect(shop.routes.map(({ key }) => key)).toEqual(['GET /items', 'POST /items', 'GET /items/{item}'])
    expect(shop.files.map((file) => file.replace(/.*\/shop\//, ''))).toEqual([
      'openapi.yaml',
      'items.yaml',
      'parts.json',
      'schemas/item.yaml',
    ])
    expect(shop.problems).toEqual([])
  })

  it('resolves references relative to the file they stand in', () => {
    const { output } = routeOf(shop, 'POST /items').options
    expect(output).toMatchObject({
      properties: { price: { $ref: '#/$defs/Money' }, parts: { items: { $ref: '#/$defs/item' } } },
      $defs: { Money: { required: ['amount'] }, Maker: { properties: { makes: { $ref: '#/$defs/item' } } } },
    })
  })
})

it('leaves out headers of responses that HTTP cannot carry, and names them', () => {
  const headers = {
    'X-Größe': { schema: { const: 1 } },
    'X-A b': { schema: { const: 1 } },
    'X-C': { schema: { const: 1 } },
  }
  const responses = { 200: { description: 'ok', headers } }
  const imported = importData(documentWith({ '/a': { get: { responses } } }))
  const [rule] = routeOf(imported, 'GET /a').operation.responses
  expect(rule?.headers.map(({ name }) => name)).toEqual(['X-C'])
  expect(problemsOf(imported).join()).toMatch(/'X-Größe' cannot be the name of a header.*'X-A b' cannot be/s)
})

describe('a broken description', () => {
  it.for([
    [
      'dangling.yaml',
      'broken/dangling.yaml:11: #/paths/~1a/get/responses/200/content/application~1json/schema: refers to #/components/schemas/Gone: it is not there',
      2,
    ],
    [
      'circular-all-of.yaml',
      'broken/circular-all-of.yaml:13: #/components/schemas/A/allOf/0: is made of itself: its $ref or allOf leads back to it',
      1,
    ],
    [
      'invalid-schema.json',
      'broken/invalid-schema.json:15: #/paths/~1a/get/responses/200/content/application~1json/schema/properties/a/type: must be one of string, number, integer, boolean, object, array, null, or a list of them, not "strin"',
      1,
    ],
    [
      'duplicate-operation-id.yaml',
      "broken/duplicate-operation-id.yaml:8: #/paths/~1b/get/operationId: the operationId 'same' is taken by another operation",
      2,
    ],
    [
      'duplicate-path.yaml',
      'broken/duplicate-path.yaml:9: #/paths/~1a~1{name}/get: GET /a/{name} answers the same requests as another path of the description, which is served',
      2,
    ],
  ] as const)('names what is wrong with %s, and serves the rest', ([name, problem, routes]) => {
    const imported = importFile(`broken/${name}`)
    expect(problemsOf(imported)).toEqual([problem])
    expect(imported.routes).toHaveLength(routes)
    for (const { options } of imported.routes) expect(() => options.output).not.toThrow()
  })

  it('does not leave its directory', () => {
    expect(problemsOf(importFile('broken/outside.yaml'))).toEqual([
      expect.stringMatching(/^broken\/outside\.yaml:10: .* lies outside of the description's directory$/),
    ])
  })

  it('reads no pipe, which may have no end', async () => {
    using folder = temporaryFolder()
    const pipe = join(folder.path, 'endless.json')
    execFileSync('mkfifo', [pipe])
    const text = JSON.stringify(answering({ $ref: './endless.json#/A' }))
    const { problems } = importDescription(textFile(join(folder.path, 'api.json'), text))
    expect(problems.map(({ message }) => message)).toEqual([
      `refers to ./endless.json#/A: ${pipe} is not a file`,
    ])
  })

  it('does not fetch what lies elsewhere', () => {
    expect(problemsOf(importFile('broken/elsewhere.yaml'))).toEqual([
      expect.stringMatching(/pet\.json: references to other hosts are not followed: save the file beside/),
    ])
  })

  it('finds references that go round in a circle between files', () => {
    const imported = importFile('broken/circle-a.yaml')
    expect(problemsOf(imported)).toEqual([expect.stringContaining('is made of itself')])
    expect(imported.routes[0]?.options.output).toEqual({})
  })

  it.for([
    ['parameters', { parameters: [{ $ref: '#/components/parameters/A' }] }],
    ['requestBodies', { requestBody: { $ref: '#/components/requestBodies/A' } }],
    ['responses', { responses: { 200: { $ref: '#/components/responses/A' } } }],
    [
      'headers',
      { responses: { 200: { description: 'ok', headers: { a: { $ref: '#/components/headers/A' } } } } },
    ],
    ['callbacks', { callbacks: { a: { $ref: '#/components/callbacks/A' } } }],
  ] as const)('names %s that refer to each other in a circle', ([holder, operation]) => {
    const components = {
      [holder]: { A: { $ref: `#/components/${holder}/B` }, B: { $ref: `#/components/${holder}/A` } },
    }
    const post = { responses: { 200: { description: 'ok' } }, ...operation }
    const imported = importData({ ...documentWith({ '/a': { post } }), components })
    expect(problemsOf(imported)).toEqual([
      expect.stringMatching(`#/components/${holder}/.: is made of itself`),
    ])
    expect(imported.routes).toHaveLength(1)
  })

  it('names paths that refer to each other in a circle', () => {
    const imported = importData(
      documentWith({ '/a': { $ref: '#/paths/~1b' }, '/b': { $ref: '#/paths/~1a' } }),
    )
    expect(problemsOf(imported)).toEqual([expect.stringMatching(/#\/paths\/~1.: is made of itself/)])
  })

  it.for([
    ['a list', '- a\n- b', /not an OpenAPI description: it holds a list/],
    ['a text', 'hello', /not an OpenAPI description: it holds no object/],
    ['nothing', '', /not an OpenAPI description/],
    ['something else', 'routes: {}', /neither 'openapi' nor 'swagger'/],
    ['a version of the future', 'openapi: 4.0.0', /OpenAPI 4\.0\.0 is not supported/],
    ['a version of the past', 'swagger: "1.2"', /Swagger 1\.2 is not supported/],
    ['malformed YAML', 'openapi: 3.0.3\na: b: c', /api\.yaml:2: not valid YAML/],
    ['malformed JSON', '{"openapi": "3.0.3",\n"a": }', /api\.json:2: not valid JSON/],
    ['an endless alias', 'openapi: 3.0.3\na: &a { b: *a }', /alias stands within what it names/],
    ['deep nesting', `openapi: 3.0.3\na: ${'['.repeat(50_000)}`, /nested too deep/],
    [
      'deep nesting in JSON',
      `{"openapi": "3.0.3", "a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      /nested too deep/,
    ],
  ] as const)('is refused when it is %s', ([, text, message]) => {
    const file = text.startsWith('{') ? '/tmp/api.json' : '/tmp/api.yaml'
    expect(() => importDescription(textFile(file, text))).toThrow(message)
  })

  it('is refused when its aliases expand without bound', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const alias = level === 0 ? 'x' : `*a${level - 1}`
      return `a${level}: &a${level} [${Array.from({ length: 10 }, () => alias).join(', ')}]`
    })
    expect(() => importData(`openapi: 3.0.3\n${levels.join('\n')}`)).toThrow(/aliases expand to more than/)
  })

  it('is refused when it is YAML of 50 MB', () => {
    expect(() => importData(`openapi: 3.0.3\n${'# padding\n'.repeat(5_000_000)}`)).toThrow(/the most is/)
  })

  it('is served when it is JSON of 50 MB', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [
        `S${index}`,
        { type: 'string', description: 'x'.repeat(10_000) },
      ]),
    )
    const schema = { $ref: '#/components/schemas/S4999' }
    const paths = {
      '/a': {
        get: { responses: { 200: { description: 'A', content: { 'application/json': { schema } } } } },
      },
    }
    const text = JSON.stringify(documentWith(paths, { schemas }))
    expect(text.length).toBeGreaterThan(50_000_000)
    expect(importData(text).routes[0]?.options.output).toEqual({ title: 'S4999', type: 'string' })
  })

  it('is served in spite of a key that comes twice', () => {
    const imported = importData(
      'openapi: 3.0.3\npaths:\n  /a:\n    get: {responses: {200: {}}}\n    get: {responses: {201: {}}}',
    )
    expect(problemsOf(imported)).toEqual([expect.stringMatching(/api\.yaml:5: the key .get. comes twice/)])
    expect(imported.routes[0]?.options.status).toBe(201)
  })
})

it('names parts that have another form than they must', () => {
  const operation = { parameters: {}, responses: [], security: [{ none: [] }] }
  const imported = importData(
    documentWith({
      '/a': { get: operation },
      '/b': { get: 1 },
      c: {},
      '/d?x': {},
      '/e/{f': {},
      '/{g}/{g}': {},
    }),
  )
  const messages = problemsOf(imported).map((line) => line.replace(/^.*?: /, ''))
  expect(messages.toSorted()).toEqual([
    "#/paths/c: the path must start with '/'; it is not served",
    '#/paths/~1a/get/parameters: must be a list, not {}',
    '#/paths/~1a/get/responses: must be an object with names as keys, not []',
    "#/paths/~1a/get/security/0/none: there is no security scheme 'none'; it is not required",
    '#/paths/~1b/get: must be an operation, not 1',
    '#/paths/~1e~1{f: the path has a brace without its partner; it is not served',
    "#/paths/~1{g}~1{g}: the path names the parameter 'g' twice; it is not served",
  ])
  expect(imported.routes.map(({ key }) => key)).toEqual(['GET /a'])
})
