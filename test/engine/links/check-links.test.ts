import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { checkLinks, type LinkProblems, walkModel } from '../../../src/engine/links/check-links.ts'
import { ComputedFrom } from '../../../src/engine/links/computed-from.ts'
import { DateRangeFrom } from '../../../src/engine/links/date-range-from.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { FromJsonFixture } from '../../../src/engine/links/from-json-fixture.ts'
import { WhenInput } from '../../../src/engine/links/when-input.ts'
import { list, PaginatedResponse } from '../../../src/engine/schema/list.ts'
import { type Model, type Schema, createResolver } from '../../../src/engine/schema/schema.ts'
import { createRoute } from '../../../src/engine/route.ts'
import { linkedText } from './linking.ts'
import { positionName } from '../../../src/engine/schema/position.ts'

const text = { type: 'string' }
const check = (output: Model, input?: Model, path = '/x/{id}'): LinkProblems =>
  checkLinks(createRoute('GET', path, input === undefined ? { output } : { output, input }))
const modelOf = (properties: object, more: object = {}): Schema => ({
  title: 'User',
  type: 'object',
  properties,
  ...more,
})
const none = { fatal: [], unbound: [] }
const Query = Type.Object({ name: Type.String() })

describe('checkLinks', () => {
  it('finds nothing where nothing is wrong', () => {
    expect(checkLinks(createRoute('DELETE', '/x', {}))).toEqual(none)
    expect(check(modelOf({ id: { ...text, ...FromInput('id') } }))).toEqual(none)
    const fine = modelOf({
      name: { ...text, ...FromInput('name') },
      label: { ...text, ...ComputedFrom(['name'], (name: string) => name) },
    })
    for (const output of [fine, list(fine), PaginatedResponse(fine)])
      expect(check(output, Query)).toEqual(none)
  })

  it('names route, model, field and link of an input field that is not there', () => {
    const model = modelOf({
      a: { ...text, ...FromInput('nmae') },
      b: { ...text, ...DateRangeFrom('name', 'until') },
      c: { ...text, ...WhenInput('name', 'x', FromInput('other')) },
    })
    const problem = (place: string, link: string, field: string): string =>
      `GET /x/{id}: User.${place}: ${link} reads input field '${field}', which the input model does not have`
    expect(check(model, Query)).toEqual({
      fatal: [],
      unbound: [
        `${problem('a', 'fromInput', 'nmae')}. Did you mean 'name'?`,
        problem('b', 'dateRangeFrom', 'until'),
        problem('c', 'whenInput', 'other'),
      ],
    })
  })

  it('takes the path’s parameters for the input of a route without an input model', () => {
    expect(check(modelOf({ a: { ...text, ...FromInput('name') } })).unbound).toHaveLength(1)
  })

  it('knows the input fields of a union’s members', () => {
    const input = {
      anyOf: [
        { type: 'object', properties: { name: text } },
        { type: 'object', properties: { id: text } },
      ],
    }
    expect(
      check(modelOf({ a: { ...text, ...FromInput('name') }, b: { ...text, ...FromInput('id') } }), input),
    ).toEqual(none)
  })

  it('finds siblings that are not there, and knows those beside a union', () => {
    const computed = { ...text, ...ComputedFrom(['a', 'b'], () => '') }
    expect(check(modelOf({ a: text, c: computed })).unbound).toEqual([
      "GET /x/{id}: User.c: computedFrom reads field 'b', which User does not have",
    ])
    expect(check(modelOf({ a: text, b: text }, { anyOf: [{ properties: { c: computed } }] }))).toEqual(none)
  })

  it('finds a fixture that is not there', () => {
    const model = modelOf({ a: { ...text, ...FromJsonFixture('./nowhere.json', { pointer: '/a' }) } })
    expect(check(model).unbound).toEqual([
      expect.stringMatching(/^GET \/x\/\{id\}: User\.a: fromJsonFixture: \.\/nowhere\.json is not there/),
    ])
  })

  it.for<[string, (link: object) => Schema, string]>([
    ['a nested model', (link) => modelOf({ inner: modelOf({ a: link }, { title: 'Inner' }) }), 'Inner.a'],
    [
      'a nested model without a name',
      (link) => modelOf({ inner: { type: 'object', properties: { a: link } } }),
      'User.inner.a',
    ],
    ['list items', (link) => modelOf({ tags: { type: 'array', items: link } }), 'User.tags[]'],
    ['tuple items', (link) => modelOf({ pair: { type: 'array', prefixItems: [link] } }), 'User.pair[]'],
    ['older tuple items', (link) => modelOf({ pair: { type: 'array', items: [link] } }), 'User.pair[]'],
    ['records', (link) => modelOf({ by: { type: 'object', additionalProperties: link } }), 'User.by[]'],
    ['patterns', (link) => modelOf({ by: { type: 'object', patternProperties: { a: link } } }), 'User.by[]'],
    ['union members', (link) => modelOf({ a: { anyOf: [link, { type: 'null' }] } }), 'User.a'],
    ['conditions', (link) => modelOf({ b: text }, { if: true, then: { properties: { a: link } } }), 'User.a'],
    ['merged schemas', (link) => modelOf({ a: { allOf: [text, link] } }), 'User.a'],
    [
      'references',
      (link) =>
        modelOf({ a: { $ref: '#/$defs/A' } }, { $defs: { A: { type: 'object', properties: { b: link } } } }),
      'A.b',
    ],
    ['a model in itself', (link) => modelOf({ a: link, next: { $ref: '#' } }), 'User.a'],
  ])('looks into %s', ([, make, place]) => {
    for (const output of [
      make({ ...text, ...FromInput('gone') }),
      list(make({ ...text, ...FromInput('gone') })),
    ]) {
      expect(check(output).unbound).toEqual([
        `GET /x/{id}: ${place}: fromInput reads input field 'gone', which the input model does not have`,
      ])
    }
  })

  it('finds circles, in nested models too', () => {
    const circle = {
      a: { ...text, ...ComputedFrom(['b'], String) },
      b: { ...text, ...ComputedFrom(['a'], String) },
    }
    const message = 'fields are computed from each other in a circle: a → b → a'
    expect(check(modelOf(circle)).fatal).toEqual([`GET /x/{id}: User: ${message}`])
    expect(check(modelOf({ inner: { type: 'object', properties: circle } })).fatal).toEqual([
      `GET /x/{id}: User: ${message}`,
    ])
  })

  it('finds unknown links, malformed arguments and references to nothing, all at once', () => {
    const model = modelOf({
      a: linkedText({ fromNowhere: 'x' }),
      b: linkedText({ fromInput: 7 }),
      c: { $ref: '#/$defs/gone' },
      d: { anyOf: [linkedText({})] },
    })
    expect(check(model).fatal).toEqual([
      expect.stringMatching(/^GET \/x\/\{id\}: User\.a: x-sim-link names no known link: 'fromNowhere'/),
      'GET /x/{id}: User.b: fromInput takes the name of an input field',
      'GET /x/{id}: User.c: User refers to #/$defs/gone, which is not there',
      'GET /x/{id}: User.d: x-sim-link must name exactly one link',
    ])
  })

  it('reports a shared model’s problem once', () => {
    const Inner = modelOf({ a: { ...text, ...FromInput('gone') } }, { title: 'Inner' })
    const model = modelOf(
      {
        one: { $ref: '#/$defs/I' },
        two: { $ref: '#/$defs/I' },
        all: { type: 'array', items: { $ref: '#/$defs/I' } },
      },
      { $defs: { I: Inner } },
    )
    expect(check(model).unbound).toHaveLength(1)
  })
})

function walk(model: Schema) {
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
    const { places } = walk(model)
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
    const { siblings, fields } = walk(model)
    expect(siblings).toEqual({ 'M.a': ['a', 'b'], 'M.b': ['a', 'b'], 'M.c': ['a', 'b', 'c'] })
    expect(fields).toEqual({ M: ['a', 'b', 'c'] })
  })

  it('goes on where a reference leads nowhere', () => {
    const model = {
      title: 'M',
      properties: { a: { $ref: '#/$defs/gone' }, b: { anyOf: [{ $ref: 'gone' }] }, c: text },
    }
    expect(walk(model).places).toEqual(expect.arrayContaining(['M.a', 'M.b', 'M.c']))
  })
})
