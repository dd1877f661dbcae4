import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bracketTree } from '../../../src/engine/bracket-names.ts'
import type { Parameter } from '../../../src/engine/operation.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import {
  decodeBare,
  decodeNamed,
  formPairs,
  cookiePairs,
  decodeForm,
  pairOf,
} from '../../../src/openapi/serve/parameter-style.ts'
import type { Shape } from '../../../src/openapi/serve/text-tree.ts'
import { parameter, readerOf, type Sent } from './reading.ts'

const STYLES: readonly (readonly [Parameter['in'], Parameter['style'], readonly Shape[]])[] = [
  ['path', 'simple', ['text', 'list', 'object']],
  ['path', 'label', ['text', 'list', 'object']],
  ['path', 'matrix', ['text', 'list', 'object']],
  ['query', 'form', ['text', 'list', 'object']],
  ['query', 'spaceDelimited', ['list', 'object']],
  ['query', 'pipeDelimited', ['list', 'object']],
  ['query', 'deepObject', ['object']],
  ['header', 'simple', ['text', 'list', 'object']],
  ['cookie', 'form', ['text', 'list', 'object']],
]
const CASES = STYLES.flatMap(([place, style, shapes]) =>
  shapes.flatMap((shape) => [true, false].map((explode) => ({ place, style, shape, explode }))),
).filter(({ style, explode }) => style !== 'deepObject' || explode)

