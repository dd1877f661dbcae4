import { describe, expect, it } from 'vitest'
import { ComputedFrom } from '../../../src/engine/links/computed-from.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { linkOf } from '../../../src/engine/links/link.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { LinkMismatch, LinksInvalid } from '../../../src/errors.ts'
import { scopeOf, valuesOf } from '../schema/generating.ts'
import { fieldOf, linkedText } from './linking.ts'

const text = { type: 'string' }
const objectOf = (properties: object, more: object = {}): Schema => ({
  title: 'Thing',
  type: 'object',
  required: Object.keys(properties),
  properties,
  ...more,
})
const upper = (value: string): string => value.toUpperCase()

describe('ComputedFrom', () => {
  it('is evaluated after the fields it needs, in whatever order they are declared', () => {
    const fields = {
      a: { ...text, ...FromInput('a') },
      b: { ...text, ...ComputedFrom(['a'], (a: string) => `${a}b`) },
      c: { ...text, ...ComputedFrom(['b'], (b: string) => `${b}c`) },
      d: { ...text, ...ComputedFrom(['c', 'a'], (c: string, a: string) => `${c}d${a}`) },
    }
    for (const order of ['abcd', 'dcba', 'cadb', 'bdac']) {
      const model = objectOf(Object.fromEntries(Array.from(order).map((name) => [name, fields[name as 'a']])))
      const [value] = valuesOf(model, 1, scopeOf({ a: 'a' }))
      expect(value).toEqual({ a: 'a', b: 'ab', c: 'abc', d: 'abcda' })
      expect(Object.keys(value as object).join('')).toBe(order)
    }
  })

  it('sees generated siblings as they are in the answer', () => {
    const model = objectOf({ shout: { ...text, ...ComputedFrom(['name'], upper) }, name: text })
    for (const { name, shout } of valuesOf<{ name: string; shout: string }>(model))
      expect(shout).toBe(name.toUpperCase())
  })

  it('works in nested models, list items, records and behind references and unions', () => {
    const inner = objectOf({
      up: { ...text, ...ComputedFrom(['name'], upper) },
      name: { ...text, ...FromInput('name') },
    })
    const model = objectOf(
      {
        nested: inner,
        items: { type: 'array', items: inner, minItems: 1, maxItems: 1 },
        record: { type: 'object', required: ['k'], additionalProperties: inner },
        maybe: { anyOf: [inner, { type: 'null' }] },
        ref: { $ref: '#/$defs/Inner' },
      },
      { $defs: { Inner: inner } },
    )
    const expected = { up: 'ADA', name: 'Ada' }
    const [value] = valuesOf(model, 1, scopeOf({ name: 'Ada' }))
    expect(value).toMatchObject({
      nested: expected,
      items: [expected],
      record: { k: expected },
      maybe: expected,
      ref: expected,
    })
  })

  it('works where its field is a reference, a union or merged', () => {
    const computed = { ...text, ...ComputedFrom(['name'], upper) }
    const model = objectOf(
      {
        ref: { $ref: '#/$defs/Up' },
        nullable: { anyOf: [computed, { type: 'null' }] },
        deep: { anyOf: [{ oneOf: [{ $ref: '#/$defs/Up' }] }, { type: 'null' }] },
        merged: { allOf: [computed, { minLength: 1 }] },
        name: { const: 'ada' },
      },
      { $defs: { Up: computed } },
    )
    expect(valuesOf(model, 1)).toEqual([
      { ref: 'ADA', nullable: 'ADA', deep: 'ADA', merged: 'ADA', name: 'ada' },
    ])
  })

  it('binds null only where the field takes it, and asks its function once', () => {
    let calls = 0
    const nothing = (): null => {
      calls++
      return null
    }
    const link = ComputedFrom([], nothing)
    expect(fieldOf({ anyOf: [{ ...text, ...link }, { type: 'null' }] })).toBeNull()
    expect(fieldOf({ ...text, ...link })).toEqual(expect.any(String))
    expect(calls).toBe(2)
  })

  it('is given undefined for a field that is not there', () => {
    const seen: unknown[] = []
    fieldOf({
      ...text,
      ...ComputedFrom(['missing', 'constructor'], (...values) => void seen.push(...values)),
    })
    expect(seen).toEqual([undefined, undefined])
  })

  it('names route, model and field where its function throws', () => {
    const fail = (): never => {
      throw new TypeError('no plan')
    }
    const model = objectOf({
      inner: { type: 'object', properties: { f: { ...text, ...ComputedFrom([], fail) } } },
    })
    const attempt = (): unknown => valuesOf(model, 1)
    expect(attempt).toThrow(LinkMismatch)
    expect(attempt).toThrow('GET /x: Thing.inner.f: its computedFrom link failed: no plan')
    const odd = (): never => {
      // oxlint-disable-next-line no-throw-literal
      throw 'just a text' as unknown as Error
    }
    expect(() => fieldOf({ ...text, ...ComputedFrom([], odd) })).toThrow(
      'its computedFrom link failed: just a text',
    )
  })

  it('refuses fields that need each other in a circle, and names it', () => {
    const model = objectOf({
      a: { ...text, ...ComputedFrom(['b'], upper) },
      b: { anyOf: [{ ...text, ...ComputedFrom(['c'], upper) }, { type: 'null' }] },
      c: { ...text, ...ComputedFrom(['a'], upper) },
    })
    expect(() => valuesOf(model, 1)).toThrow(LinksInvalid)
    expect(() => valuesOf(model, 1)).toThrow(
      'Thing: fields are computed from each other in a circle: a → b → c → a',
    )
  })

  it('names what is in a field by a point', () => {
    const link = { computedFrom: { fields: ['data'], template: '/things/{data.id}' } }
    const model = objectOf({ self: { ...text, 'x-sim-link': link }, data: objectOf({ id: { const: 'a7' } }) })
    expect(valuesOf(model, 1)).toEqual([{ self: '/things/a7', data: { id: 'a7' } }])
  })

  it('is written in data as fields and a template that only substitutes names', () => {
    const template = '{first} {last}, {age}{none}: {constructor} ${first} {{first}} {first.length} $& {x}'
    const model = objectOf({
      label: linkedText({ computedFrom: { fields: ['first', 'last', 'age', 'none'], template } }),
      first: { const: '$&' },
      last: { const: 'Love"lace' },
      age: { const: 36 },
      none: { const: null },
    })
    expect(valuesOf(model, 1)).toMatchObject([
      { label: '$& Love"lace, 36: {constructor} $$& {$&} {first.length} $& {x}' },
    ])
  })

  it('fills a template that is an object, with fields of the input, too', () => {
    const template = { self: { href: '/orgs/{org}/teams/{id}' }, tags: ['{id}'], isTemplated: false }
    const model = objectOf({
      links: { type: 'object', 'x-sim-link': { computedFrom: { fields: ['id'], input: ['org'], template } } },
      id: { const: 7 },
    })
    expect(valuesOf(model, 1, scopeOf({ org: 'red' }))).toEqual([
      { id: 7, links: { self: { href: '/orgs/red/teams/7' }, tags: ['7'], isTemplated: false } },
    ])
  })

  it.for<unknown>([
    'x',
    { fields: ['a'], template: '', input: 'b' },
    { fields: ['a'] },
    { template: '{a}' },
    { fields: 'a', template: '{a}' },
    { fields: [1], template: '' },
    { fields: ['a'], template: '', by: 'b', cases: [] },
    { fields: ['a'], template: '', by: 'a', cases: [1] },
  ])('refuses the data %j', (data) => {
    expect(() => linkOf(linkedText({ computedFrom: data }))).toThrow(
      'computedFrom takes { fields: [<name>, …], template: "{name} …" }',
    )
  })

  it('takes the template for the value of a field, where it is given for that', () => {
    const cases = [
      { equals: 'draft', template: '' },
      { equals: null, template: 'none' },
    ]
    const link = {
      computedFrom: { fields: ['title'], input: ['status'], by: 'status', cases, template: '/{title}' },
    }
    const model = objectOf({ link: linkedText(link), title: { const: 'sea' } })
    const linkFor = (input: object): unknown => valuesOf(model, 1, scopeOf({ ...input }))[0]
    expect([{ status: 'draft' }, { status: 'open' }, {}].map(linkFor)).toEqual(
      ['', '/sea', 'none'].map((text) => ({ link: text, title: 'sea' })),
    )
  })

  it('has parts of texts in a template, and texts with a capital', () => {
    const template = '{mail|before @|capital} of {mail|after @}, {path|before /} {path|after :}, {path|odd}'
    const model = objectOf({
      label: linkedText({ computedFrom: { fields: ['mail', 'path'], template } }),
      mail: { const: 'ann@mail.test' },
      path: { const: 'a/b/c' },
    })
    expect(valuesOf(model, 1)).toMatchObject([{ label: 'Ann of mail.test, a , {path|odd}' }])
  })
})
