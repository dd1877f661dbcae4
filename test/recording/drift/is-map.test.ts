import { describe, expect, it } from 'vitest'
import { isMap } from '../../../src/recording/drift/is-map.ts'
import { createSeen, see } from '../../../src/recording/drift/seen.ts'

function isMapOf(...values: readonly unknown[]): boolean {
  const seen = createSeen()
  for (const value of values) see(seen, value)
  return isMap(seen)
}

describe('isMap', () => {
  it.for<[string, boolean, boolean]>([
    ['names that are dates', true, isMapOf({ '2026-01-01': 1, '2026-01-02': 2 })],
    ['names that are addresses', true, isMapOf({ 'a@b.c': { n: 1 }, 'd@e.f': { n: 2 } })],
    [
      'names of one kind that come and go',
      true,
      isMapOf({ de: 'a', fr: 'b' }, { en: 'c', it: 'd' }, { de: 'e' }),
    ],
    [
      'many rare names of all kinds',
      true,
      isMapOf(
        ...Array.from({ length: 8 }, (_, index) => ({
          [`x${'abcdefgh'[index]}`]: index % 2 === 0 ? 1 : 'a',
        })),
      ),
    ],
    [
      'objects that share fields',
      true,
      isMapOf({ a: { n: 1 }, b: { n: 2 } }, { c: { n: 3 }, d: { n: 4, m: 1 } }),
    ],
    ['fields that always come', false, isMapOf({ a: 1, b: 2, c: 3, d: 4 }, { a: 1, b: 2, c: 3, d: 4 })],
    ['one field that always comes', false, isMapOf({ id: 1, b: 2, c: 3 }, { id: 1, d: 4, e: 5 })],
    ['a few optional fields', false, isMapOf({ a: 'x' }, { b: 'y' }, { c: 'z' })],
    ['fields of different kinds', false, isMapOf({ a: 'x', b: 1 }, { c: true, d: 'x' })],
    [
      'objects of different fields',
      false,
      isMapOf({ a: { x: 1 }, b: { y: 1 } }, { c: { z: 1 }, d: { w: 1 } }),
    ],
    ['numbered lines of an address', false, isMapOf({ line1: 'a', line2: 'b' }, { line1: 'c' })],
    [
      'fixed names that look like data',
      false,
      isMapOf(...Array.from({ length: 3 }, () => ({ '1h': 1, '24h': 2 }))),
    ],
    ['nothing', false, isMapOf({})],
  ])('knows %s: %s', ([, expected, actual]) => {
    expect(actual).toBe(expected)
  })
})
