import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { textFile } from '../../../src/data-files/text-file.ts'
import type { SimAPI } from '../../../src/api.ts'
import { loadRouteData } from '../../../src/loaders/route-data/load-route-data.ts'
import { OPTION_NAMES } from '../../../src/loaders/route-data/read-route-options.ts'
import { RouteFileInvalid, SimError } from '../../../src/errors.ts'

async function load(text: string, name: string): Promise<SimAPI | RouteFileInvalid> {
  try {
    return (await loadRouteData(textFile(`/nowhere/${name}`, text), { defaults: {} })).api
  } catch (error) {
    if (error instanceof RouteFileInvalid) return error
    throw error
  }
}

const scalar = fc.constantFrom<unknown>(
  0,
  -1,
  1.5,
  200,
  '',
  'a',
  '#',
  '/',
  '{',
  null,
  true,
  '__proto__',
  '#/models/A',
)
const name = fc.constantFrom(
  ...[
    'models',
    'routes',
    'options',
    'store',
    'GET /a',
    'GET /a/{id}',
    'POST /a',
    'A',
    '/a',
    '__proto__',
    'constructor',
  ],
  ...[
    '$ref',
    '$defs',
    'x-sim-link',
    'fromInput',
    'whenInput',
    'then',
    'field',
    'equals',
    'fits',
    'when',
    'pages',
    '',
  ],
  ...[
    'type',
    'properties',
    'items',
    'list',
    'page',
    'slice',
    'input',
    'output',
    'anyOf',
    'const',
    '<<',
    'seed',
  ],
  ...OPTION_NAMES.keys(),
)
const { data } = fc.letrec<{ data: unknown }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 6, depthSize: 'large' },
    scalar,
    fc.array(tie('data'), { maxLength: 3 }),
    fc.dictionary(name, tie('data'), { maxKeys: 5, noNullPrototype: true }),
  ),
}))
const document = fc.record({
  options: fc.oneof(fc.constant({}), data),
  models: fc.oneof(
    fc.constant({}),
    fc.dictionary(fc.constantFrom('A', '__proto__'), data, { noNullPrototype: true }),
  ),
  routes: fc.dictionary(fc.constantFrom('GET /a', 'GET /a/{id}', 'POST /a'), data, { noNullPrototype: true }),
  store: fc.oneof(fc.constant({}), data),
})

describe('any data', () => {
  it('declares an app that can be built, or is refused by lines', async () => {
    let apps = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(document, data), fc.boolean(), async (value, isJson) => {
        const text = isJson ? (JSON.stringify(value) ?? '') : stringify(value)
        const loaded = await load(text, isJson ? 'api.json' : 'api.yaml')
        if (loaded instanceof RouteFileInvalid) {
          expect(loaded.problems.length).toBeGreaterThan(0)
          for (const problem of loaded.problems) expect(problem).toMatch(/^\/nowhere\/api\.\w+:\d+: \S/)
          return
        }
        apps++
        try {
          loaded.engine()
          loaded.openapi()
        } catch (error) {
          if (!SimError.is(error)) throw error
        }
      }),
      { numRuns: 300 },
    )
    expect(apps).toBeGreaterThan(0)
  })

  it('that is not a document at all is refused by lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), fc.boolean(), async (text, isJson) => {
        expect(await load(text, isJson ? 'api.json' : 'api.yaml')).toBeInstanceOf(RouteFileInvalid)
      }),
      { numRuns: 500 },
    )
  })
})
