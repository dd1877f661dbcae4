import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readOptions } from '../../src/options/config-file.ts'
import { withOptions, type FileSchema } from '../../src/options/json-schema.ts'
import { METHODS } from 'node:http'
import { OPTION_NAMES, readRouteOptions } from '../../src/loaders/route-data/read-route-options.ts'
import { TOP_KEYS } from '../../src/loaders/route-data/load-route-data.ts'
import { bindLink, linkNames } from '../../src/engine/links/link.ts'
import '../../src/engine/links/built-in.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const schema = JSON.parse(readFileSync(join(ROOT, 'config/sim.schema.json'), 'utf8')) as FileSchema
// Without all errors, the validator takes a required '' for fulfilled.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, allErrors: true })
ajv.addSchema(schema, 'sim')
const isGoodFile = (document: unknown): boolean => ajv.getSchema('sim')?.(document) === true
const fits = (part: string, value: unknown): boolean => ajv.getSchema(`sim#/$defs/${part}`)?.(value) === true
const keysOf = (part: string): string[] => {
  const [, properties] = Object.entries(deepFind(part)).find(([keyword]) => keyword === 'properties') ?? []
  return Object.keys(properties as object)
    .filter((key) => key !== '$schema')
    .toSorted()
}
const deepFind = (part: string): object => {
  const found = (schema.$defs as Record<string, { anyOf?: object[] }>)[part]
  return found?.anyOf?.at(-1) ?? found ?? {}
}

/** Values of every kind that options may have or not. */
const VALUE = fc.oneof(
  fc.constantFrom<unknown>(-1, 0, 0.5, 1, 2, 99, 200, 399, 400, 422, 599, 600, '', 'a', true, false, null),
  fc.constantFrom<unknown>([], ['a'], [''], [503], [200], [1], {}, { a: 'b' }, { a: 1 }, [{}]),
  fc.constantFrom<unknown>(
    [{ status: 200 }],
    [{ status: 503, detail: {} }],
    [{ status: 99 }],
    [{ status: 200, x: 1 }],
  ),
  fc.constantFrom<unknown>(
    [{ when: { field: 'a', equals: null }, status: 404 }],
    [{ when: { fits: {} }, status: 404, detail: 1 }],
    [{ when: { fits: {}, field: 'a' }, status: 404 }],
    [{ when: { field: 'a', equals: 1 }, status: 422 }],
    [{ when: { field: 'a' }, status: 404 }],
  ),
  fc.constantFrom<unknown>(
    { pages: { '': [] } },
    { pages: { '': [{}] }, token_field: 'a' },
    { pages: { one: [] } },
    { pages: { '': [1] } },
    { pages: { '': [] }, next_tokens: { '': '' } },
    { pages: { '': [] }, nextTokens: {} },
    { max_items: 3 },
    { max_items: -1 },
  ),
)
const LINK_DATA = fc.oneof(
  VALUE,
  fc.constantFrom<unknown>(['a', 'b'], ['a', 'b', 'c'], ['a', '']),
  fc.constantFrom<unknown>(
    { field: 'a', equals: 1, then: { fromInput: 'b' } },
    { field: 'a', then: { fromInput: 'b' } },
    { field: 'a', equals: 1, then: {} },
    { fields: ['a'], template: '{a}' },
    { fields: ['a'], template: '{a}', by: 'a', cases: [{ equals: null, template: '' }] },
    { fields: ['a'], template: '{a}', by: 'a', cases: [{ equals: 1 }] },
    { fields: ['a'] },
    { path: 'a', pointer: '' },
    { path: 'a', pointer: '', strict: true, variantFrom: 'a', variants: { a: 'b' } },
    { path: 'a', pointer: '', strict: true, where: { a: 'b' }, index: -1 },
    { path: 'a', pointer: '', strict: 'x' },
    { path: 'a' },
  ),
)

