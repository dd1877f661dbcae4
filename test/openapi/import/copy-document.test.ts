import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isObject } from '../../../src/engine/schema/schema.ts'
import type { MediaType } from '../../../src/engine/operation.ts'
import type { RouteDefinition } from '../../../src/engine/route.ts'
import type { ImportedDescription } from '../../../src/openapi/import/import-description.ts'
import { checkByRules } from '../../../src/openapi/import/check-by-rules.ts'
import { arbitraryDescription } from './arbitrary-description.ts'
import { answering, importData, importFile } from './read-file.ts'

describe('the document of a description', () => {
  it.for(['pets.yaml', 'library.json', 'orders.json', 'shop/openapi.yaml'])(
    'means what %s does',
    async (name) => {
      const imported = importFile(name)
      const document = imported.document()
      const again = importData(document)
      expect(again.problems).toEqual([])
      expect(meaningOf(again)).toEqual(meaningOf(imported))
      expect(again.unused.toSorted(byName)).toEqual(imported.unused.toSorted(byName))
      expect(again.document()).toEqual(document)
      expect(await checkByRules({ file: name, text: JSON.stringify(document), isAlone: true })).toEqual([])
    },
  )

  it.for(['dangling.yaml', 'circular-all-of.yaml', 'invalid-schema.json'])(
    'means what %s does, and is right where that is wrong',
    (name) => {
      const imported = importFile(`broken/${name}`)
      const again = importData(imported.document())
      expect(again.problems).toEqual([])
      expect(meaningOf(again)).toEqual(meaningOf(imported))
    },
  )

  it('means what any description does', () => {
    fc.assert(
      fc.property(arbitraryDescription, (description) => {
        const imported = importData(description)
        // What such a schema means is anybody's guess: it stands for anything, but has a name of its own.
        fc.pre(imported.problems.every(({ message }) => !message.includes('made of itself')))
        const again = importData(imported.document())
        expect(meaningOf(again)).toEqual(meaningOf(imported))
      }),
      { numRuns: 300 },
    )
  })

  it('keeps what it says of the simulation', () => {
    const schema = { type: 'string', 'x-sim-link': { fromInput: 'q' } }
    const { paths, ...rest } = answering(schema) as { paths: object }
    const document = importData({ ...rest, paths, 'x-sim-stateful': true, 'x-sim-list-count': 3 }).document()
    expect(document).toMatchObject({ 'x-sim-stateful': true, 'x-sim-list-count': 3 })
    expect(JSON.stringify(document)).toContain('{"type":"string","x-sim-link":{"fromInput":"q"}}')
  })

  it('has parts of other files among its components', () => {
    const { paths, components } = importFile('shop/openapi.yaml').document()
    expect(paths['/items']).toEqual({ $ref: '#/components/pathItems/list' })
    expect(Object.keys(components?.schemas ?? {})).toEqual(['Money', 'item', 'item2', 'Maker'])
  })
})

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1
}

/** All that routes of a description mean, as plain data in which names of models do not matter. */
function meaningOf({ routes }: ImportedDescription): unknown[] {
  return routes.map(routeMeaning)
}

function routeMeaning({ method, path, parameters, options, operation }: RouteDefinition): unknown {
  const { output, ...others } = options
  return {
    method,
    path,
    parameters,
    options: { ...others, output: modelMeaning(output) },
    basePath: operation?.basePath,
    stateful: operation?.stateful,
    security: operation?.security,
    operationParameters: operation?.parameters.map((each) => ({ ...each, model: modelMeaning(each.model) })),
    body: operation?.body && { ...operation.body, content: contentMeaning(operation.body.content) },
    responses: operation?.responses.map(({ status, content, headers }) => ({
      status,
      content: contentMeaning(content),
      headers: headers.map((each) => ({ ...each, model: modelMeaning(each.model) })),
    })),
  }
}

function contentMeaning(content: ReadonlyMap<string, MediaType>): unknown {
  return [...content].map(([type, media]) => [type, { ...media, model: modelMeaning(media.model) }])
}

/** A model with numbers for names, given in the order in which they are met. */
function modelMeaning(model: unknown): unknown {
  if (!isObject(model)) return model
  const { $defs = {}, title: _title, ...root } = model
  const numbers = new Map<string, number>()
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isObject(value)) return value
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(
      entries.map(([key, each]) => [
        key,
        key === '$ref' && typeof each === 'string' ? named(each) : walk(each),
      ]),
    )
  }
  const named = (reference: string): unknown => {
    const name = reference.replace('#/$defs/', '')
    const known = numbers.get(name)
    if (known !== undefined) return known
    numbers.set(name, numbers.size)
    return [numbers.size - 1, walk(($defs as Record<string, unknown>)[name])]
  }
  return walk(root)
}
