import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import {
  bindLink,
  defineLink,
  KEEP,
  linkFromData,
  linkOf,
  registerLink,
  orderFields,
  textsOf,
} from '../../../src/engine/links/link.ts'
import { LINK } from '../../../src/engine/schema/schema.ts'
import { ModelInvalid } from '../../../src/errors.ts'
import { fieldOf, linkedText, UNLIKELY } from './linking.ts'
import '../../../src/engine/links/built-in.ts'

describe('defineLink', () => {
  it('makes a link of a function', () => {
    const Twice = defineLink(
      'twice',
      ({ input }, field: string) => `${String(input[field])}${String(input[field])}`,
    )
    expect(fieldOf({ type: 'string', ...Twice('a') }, { a: 'x' })).toBe('xx')
    expect(Twice.linkName).toBe('twice')
  })

  it('makes a link of parts', () => {
    const Joined = defineLink('joined', {
      resolve: ({ siblings }, separator: string, ...fields: string[]) =>
        fields.map((field) => siblings[field]).join(separator),
      siblings: (_separator: string, ...fields: string[]) => fields,
      toData: (separator: string, ...fields: string[]) => ({ separator, fields }),
    })
    const model = {
      type: 'object',
      properties: { all: { type: 'string', ...Joined('-', 'a', 'b') }, a: { const: 1 }, b: { const: 2 } },
    }
    expect(JSON.stringify(model.properties.all)).toBe(
      '{"type":"string","x-sim-link":{"joined":{"separator":"-","fields":["a","b"]}}}',
    )
    expect(fieldOf(model)).toEqual({ all: '1-2', a: 1, b: 2 })
    expect(linkOf(model.properties.all)).toMatchObject({
      name: 'joined',
      siblings: ['a', 'b'],
      inputFields: [],
    })
    expect(linkOf(model.properties.all)?.problems()).toEqual([])
  })

  it('leaves the field generated for KEEP and undefined', () => {
    const Nothing = defineLink('nothing', (_context, value: unknown) => value)
    for (const value of [KEEP, undefined]) {
      expect(fieldOf({ type: 'string', format: 'uuid', ...Nothing(value) })).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('gives draws that belong to the field alone', () => {
    const Random = defineLink('random', ({ random }) => [random(), random()])
    const numbers = { type: 'array', items: { type: 'number' }, ...Random() }
    const drawn = fieldOf(numbers) as number[]
    expect(drawn).toEqual(fieldOf(numbers))
    expect(drawn[0]).not.toBe(drawn[1])
    expect(drawn.every((each) => each >= 0 && each < 1)).toBe(true)
  })

  it.for<[unknown[], unknown]>([
    [[], []],
    [['a'], 'a'],
    [[7], 7],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [[['a', 'b']], [['a', 'b']]],
    [[{ k: 1 }], { k: 1 }],
  ])('writes the arguments %j as data and reads them back', ([args, data]) => {
    const seen: unknown[][] = []
    const Any = defineLink('any', (_context, ...given: unknown[]) => void seen.push(given))
    expect(Any(...args)[LINK]).toEqual({ any: data })
    fieldOf({ type: 'string', ...Any(...args) })
    registerLink(Any)
    fieldOf(linkedText({ any: data }))
    expect(seen).toEqual([args, args])
  })

  it('makes links that schema libraries keep when they rebuild a schema', () => {
    const Secret = defineLink('secret', () => UNLIKELY)
    const model = Type.Object({ f: Type.String(Secret()), g: Type.Number() })
    for (const rebuilt of [
      Type.Partial(model),
      Type.Pick(model, ['f']),
      Type.Omit(model, ['g']),
      Type.Required(Type.Partial(model)),
    ]) {
      expect(fieldOf(rebuilt as never)).toMatchObject({ f: UNLIKELY })
    }
  })
})

describe('registerLink', () => {
  it('makes a link known to data, a later one of the same name in its place', () => {
    process.env['SIM_TEST_HOME'] = UNLIKELY
    const FromEnv = defineLink('fromEnv', (_context, name: string) => process.env[name])
    expect(() => fieldOf(linkedText({ fromEnv: 'SIM_TEST_HOME' }))).toThrow(
      /names no known link: 'fromEnv'. Known: fromInput, /,
    )
    registerLink(FromEnv)
    expect(fieldOf(linkedText({ fromEnv: 'SIM_TEST_HOME' }))).toBe(UNLIKELY)
    registerLink(defineLink('fromEnv', () => 'replaced'))
    expect(fieldOf(linkedText({ fromEnv: 'SIM_TEST_HOME' }))).toBe('replaced')
    expect(fieldOf({ type: 'string', ...FromEnv('SIM_TEST_HOME') })).toBe(UNLIKELY)
  })
})

describe('linkOf', () => {
  it('finds no link where there is none', () => {
    expect([linkOf(true), linkOf({}), linkOf({ type: 'string' })]).toEqual([undefined, undefined, undefined])
  })

  it.for<[unknown, RegExp]>([
    ['name', /must be an object such as \{ fromInput: name \}/],
    [null, /must be an object/],
    [['fromInput'], /must be an object/],
    [{}, /must name exactly one link/],
    [{ fromInput: 'a', fromHeader: 'b' }, /must name exactly one link/],
    [{ fromNowhere: 'a' }, /names no known link: 'fromNowhere'/],
    [{ constructor: 'a' }, /names no known link: 'constructor'/],
  ])('refuses %j', ([keyword, message]) => {
    expect(() => linkOf({ [LINK]: keyword })).toThrow(message)
    expect(() => bindLink(keyword)).toThrow(ModelInvalid)
  })
})

describe('linkFromData', () => {
  it('gives a link like one made in code', () => {
    const link = linkFromData({ fromInput: 'name' })
    expect(link).toEqual(FromInput('name'))
    expect(bindLink(link[LINK])).toBe(bindLink(link[LINK]))
  })
})

const order = (needs: Record<string, string[]>): string[] => orderFields('M', new Map(Object.entries(needs)))

describe('orderFields', () => {
  it('keeps the declared order where it can', () => {
    expect(order({ c: [], a: [], b: ['c'] })).toEqual(['c', 'a', 'b'])
    expect(order({ c: ['a'], b: [], a: [] })).toEqual(['a', 'c', 'b'])
    expect(order({ a: ['nowhere'] })).toEqual(['a'])
  })

  it('names a circle', () => {
    expect(() => order({ x: ['a'], a: ['b'], b: ['a'] })).toThrow(
      'M: fields are computed from each other in a circle: a → b → a',
    )
    expect(() => order({ a: ['a'] })).toThrow('in a circle: a → a')
  })

  it('has every field once, each after what it needs', () => {
    const fields = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
    const needs = fc.array(fc.array(fc.nat(7), { maxLength: 4 }), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(needs, fc.shuffledSubarray([...fields], { minLength: 8 }), (picks, declared) => {
        // Each needs only earlier letters, so that there is no circle.
        const map = new Map<string, string[]>(
          declared.map((name) => {
            const index = fields.indexOf(name)
            return [
              name,
              (picks[index] ?? []).filter((pick) => pick < index).map((pick) => fields[pick] ?? ''),
            ]
          }),
        )
        const ordered = orderFields('M', map)
        expect(ordered.toSorted()).toEqual([...fields])
        for (const [name, needed] of map) {
          for (const each of needed) expect(ordered.indexOf(each)).toBeLessThan(ordered.indexOf(name))
        }
      }),
    )
  })
})

describe('textsOf', () => {
  it('reads one text or two', () => {
    expect(textsOf('usage')('a')).toEqual(['a'])
    expect(textsOf('usage', 2)(['a', 'b'])).toEqual(['a', 'b'])
  })

  it.for<[1 | 2, unknown]>([
    [1, 7],
    [1, ''],
    [1, null],
    [1, ['a']],
    [1, { a: 1 }],
    [2, 'a'],
    [2, ['a']],
    [2, ['a', 'b', 'c']],
    [2, ['a', 1]],
  ])('takes for %d no %j', ([count, data]) => {
    const read = count === 1 ? textsOf('x takes a name') : textsOf('x takes a name', 2)
    expect(() => read(data)).toThrow('x takes a name')
  })
})

describe('the built-in links', () => {
  it.for<[string, unknown]>([
    ['fromInput', 'name'],
    ['dateRangeFrom', ['start', 'end']],
    ['whenInput', { field: 'a', equals: 1, then: { fromInput: 'name' } }],
    ['computedFrom', { fields: ['a'], template: '{a}' }],
    ['fromHeader', 'x-tenant'],
    ['fromCookie', 'sid'],
    ['fromJsonFixture', { path: 'a.json', pointer: '/a' }],
    ['fromNestedFixture', { path: 'a.json', pointer: '/a', where: { id: 'id' } }],
  ])('are known to data: %s', ([name, data]) => {
    expect(linkOf(linkedText({ [name]: data }))?.name).toBe(name)
  })
})
