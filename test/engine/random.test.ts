import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalText,
  chaosDraws,
  contentStream,
  hashText,
  oppositeOf,
  type Seed,
  Stream,
} from '../../src/engine/random.ts'

/** How many standard deviations counts are from what even chances give (Wilson and Hilferty). */
function deviations(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  const freedom = counts.length - 1
  const spread = 2 / (9 * freedom)
  return (Math.cbrt(chiSquare / freedom) - (1 - spread)) / Math.sqrt(spread)
}

function countDraws(classes: number, draws: number, draw: (index: number) => number): number[] {
  const counts = Array.from({ length: classes }, () => 0)
  for (let index = 0; index < draws; index++) {
    const drawn = draw(index)
    counts[drawn] = (counts[drawn] ?? 0) + 1
  }
  return counts
}

const root = contentStream(42, 'GET /users')

describe('Stream', () => {
  it('gives a child that does not depend on what was drawn before', () => {
    const fresh = new Stream(1, 2)
    const used = new Stream(1, 2)
    for (let index = 0; index < 10; index++) used.next()
    used.child(1).uint32()
    expect(used.child(7).uint32()).toBe(fresh.child(7).uint32())
    expect(used.childOf('x').uint32()).toBe(fresh.childOf('x').uint32())
  })

  it('gives the same draws for the same place, and others for others', () => {
    const draws = (stream: Stream): number[] => Array.from({ length: 5 }, () => stream.uint32())
    expect(draws(contentStream(1, 'a').child(3))).toEqual(draws(contentStream('1', 'a').child(3)))
    const places = [
      contentStream(1, 'a'),
      contentStream(2, 'a'),
      contentStream(1, 'b'),
      contentStream(1, 'a').child(0),
      contentStream(1, 'a').child(1),
      contentStream(1, 'a').child(0).child(0),
      contentStream(1, 'a').childOf(''),
      contentStream(1, 'a').childOf('{}'),
    ]
    expect(new Set(places.map((place) => draws(place).join())).size).toBe(places.length)
  })

  it.for<[string, (index: number) => number]>([
    [
      'of one stream',
      (
        (stream: Stream) => () =>
          stream.next()
      )(root.child(1)),
    ],
    ['of neighbouring items', (index) => root.child(index).next()],
    ['of one field of neighbouring items', (index) => root.child(index).child(hashText('price')).next()],
    ['of neighbouring seeds', (index) => contentStream(index, 'GET /users').child(0).next()],
    ['of neighbouring inputs', (index) => root.childOf(`{"id":"${index}"}`).next()],
  ])('draws evenly: %s', ([, next]) => {
    const draws = Array.from({ length: 100_000 }, (_, index) => next(index))
    const drawAt = (index: number): number => draws[index] ?? 0
    expect(
      Math.abs(deviations(countDraws(500, 100_000, (index) => Math.floor(drawAt(index) * 500)))),
    ).toBeLessThan(4)
    const pairs = countDraws(
      400,
      99_999,
      (index) => Math.floor(drawAt(index) * 20) * 20 + Math.floor(drawAt(index + 1) * 20),
    )
    expect(Math.abs(deviations(pairs))).toBeLessThan(4)
    expect(
      Math.abs(deviations(countDraws(256, 100_000, (index) => (drawAt(index) * 2 ** 32) % 256))),
    ).toBeLessThan(4)
  })

  it('picks and draws integers evenly', () => {
    const stream = root.child(2)
    expect(Math.abs(deviations(countDraws(7, 70_000, () => stream.integer(-3, 3) + 3)))).toBeLessThan(4)
    const items = ['a', 'b', 'c', 'd', 'e'] as const
    expect(
      Math.abs(deviations(countDraws(5, 50_000, () => items.indexOf(stream.pick(items) ?? 'a')))),
    ).toBeLessThan(4)
    const wide = countDraws(100, 50_000, () => Math.floor(stream.integer(0, 2 ** 52 - 1) / (2 ** 52 / 100)))
    expect(Math.abs(deviations(wide))).toBeLessThan(4)
  })

  it('picks the other of two things under the opposite seed, everywhere', () => {
    const picked = (seed: Seed): unknown[] =>
      [contentStream(seed, 'a'), contentStream(seed, 'a').child(1).childOf('x')].flatMap((place) =>
        Array.from({ length: 20 }, () => [place.pick([1, 2]), place.bits() < 0]),
      )
    const other = (of: number): number => 3 - of
    expect(picked(oppositeOf(5))).toEqual(
      (picked(5) as [number, boolean][]).map(([item, isHigh]) => [other(item), !isHigh]),
    )
  })

  it('picks another of several things under the opposite seed', () => {
    const draws = (seed: Seed, of: number): unknown[] => {
      const place = contentStream(seed, 'b')
      return Array.from({ length: 50 }, () => place.integer(1, of))
    }
    for (const of of [3, 5, 8]) {
      const other = draws(oppositeOf(5), of)
      expect(draws(5, of).filter((each, at) => each === other[at])).toEqual([])
    }
  })

  it('picks nothing of nothing', () => {
    expect(root.child(3).pick([])).toBeUndefined()
  })

  it('draws integers within any range', () => {
    const bound = fc.oneof(
      fc.integer(),
      fc.maxSafeInteger(),
      fc.double({ noInteger: false, noNaN: true, noDefaultInfinity: true }).map(Math.trunc),
    )
    fc.assert(
      fc.property(bound, bound, fc.integer(), (a, b, salt) => {
        const [min, max] = [Math.min(a, b), Math.max(a, b)]
        const drawn = root.child(salt).integer(min, max)
        expect(Number.isInteger(drawn)).toBe(true)
        expect(drawn).toBeGreaterThanOrEqual(min)
        expect(drawn).toBeLessThanOrEqual(max)
      }),
      { numRuns: 2000 },
    )
    expect(root.child(1).integer(-Number.MAX_VALUE, Number.MAX_VALUE)).not.toBe(
      root.child(2).integer(-Number.MAX_VALUE, Number.MAX_VALUE),
    )
  })

  it('reaches both ends of a range', () => {
    const stream = root.child(4)
    const drawn = new Set(Array.from({ length: 100 }, () => stream.integer(5, 7)))
    expect([...drawn].toSorted()).toEqual([5, 6, 7])
  })

  // Streams with the same state draw the same, so 53 bits of draws distinguish a million states.
  it('gives a million children of a thousand parents states of their own', () => {
    const states = new Set<number>()
    for (let parent = 0; parent < 1000; parent++) {
      const stream = root.child(parent)
      for (let index = 0; index < 1000; index++) {
        const child = stream.child(index)
        states.add(child.uint32() * 2 ** 21 + (child.uint32() >>> 11))
      }
    }
    expect(states.size).toBe(1_000_000)
  })

  it('gives texts that share a hash places of their own', () => {
    const byHash = new Map<number, string>()
    let shared = 0
    for (let index = 0; index < 500_000; index++) {
      const text = `{"id":"${index}","name":"user${index % 7}"}`
      const hash = hashText(text)
      const other = byHash.get(hash)
      byHash.set(hash, text)
      if (other === undefined) continue
      shared++
      expect(root.childOf(text).uint32()).not.toBe(root.childOf(other).uint32())
    }
    expect(shared).toBeGreaterThan(5)
  })
})

