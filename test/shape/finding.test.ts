import { pointerBelow } from '../../src/engine/schema/pointer.ts'
import { describe, expect, it } from 'vitest'
import { createComparison } from '../../src/shape/compare-value.ts'
import {
  type Change,
  nameOfSchema,
  finding,
  nearestForm,
  type Severity,
  shown,
  shownAll,
  typeOf,
} from '../../src/shape/finding.ts'

describe('finding', () => {
  it.for<[Change, Severity]>([
    ['field removed', 'breaking'],
    ['status not declared', 'breaking'],
    ['new enum value', 'warning'],
    ['field added', 'additive'],
  ])('calls "%s" %s', ([change, severity]) => {
    expect(finding(change, '/a', 'was', 'is')).toEqual({
      change,
      severity,
      part: 'body',
      pointer: '/a',
      expected: 'was',
      actual: 'is',
    })
  })
})

describe('nearest form', () => {
  it('takes the form of the right type that differs least', () => {
    const other = finding('type changed', '/a', 'string', 'object')
    const far = finding('field removed', '/a/x', 'string', 'nothing')
    const near = finding('field added', '/a/y', 'nothing', 'string')
    expect(nearestForm([[other], [far], [near]], {}, '/a')).toEqual([near])
    expect(nearestForm([[other], [far, near], []], {}, '/a')).toEqual([])
    expect(nearestForm([[other]], {}, '/a')).toEqual([other])
  })

  it('reports null where no form takes it', () => {
    const none = finding('newly null', '', 'string', 'null')
    expect(nearestForm([[none], [none]], null, '')).toMatchObject([
      { change: 'newly null', expected: 'a value' },
    ])
  })

  it('goes by a constant before all others', () => {
    const form = (kind: string, ...names: string[]): object => ({
      type: 'object',
      properties: {
        kind: { const: kind },
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      },
      required: ['kind', ...names],
    })
    const compare = createComparison({ oneOf: [form('card', 'last4'), form('bank', 'iban', 'bic', 'owner')] })
    expect(compare({ kind: 'bank', last4: '1' }).map(({ pointer }) => pointer)).toEqual([
      '/iban',
      '/bic',
      '/owner',
      '/last4',
    ])
  })
})

describe('value text', () => {
  it('calls types as JSON Schema does', () => {
    expect([null, [], {}, 1, 1.5, 'a', true].map(typeOf)).toEqual([
      ...['null', 'array', 'object', 'integer', 'number', 'string', 'boolean'],
    ])
    expect(nameOfSchema({ type: ['string', 'null'] })).toBe('string or null')
    expect([nameOfSchema(undefined), nameOfSchema(true), nameOfSchema({})]).toEqual([
      'a value',
      'a value',
      'a value',
    ])
  })

  it('cuts long values short, and escapes pointers', () => {
    expect(shown('x'.repeat(1000))).toHaveLength(81)
    expect(shownAll(Array.from({ length: 9 }, (_, index) => index))).toBe('0, 1, 2, 3, 4, 5, 6, 7, …')
    expect(pointerBelow('/a', 'b/c~d')).toBe('/a/b~1c~0d')
  })
})
