import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadTarget } from '../../../src/loaders/load-target.ts'
import type { SimAPI } from '../../../src/api.ts'
import { RouteFileInvalid } from '../../../src/errors.ts'
import { temporaryFolder, type TemporaryFolder } from '../../temporary-folder.ts'

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

async function load(text: string, name = 'api.yaml'): Promise<SimAPI> {
  folder.write(name, text)
  const target = await loadTarget(name, folder.path)
  if (target.kind !== 'api') throw new Error('a document is an app of declared routes')
  return target.api
}

async function problemsOf(text: string, name = 'api.yaml'): Promise<readonly string[]> {
  const error: unknown = await load(text, name).catch((caught: unknown) => caught)
  if (!(error instanceof RouteFileInvalid)) throw error
  return error.problems.map((problem) => problem.replace(`${folder.path}/`, ''))
}

describe('what is wrong with a file of routes', () => {
  it('is reported all at once, with line, key and what may be meant', async () => {
    const problems = await problemsOf(`options: { sed: 42, list_count: many }
models:
  User:
    type: objekt
    properties:
      name: { type: string, x-sim-link: { fromInpt: name } }
      boss: { $ref: '#/models/Usr' }
routes:
  GET /users:
    output: { list: { $ref: '#/models/User' } }
    lst_count: 3
    error_rate: 3
    errors:
      - { when: { feld: name, equals: nobody }, status: 422 }
    scenario: [{ status: 200, detial: x }]
    page_table: { pages: { one: [] } }
  GTE /users/{id}:
  users:
storee: 1
`)
    expect(problems).toEqual([
      "api.yaml:1: options: unknown key 'sed'. Did you mean 'seed'?",
      'api.yaml:1: options: list_count must be a whole number, 0 or more, not "many"',
      expect.stringMatching(
        /^api\.yaml:4: models\.User\.type: Value must be equal to one of the allowed values/,
      ),
      "api.yaml:6: models.User.properties.name.x-sim-link: no such link: 'fromInpt'. Did you mean 'fromInput'?",
      "api.yaml:7: models.User.properties.boss.$ref: names no model: '#/models/Usr'. Did you mean 'User'?",
      "api.yaml:11: GET /users: lst_count: no such option. Did you mean 'list_count'?",
      'api.yaml:12: GET /users: error_rate: must be a number from 0 to 1, not 3',
      expect.stringMatching(/^api\.yaml:14: GET \/users: errors\.0\.status: must be any status but 422/),
      "api.yaml:14: GET /users: errors.0.when.feld: unknown key. Did you mean 'field'?",
      'api.yaml:14: GET /users: errors.0.when: needs field',
      "api.yaml:15: GET /users: scenario.0.detial: unknown key. Did you mean 'detail'?",
      "api.yaml:16: GET /users: page_table: pages must have a first page, under the key ''",
      "api.yaml:17: GTE /users/{id}: 'GTE' is not a method. Did you mean 'GET'?",
      "api.yaml:18: users: a route's key is a method and a path, such as 'GET /users/{id}'",
      "api.yaml:19: storee: unknown key. Did you mean 'store'?",
    ])
  })

  it.for([
    ['seed: 1\n', /^api\.yaml:1: neither a file of routes, which has routes: at its top, nor an OpenAPI/],
    ['', /neither a file of routes/],
    ['- 1\n', /neither a file of routes/],
    ['models: {}\nroute: {}\n', /^api\.yaml:2: route: unknown key\. Did you mean 'routes'\?$/],
    ['routes: 3\n', /^api\.yaml:1: routes: must be options by method and path, not 3$/],
    ['routes:\n  GET /a: 3\n', /^api\.yaml:2: GET \/a: must be options with values, not 3$/],
    ['routes:\n  GET /a: {}\n  GET /a: {}\n', /^api\.yaml:3: the key 'GET \/a' comes twice$/],
    ['routes:\n  GET /a/{x}: {}\n  GET /a/{y}: {}\n', /^api\.yaml:3: GET \/a\/{y}: Duplicate GET endpoint/],
    ['routes:\n  GET /a/{x: {}\n', /^api\.yaml:2: GET \/a\/\{x: the path has a brace without its partner$/],
    [
      'routes:\n  GET /a:\n    seed_from: x\n',
      /^api\.yaml:3: GET \/a: seed_from: names the input field 'x', which is not/,
    ],
    [
      'routes:\n  GET /a: { input: { type: string } }\n',
      /^api\.yaml:2: GET \/a: input: must be a model of an object/,
    ],
    ['routes:\n  GET /a: { output: 3 }\n', /^api\.yaml:2: GET \/a: output: must be a JSON Schema, not 3$/],
    ['models: 3\nroutes: {}\n', /^api\.yaml:1: models: must be JSON Schemas by name, not 3$/],
    [
      'routes: { GET /a: { output: { x-sim-link: { fromJsonFixture: { path: a, pointer: b, base: / } } } } }\n',
      /: fromJsonFixture takes .*; not base$/,
    ],
    [
      'routes: { GET /a: { output: { x-sim-link: { fromNestedFixture: { path: a, pointer: b, index: x } } } } }\n',
      /; index cannot be "x"$/,
    ],
    [
      'routes: { GET /a: { errors: [{ when: { fits: { type: x } }, status: 400 }] } }\n',
      /errors\.0\.when\.fits\.type: Value must/,
    ],
    [
      'routes: {}\nstore: { /users: [] }\n',
      /^api\.yaml:2: store\.\/users: No route with an output model answers/,
    ],
    [
      'routes: { GET /a: { output: { list: { type: object } } } }\nstore:\n  /a:\n    - 3\n',
      /^api\.yaml:3: store\.\/a: item 0 must be an object$/,
    ],
    [
      'routes: { GET /a: { output: { list: {} } } }\nstore: { /a: { path: no.json } }\n',
      /^api\.yaml:2: store\.\/a: no\.json is not there/,
    ],
    ['routes: [', /^api\.yaml:1: not valid YAML/],
  ] as const)('is reported in %j', async ([text, message]) => {
    expect(await problemsOf(text)).toContainEqual(expect.stringMatching(message))
  })

  it('is reported of JSON as well', async () => {
    const text =
      '{\n  "routes": {\n    "GET /a": {\n      "errors": [\n        { "status": 400 }\n      ]\n    }\n  }\n}'
    expect(await problemsOf(text, 'api.json')).toEqual(['api.json:5: GET /a: errors.0: needs when'])
    expect(await problemsOf('{ "routes": }', 'api.json')).toEqual([
      expect.stringMatching(/^api\.json:1: not valid JSON/),
    ])
  })

  it('is reported of deep nesting and of aliases without bound, at once', async () => {
    const deep = `{"routes":${'['.repeat(100_000)}`
    expect(await problemsOf(deep, 'deep.json')).toEqual([
      'deep.json:1: not valid JSON here: it is nested too deep: more than 200 deep',
    ])
    const levels = Array.from({ length: 30 }, (_, n) => `x-${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`)
    const laughs = ['x-0: &a0 [1]', ...levels, 'routes: {}'].join('\n')
    expect(await problemsOf(laughs)).toEqual([
      expect.stringMatching(/not valid YAML: its aliases expand to more than/),
    ])
  })

  it('is reported when an anchor shares what cannot be', async () => {
    const text = 'x-a: &a { lst_count: 3 }\nroutes:\n  GET /a: { <<: *a, status: 200 }\n'
    expect(await problemsOf(text)).toEqual([
      expect.stringMatching(/^api\.yaml:3: GET \/a: lst_count: no such option/),
    ])
  })
})