describe('the published schema', () => {
  it('is what the tables of options say: npm run generate', () => {
    expect(withOptions(schema)).toEqual(schema)
  })

  it('has the keys that are read, and no others', () => {
    expect(keysOf('routeFile')).toEqual(TOP_KEYS.filter((key) => key !== '$schema').toSorted())
    expect(keysOf('configFile')).toEqual([...keysOf('options'), 'gateway'].toSorted())
    expect(keysOf('route')).toEqual(['input', 'output', ...OPTION_NAMES.keys()].toSorted())
    expect(keysOf('link')).toEqual(linkNames().toSorted())
    expect(JSON.stringify(schema)).toContain(`"^(${METHODS.filter((each) => each !== 'CONNECT').join('|')}) `)
  })

  it('describes each key, so that editors can', () => {
    const silent = ['routeFile', 'options', 'gateway', 'route', 'link', 'model'].flatMap((part) =>
      Object.entries((deepFind(part) as { properties: Record<string, { description?: string }> }).properties)
        .filter(([, { description }]) => description === undefined)
        .map(([key]) => `${part}.${key}`),
    )
    expect(silent).toEqual([])
  })

  it('agrees with the reader on the value of each option of a route', () => {
    fc.assert(
      fc.property(fc.constantFrom(...OPTION_NAMES.keys()), VALUE, (key, value) => {
        const problems: string[] = []
        const report = (_keys: readonly string[], message: string): void => void problems.push(message)
        readRouteOptions({ [key]: value }, { directory: '/', report })
        // Which pages there are is more than the form of a table.
        if (problems.some((message) => message.includes('is not a page'))) return
        expect([key, value, fits('route', { [key]: value })]).toEqual([key, value, problems.length === 0])
      }),
      { numRuns: 2000 },
    )
  })

  it('agrees with the reader on the value of each option of an app', () => {
    fc.assert(
      fc.property(fc.constantFrom(...keysOf('options')), VALUE, (key, value) => {
        const { problems } = readOptions({ [key]: value }, [])
        expect([key, value, fits('options', { [key]: value })]).toEqual([key, value, problems.length === 0])
      }),
      { numRuns: 1000 },
    )
  })

  it('agrees with the reader on the form of each link', () => {
    const isBound = (keyword: unknown): boolean | undefined => {
      try {
        return bindLink(keyword) !== undefined
      } catch (error) {
        // Which functions faker has is more than the form of a link.
        return /^(faker has no|\S+ makes at most|\S+ does not take)/.test((error as Error).message)
          ? undefined
          : false
      }
    }
    fc.assert(
      fc.property(fc.constantFrom(...linkNames()), LINK_DATA, (name, data) => {
        const keyword = { [name]: data }
        const bound = isBound(keyword)
        if (bound !== undefined) expect([keyword, fits('link', keyword)]).toEqual([keyword, bound])
      }),
      { numRuns: 1000 },
    )
  })

  it.for([
    [{ routes: {} }, true],
    [{ routes: { 'GET /a': null }, 'x-shared': 1, $schema: 'x' }, true],
    [
      {
        routes: { 'GET /a': { output: { list: { $ref: '#/models/A' } } } },
        models: { A: { type: 'string' } },
      },
      true,
    ],
    [{ seed: 1, store: { max_items: 3 } }, true],
    [{ routes: { 'GTE /a': null } }, false],
    [{ routes: { 'GET a': null } }, false],
    [{ routes: {}, options: { sed: 1 } }, false],
    [{ routes: {}, models: { A: { type: 'strng' } } }, false],
    [{ routes: {}, models: { A: { properties: { b: { 'x-sim-link': { fromInpt: 'a' } } } } } }, false],
    [{ routes: {}, seed: 1 }, false],
    [{ sed: 1 }, false],
  ] as const)('judges %j: %s', ([document, isGood]) => {
    expect(isGoodFile(document)).toBe(isGood)
  })

  it('judges the files of the guides and samples to be good', () => {
    const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(join(ROOT, 'docs', name), 'utf8'))
    const blocks = pages.flatMap((page) =>
      [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = '']) => text),
    )
    const marked = blocks.filter((text) => text.includes('sim.schema.json'))
    const bad = marked.filter((text) => !isGoodFile(parse(text, { merge: true })))
    expect(marked.length).toBeGreaterThan(0)
    expect(bad).toEqual([])
  })
})
