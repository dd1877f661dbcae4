import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadApi } from '../../src/loaders/load-target.ts'
import { validateTarget } from '../../src/loaders/validate-target.ts'
import { findConfig, loadConfig } from '../../src/options/config-file.ts'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'

type Json = Readonly<Record<string, unknown>>

function describing(schema: unknown, more: Json = {}, schemas: Json = {}): Json {
  const content = { 'application/json': { schema } }
  return {
    openapi: '3.1.0',
    info: { title: 'a', version: '1' },
    paths: { '/items': { get: { responses: { 200: { description: 'ok', content } } } } },
    components: { schemas },
    ...more,
  }
}

const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce((inner) => ({ allOf: [inner] }), { type: 'string' })

const chained = (make: (next: object) => unknown): Json =>
  Object.fromEntries(
    Array.from({ length: 4000 }, (_, at) => [
      `R${at}`,
      at === 3999 ? { type: 'string' } : make({ $ref: `#/components/schemas/R${at + 1}` }),
    ]),
  )
const FIRST = { $ref: '#/components/schemas/R0' }

const FILES: Readonly<Record<string, unknown>> = {
  'composed.json': describing(nested(90)),
  'all-of.json': describing(
    FIRST,
    {},
    chained((next) => ({ allOf: [next] })),
  ),
  'objects.json': describing(
    FIRST,
    {},
    chained((next) => ({ type: 'object', required: ['n'], properties: { n: next } })),
  ),
  'number.json': describing({ type: 'string' }, { openapi: 3.1 }),
  'info.json': describing({ type: 'string' }, { info: null }),
  'path.json': describing({}, { paths: { [`/${'a/'.repeat(5000)}`]: { get: { responses: {} } } } }),
  'checker.json': describing(
    {},
    {
      paths: {
        '/a': {
          get: {
            parameters: [{ in: 'query', name: 'q', schema: true }],
            responses: { 200: { description: 'ok' } },
          },
        },
      },
    },
  ),
  'media.json': describing(
    {},
    {
      paths: {
        '/a': {
          get: { responses: { 200: { description: 'a', content: { 'text/a\r\nb': { schema: {} } } } } },
        },
      },
    },
  ),
}

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder({
    ...Object.fromEntries(Object.entries(FILES).map(([name, file]) => [name, JSON.stringify(file)])),
    'null.mjs': 'throw null\n',
    'text.mjs': 'await Promise.reject("no database")\n',
    'interface.graphql': 'interface I { id: ID! } type A implements I { x: Int! } type Query { a: A! }',
    'empty.graphql': 'enum E type Query { a: Int!, e: E }',
    'scalar.graphql': 'schema { query: A } scalar A',
    'deep.graphql': `type Query { a(x: F = ${'['.repeat(20000)}${']'.repeat(20000)}): Int } scalar F`,
    'linked/a.txt': '',
  })
  symlinkSync('sim.yaml', join(folder.path, 'linked/sim.yaml'))
  symlinkSync('loop.mjs', join(folder.path, 'loop.mjs'))
  symlinkSync('/dev/zero', join(folder.path, 'zero.mjs'))
})
afterAll(() => folder[Symbol.dispose]())

async function messagesOf(target: string): Promise<string[]> {
  const { problems } = await validateTarget(target, folder.path)
  return problems.map(({ message }) => message.replaceAll(`${folder.path}/`, ''))
}

// Whatever takes twice as long for each level would take longer than the test may.
it('reads schemas that are composed of one another ninety times', async () => {
  expect(await messagesOf('composed.json')).toEqual([])
})

it.for([
  ['all-of.json', /its schemas nest too deep: make the chain of \$ref/],
  ['objects.json', /its references nest deeper than 400 levels/],
  ['number.json', /^number\.json:1: #\/openapi: must be a text in quotes, such as "3\.1\.0"$/],
  ['info.json', /^info\.json:1: #\/info: must be object$/],
  ['path.json', /the path has more than 500 parts; it is not served$/],
  ['checker.json', /^checker\.json:1: is not checked by the rules .*: the checker fails \(/],
  ['media.json', /content\/text~1a\\r\\nb: its name is not a media type, such as application\/json/],
  [
    'interface.graphql',
    /^interface\.graphql:1:15: Interface field I\.id expected but A does not provide it\.$/,
  ],
  ['scalar.graphql', /^scalar\.graphql: the schema has no object type Query/],
  ['deep.graphql', /^deep\.graphql: it is nested too deep$/],
  ['loop.mjs', /^Module 'loop\.mjs' not found, looked in /],
  ['zero.mjs', /^'zero\.mjs' is not a file$/],
  ['null.mjs', /^Module 'null\.mjs' could not be loaded: it threw null, which is not an error$/],
  ['text.mjs', /^Module 'text\.mjs' could not be loaded: it threw 'no database', which is not an error$/],
] as const)('names what is wrong with %s', async ([file, message]) => {
  const messages = await messagesOf(file).catch((error: Error) => error.message.split('\n'))
  expect(messages).toContainEqual(expect.stringMatching(message))
})

it.for([
  ['objects.json', '/items', 500, 'SIM_MODEL_INVALID'],
  ['info.json', '/openapi.json', 200, '"title":"Simulated API"'],
  ['media.json', '/a', 200, ''],
  ['interface.graphql', '/graphql?query={a{x}}', 200, '{"data":{"a":{"x":'],
  ['empty.graphql', '/graphql?query={a}', 200, '{"data":{"a":'],
] as const)('serves %s as far as it can: %s', async ([file, path, status, text]) => {
  const { api } = await loadApi(file, 'served', folder.path)
  await using app = api.asWebApp()
  const response = await app.inject(path)
  expect([response.statusCode, response.body]).toEqual([status, expect.stringContaining(text)])
})

it('names a config file that is a link to itself', () => {
  const directory = join(folder.path, 'linked')
  expect(findConfig(directory)).toBe(join(directory, 'sim.yaml'))
  expect(() => loadConfig(undefined, directory)).toThrow(/sim\.yaml: it cannot be read: ELOOP/)
})
