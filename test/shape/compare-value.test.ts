import { describe, expect, it } from 'vitest'
import { createComparison } from '../../src/shape/compare-value.ts'

const MODEL = {
  $defs: {
    count: { minimum: 0 },
    address: {
      type: 'object',
      properties: { city: { type: 'string' }, zip: { type: ['string', 'null'] } },
      required: ['city'],
    },
  },
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 1 },
    state: { type: 'string', enum: ['open', 'closed'] },
    at: { type: 'string', format: 'date-time' },
    price: { type: 'number' },
    tags: { type: 'array', items: { type: 'string' } },
    address: { $ref: '#/$defs/address' },
    count: { allOf: [{ $ref: '#/$defs/count' }, { type: 'integer', 'x-sim-link': { fromInput: 'n' } }] },
    items: {
      type: 'array',
      items: { allOf: [{ $ref: '#/$defs/address' }, { properties: { n: { type: 'integer' } } }] },
    },
    owner: {
      anyOf: [
        { type: 'object', properties: { login: { type: 'string' } }, required: ['login'] },
        { type: 'string' },
      ],
    },
    meta: { type: 'object', additionalProperties: { type: 'integer' } },
  },
  required: ['id', 'state', 'count'],
}
const CLEAN = {
  id: 1,
  state: 'open',
  at: '2026-01-31T10:00:00Z',
  price: 2,
  tags: ['a'],
  address: { city: 'Bonn', zip: null },
  items: [{ city: 'Rome', n: 1 }],
  owner: { login: 'ann' },
  count: 1,
  meta: { a: 1 },
}

function findings(change: object): string[] {
  return createComparison(MODEL)({ ...CLEAN, ...change }).map(
    (each) =>
      `${each.severity}: ${each.change} at ${each.pointer || '/'}: ${each.expected} -> ${each.actual}`,
  )
}

describe('createComparison', () => {
  it('finds nothing in an answer that fits', () => {
    expect(findings({})).toEqual([])
    expect(findings({ owner: 'ann', price: 1.5 })).toEqual([])
  })

  it.for<[string, object, string[]]>([
    ['a field added', { extra: true }, ['additive: field added at /extra: nothing -> boolean']],
    ['a field removed', { state: undefined }, ['breaking: type changed at /state: string -> undefined']],
    ['a type changed', { id: '1' }, ['breaking: type changed at /id: integer -> string']],
    ['a whole number no longer', { id: 1.5 }, ['breaking: type changed at /id: integer -> number']],
    ['a null', { at: null }, ['breaking: newly null at /at: string -> null']],
    ['a null among several forms', { owner: null }, ['breaking: newly null at /owner: a value -> null']],
    [
      'a new value of a closed set',
      { state: 'void' },
      ['warning: new enum value at /state: "open", "closed" -> "void"'],
    ],
    [
      'a format',
      { at: 'today' },
      ['warning: constraint broken at /at: must match format "date-time" -> "today"'],
    ],
    ['a bound', { id: 0 }, ['warning: constraint broken at /id: must be >= 1 -> 0']],
    ['a list that is one no longer', { tags: 'a' }, ['breaking: type changed at /tags: array -> string']],
    ['the items of a list', { tags: ['a', 1, 2] }, ['breaking: type changed at /tags/-: string -> integer']],
    [
      'a field below a reference',
      { address: {} },
      ['breaking: field removed at /address/city: string -> nothing'],
    ],
    [
      'a field renamed in items',
      { items: [{ town: 'Rome', n: 1 }] },
      [
        'breaking: field removed at /items/-/city: string -> nothing',
        'additive: field added at /items/-/town: nothing -> string',
      ],
    ],
    [
      'the form that was meant',
      { owner: { name: 'ann' } },
      [
        'breaking: field removed at /owner/login: string -> nothing',
        'additive: field added at /owner/name: nothing -> string',
      ],
    ],
    ['an entry of a record', { meta: { a: 'x' } }, ['breaking: type changed at /meta/*: integer -> string']],
  ])('finds %s', ([, change, expected]) => {
    expect(findings(change)).toEqual(expected)
  })

  it.for<[number, string, string]>([
    [2, 'additive', 'additive'],
    [11, 'warning', 'warning'],
    [12, 'breaking', 'warning'],
  ])('takes a first null for less where little was seen: %i values, %s', ([seen, severity, afterNull]) => {
    const inside = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'null' } } }
    const compare = createComparison({ ...inside, 'x-sim-seen': seen })
    expect(compare({ a: null, b: 1 }).map((found) => `${found.pointer} ${found.severity}`)).toEqual([
      `/a ${severity}`,
      `/b ${afterNull}`,
    ])
    const often = { properties: { in: { ...inside, 'x-sim-seen': 20 } }, 'x-sim-seen': seen }
    expect(createComparison(often)({ in: { a: null } })).toMatchObject([{ severity: 'breaking' }])
  })

  it('reports the type of a removed field whose model has more parts', () => {
    const { count: _count, ...value } = CLEAN
    expect(createComparison(MODEL)(value)).toMatchObject([
      { change: 'field removed', pointer: '/count', expected: 'integer' },
    ])
  })

  it('names a field that is gone', () => {
    const { state: _state, ...rest } = CLEAN
    expect(createComparison(MODEL)(rest)).toMatchObject([{ change: 'field removed', pointer: '/state' }])
  })

  it('escapes names in pointers', () => {
    expect(findings({ 'a/b~c': 1 })).toEqual(['additive: field added at /a~1b~0c: nothing -> integer'])
  })
})

it('takes what has an error where none was known for another outcome, and what has none where there always was one', () => {
  const known = (...names: string[]): Record<string, unknown> => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, {}])),
    required: names,
  })
  const severities = (names: string[], value: object): string[] =>
    createComparison(known(...names))(value).map(({ change, severity }) => `${severity}: ${change}`)
  expect(severities(['ok', 'user'], { ok: false, error: 'none' })).toEqual([
    'additive: field removed',
    'additive: field added',
  ])
  expect(severities(['ok', 'error'], { ok: true, user: {} })).toEqual([
    'additive: field removed',
    'additive: field added',
  ])
  expect(severities(['user', 'errors'], { errors: [] })).toEqual(['breaking: field removed'])
})