describe('chaosDraws', () => {
  const draws = (...args: Parameters<typeof chaosDraws>): number[] => {
    const next = chaosDraws(...args)
    return Array.from({ length: 5 }, () => next())
  }

  it('fails ten requests in a row, or none of ten, no more often than chance has it', () => {
    const alike = Array.from({ length: 4000 }, (_, seed) => {
      const fails = Array.from(
        { length: 10 },
        (_, index) => chaosDraws(seed, 'errors', 'GET /users', 10 + index)() < 0.5,
      )
      return fails.every((each) => each === fails[0])
    })
    // Two in 1024, which is 7.8 of these; twice in a million times there are 25.
    expect(alike.filter(Boolean).length).toBeLessThan(25)
  })

  it('repeats for the same seed, kind, route and request', () => {
    expect(draws(1, 'errors', 'GET /a', 3)).toEqual(draws(1, 'errors', 'GET /a', 3))
  })

  it('differs where one of them does', () => {
    const all = [
      draws(1, 'errors', 'GET /a', 3),
      draws(2, 'errors', 'GET /a', 3),
      draws(1, 'latency', 'GET /a', 3),
      draws(1, 'errors', 'GET /b', 3),
      draws(1, 'errors', 'GET /a', 4),
    ]
    expect(new Set(all.map((each) => each.join())).size).toBe(all.length)
  })

  it('draws evenly over the requests of a route', () => {
    const counts = countDraws(100, 20_000, (ordinal) =>
      Math.floor(chaosDraws(7, 'errors', 'GET /a', ordinal)() * 100),
    )
    expect(Math.abs(deviations(counts))).toBeLessThan(4)
  })
})

describe('canonicalText', () => {
  it('is the same for equal values, whatever the order of their keys', () => {
    expect(canonicalText({ b: { d: 1, c: [{ f: 1, e: 2 }] }, a: null })).toBe(
      '{"a":null,"b":{"c":[{"e":2,"f":1}],"d":1}}',
    )
    expect(canonicalText({ a: 1, b: 2 })).toBe(canonicalText({ b: 2, a: 1 }))
  })

  it('differs for values that differ', () => {
    const values = [
      {},
      [],
      '',
      null,
      0,
      false,
      { a: '1' },
      { a: 1 },
      { a: [1] },
      ['a'],
      undefined,
      { a: null },
    ]
    expect(new Set(values.map(canonicalText)).size).toBe(values.length)
  })

  it('keeps a field called __proto__', () => {
    expect(canonicalText(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}')
  })

  it('is what JSON makes of an object whose names are sorted', () => {
    const name = fc.oneof(
      fc.string({ maxLength: 3 }),
      fc.constantFrom('a', 'b', '1', '10', '01', '__proto__'),
    )
    const scalar = fc.oneof(fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null))
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, scalar), { selector: ([key]) => key }), (entries) => {
        const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
        expect(canonicalText(Object.fromEntries(entries))).toBe(JSON.stringify(Object.fromEntries(sorted)))
      }),
    )
  })

  it('names the place that its value names', () => {
    const root = contentStream(7, 'GET /users')
    const name = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('1', '01', '__proto__', 'toJSON'))
    const value = fc.oneof(
      fc.dictionary(name, fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null)), {
        maxKeys: 20,
      }),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(value, (given) => {
        expect(root.childOfValue(given).bits()).toBe(root.childOf(canonicalText(given)).bits())
      }),
    )
    expect(root.childOfValue({ a: undefined, b: 1 }).bits()).toBe(root.childOf('{"b":1}').bits())
  })
})