// What a style cannot distinguish from its own delimiters: no escape helps in a header, nor where the delimiter is one.
function textIn(place: Parameter['in'], style: Parameter['style']) {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .filter((each) => Buffer.from(each).toString() === each)
  if (place === 'header') return fc.stringMatching(/^[A-Za-z0-9%+;|'()]{1,8}$/)
  if (style === 'spaceDelimited') return text.filter((each) => !/[ ]/.test(each))
  if (style === 'pipeDelimited') return text.filter((each) => !each.includes('|'))
  return text
}

const scalarModels = [
  { type: 'string' },
  { type: 'integer' },
  { type: 'boolean' },
  { type: 'number' },
] as const

function scalarOf(type: string, text: fc.Arbitrary<string>): fc.Arbitrary<string | number | boolean> {
  if (type === 'string') return text
  if (type === 'boolean') return fc.boolean()
  return type === 'integer'
    ? fc.integer()
    : fc
        .double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
        .map((each) => (each === 0 ? 0 : each))
}

describe('a parameter', () => {
  it.for(CASES)('is read back in $place as $style, a $shape, explode $explode', (given) => {
    const { place, style, shape, explode } = given
    const text = textIn(place, style)
    const isPlain = ['spaceDelimited', 'pipeDelimited', 'deepObject'].includes(style) || place === 'header'
    const value = fc
      .constantFrom(...scalarModels)
      .chain((model): fc.Arbitrary<{ model: Schema; value: Value }> => {
        const scalar = scalarOf(model.type, text)
        if (shape === 'text') return scalar.map((each) => ({ model, value: each }))
        if (shape === 'list') {
          return fc
            .array(scalar, { minLength: 1, maxLength: 4 })
            .map((each) => ({ model: { type: 'array', items: model }, value: each }))
        }
        const names = ['R', 'G', 'B', 'ä,&=', 'a b', '[]', '|']
        const keys = fc.constantFrom(...(isPlain ? names.slice(0, 3) : names))
        return fc.dictionary(keys, scalar, { minKeys: 1, maxKeys: 4, noNullPrototype: true }).map((each) => ({
          model: { type: 'object', additionalProperties: model },
          value: each,
        }))
      })
    fc.assert(
      fc.property(value, ({ model, value }) => {
        const described = parameter({ name: 'color', in: place, style, explode, model, required: true })
        const read = readerOf(place === 'path' ? '/x/{color}' : '/x', { parameters: [described] }, 'GET')
        expect(read(requestWith(described, value))).toEqual({ color: value })
      }),
    )
  })
})

describe('the style table of OpenAPI 3.1', () => {
  const list = ['blue', 'black', 'brown']
  const object = { R: 100, G: 200, B: 150 }

  it.for([
    ['matrix', false, ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['matrix', true, ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
    ['label', false, '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['label', true, '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    ['simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
    ['form', false, 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
    ['form', true, 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
    ['spaceDelimited', false, '', 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
    ['pipeDelimited', false, '', 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
    ['deepObject', true, '', '', 'color[R]=100&color[G]=200&color[B]=150'],
  ] as const)('is kept for %s, explode %j', ([style, explode, text, texts, named]) => {
    const described = parameter({ name: 'color', in: 'query', style, explode })
    const isBare = ['matrix', 'label', 'simple'].includes(style)
    const decode = (written: string, shape: Shape) =>
      isBare
        ? decodeBare(written, described, shape, { decode: decodeURIComponent })
        : decodeNamed(formPairs(written), described, shape, { decode: decodeURIComponent })
    const fields = new Map(Object.entries(object).map(([name, value]) => [name, String(value)]))

    expect(decode(named, 'object')).toEqual(fields)
    expect(writeParameter(described, object)).toBe(named)
    if (texts !== '') {
      expect(decode(texts, 'list')).toEqual(list)
      expect(writeParameter(described, list)).toBe(texts)
    }
    if (text !== '') expect(decode(text, 'text')).toBe('blue')
  })

  it.for([
    ['label', 'blue'],
    ['matrix', 'blue'],
    ['matrix', ';colour=blue'],
  ] as const)('has no %s value in %s', ([style, written]) => {
    const described = parameter({ name: 'color', in: 'path', style })
    expect(decodeBare(written, described, 'text', { decode: String })).toBeUndefined()
  })

  it.for([
    ['form', false, 'list', 'color=', []],
    ['form', true, 'list', 'color=', []],
    ['form', false, 'object', 'color=', new Map()],
    ['form', true, 'text', 'color', ''],
    ['spaceDelimited', false, 'list', 'color=a+b', ['a', 'b']],
    ['pipeDelimited', false, 'list', 'color=a|b', ['a', 'b']],
    ['form', false, 'list', 'color=a,b&color=c', ['a', 'b', 'c']],
    ['form', false, 'object', 'color=R,1,G', new Map([...Object.entries({ R: '1', G: '' })])],
  ] as const)('forgives %s, explode %j: the %s %s', ([style, explode, shape, written, expected]) => {
    const described = parameter({ name: 'color', in: 'query', style, explode })
    const decoded = decodeNamed(formPairs(written), described, shape, { decode: decodeURIComponent })
    expect(decoded).toEqual(expected)
  })
})

describe('pairs', () => {
  it.for([
    ['', []],
    ['a', [['a', '']]],
    ['a=b=c', [['a', 'b=c']]],
    [
      '&a=1&&b=%20+',
      [
        ['a', '1'],
        ['b', '%20+'],
      ],
    ],
    ['a%5Bb%5D+c=1', [['a[b] c', '1']]],
  ] as const)('of the form %s are %j', ([text, pairs]) => {
    expect(formPairs(text)).toEqual(pairs)
  })

  it.for([
    ['', []],
    [
      'a=1; b="2";c=3=4 ; d',
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3=4'],
      ],
    ],
  ] as const)('of the cookies %s are %j', ([text, pairs]) => {
    expect(cookiePairs(text)).toEqual(pairs)
  })

  it('decode what is malformed as it stands', () => {
    expect(decodeForm('%zz+%41')).toBe('%zz A')
    expect(pairOf('=x')).toEqual(['', 'x'])
  })

  it.for([
    ['a[b]=1', { b: '1' }],
    ['a[b]=1&a[b]=2', { b: '2' }],
    ['a[b][c]=1&a[b][d]=2&x[b]=3', { b: { c: '1', d: '2' } }],
    ['a[]=1&a[]=2', { '': ['1', '2'] }],
    ['a[b][]=1&a[b][]=2', { b: { '': ['1', '2'] } }],
    ['a[b]=1&a[b][c]=2', { b: { c: '2' } }],
    ['a[b=1', undefined],
    ['a[b]c=1', undefined],
    [`a${'[b]'.repeat(33)}=1`, undefined],
  ] as const)('in brackets, %s, are %j', ([text, value]) => {
    const plain = (tree: unknown): unknown =>
      tree instanceof Map ? Object.fromEntries([...tree].map(([name, each]) => [name, plain(each)])) : tree
    expect(plain(bracketTree(formPairs(text), 'a', (raw) => raw))).toEqual(value)
  })
})

type Scalar = string | number | boolean
type Value = Scalar | readonly Scalar[] | Readonly<Record<string, Scalar>>

// RFC 6570, section 3.2.1: everything outside of the unreserved characters is escaped.
function escape(text: Scalar): string {
  return encodeURIComponent(String(text)).replace(/[!'()*]/g, hex)
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Writes a value as OpenAPI 3.1's style table has it (Parameter Object). */
function writeParameter({ name, in: place, style, explode }: Parameter, value: Value): string {
  const encode = (text: Scalar): string => {
    if (place === 'header') return String(text)
    return style === 'label' ? escape(text).replaceAll('.', '%2E') : escape(text)
  }
  if (style === 'deepObject') {
    return Object.entries(value)
      .map(([key, each]) => `${name}[${escape(key)}]=${encode(each as Scalar)}`)
      .join('&')
  }
  const isNamed = style !== 'simple' && style !== 'label'
  const prefix = { label: '.', matrix: ';' }[style as string] ?? ''
  const between = { label: '.', matrix: ';', simple: ',' }[style as string] ?? '&'
  const within = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style as string] ?? ','
  const named = (text: string): string => (isNamed ? `${escape(name)}=${text}` : text)

  if (typeof value !== 'object') return prefix + named(encode(value))
  if (Array.isArray(value)) {
    const items = (value as Scalar[]).map(encode)
    return prefix + (explode ? items.map(named).join(between) : named(items.join(within)))
  }
  const entries = Object.entries(value).map(([key, each]) => [encode(key), encode(each)] as const)
  return explode
    ? prefix + entries.map((entry) => entry.join('=')).join(between)
    : prefix + named(entries.flat().join(within))
}

/** A request with a parameter in its place, to the path `/x/{name}` or `/x`. */
function requestWith(parameter: Parameter, value: Value): Sent {
  const text = writeParameter(parameter, value)
  if (parameter.in === 'path') return { path: `/x/${text}` }
  if (parameter.in === 'query') return { path: '/x', search: text }
  if (parameter.in === 'header') return { path: '/x', headers: { [parameter.name.toLowerCase()]: text } }
  // An exploded object that is open takes every other cookie for a field.
  const isOpen = parameter.explode && typeof value === 'object' && !Array.isArray(value)
  return { path: '/x', headers: { cookie: isOpen ? text : `a=b; ${text}` } }
}
