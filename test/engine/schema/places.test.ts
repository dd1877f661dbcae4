import { describe, expect, it } from 'vitest'
import { walkModel } from '../../../src/engine/links/check-links.ts'
import { positionName } from '../../../src/engine/schema/position.ts'
import { createResolver, type Schema } from '../../../src/engine/schema/schema.ts'

const text = { type: 'string' }

function visit(model: Schema) {
  const places: string[] = []
  const siblings: Record<string, string[]> = {}
  const fields: Record<string, string[]> = {}
  walkModel(
    model,
    createResolver(model),
    (place) => {
      places.push(positionName(place.at))
      if (place.siblings.size > 0) siblings[positionName(place.at)] = [...place.siblings]
    },
    ({ at, properties }) => {
      if (properties.length > 0) fields[positionName(at)] = properties.map(([name]) => name)
    },
  )
  return { places, siblings, fields }
}

describe('walkModel', () => {
  it('sees every place of a model', () => {
    const model = {
      title: 'M',
      type: 'object',
      properties: {
        a: text,
        list: { type: 'array', items: { type: 'object', properties: { b: text } } },
        pair: { type: 'array', prefixItems: [text, text], items: false },
        by: { type: 'object', additionalProperties: { type: 'object', properties: { c: text } } },
        like: { type: 'object', patternProperties: { '^x': text }, additionalProperties: false },
        maybe: { anyOf: [{ type: 'object', properties: { d: text } }, { type: 'null' }] },
        when: {
          if: text,
          then: { type: 'object', properties: { e: text } },
          else: { properties: { f: text } },
        },
        merged: { allOf: [{ type: 'object', properties: { g: text } }, { properties: { h: text } }] },
        ref: { $ref: '#/$defs/Other' },
      },
      $defs: { Other: { type: 'object', properties: { i: text, self: { $ref: '#/$defs/Other' } } } },
    }
    const { places } = visit(model)
    expect(places).toEqual(
      expect.arrayContaining([
        ...['M', 'M.a', 'M.list', 'M.list[]', 'M.list[].b', 'M.pair[]', 'M.by[].c', 'M.like[]', 'M.maybe.d'],
        ...['M.when.e', 'M.when.f', 'merged.g', 'merged.h', 'M.ref', 'Other.i', 'Other.self'].map((name) =>
          name.startsWith('merged') ? `M.${name}` : name,
        ),
      ]),
    )
    expect(places.filter((name) => name === 'Other.i')).toHaveLength(1)
  })

  it('knows the siblings of each field, those beside a union among them', () => {
    const model = {
      title: 'M',
      type: 'object',
      properties: { a: text, b: text },
      anyOf: [{ properties: { c: text } }, true],
    }
    const { siblings, fields } = visit(model)
    expect(siblings).toEqual({ 'M.a': ['a', 'b'], 'M.b': ['a', 'b'], 'M.c': ['a', 'b', 'c'] })
    expect(fields).toEqual({ M: ['a', 'b', 'c'] })
  })

  it('goes on where a reference leads nowhere', () => {
    const model = {
      title: 'M',
      properties: { a: { $ref: '#/$defs/gone' }, b: { anyOf: [{ $ref: 'gone' }] }, c: text },
    }
    expect(visit(model).places).toEqual(expect.arrayContaining(['M.a', 'M.b', 'M.c']))
  })
})
