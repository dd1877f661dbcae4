import { describe, expect, it } from 'vitest'
import { isWithin, type Shape, shapeOf } from '../../src/filter/geometry.ts'

type Ring = readonly (readonly [number, number])[]

const areaOf = (...rings: readonly Ring[]): Shape =>
  shapeOf({ type: 'Polygon', coordinates: rings.map((ring) => [...ring, ring[0]]) }) as Shape

const square = (from: number, to: number): Ring => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
]

/** Open at the top, between 3 and 7. */
const cup = areaOf([
  [0, 0],
  [10, 0],
  [10, 10],
  [7, 10],
  [7, 3],
  [3, 3],
  [3, 10],
  [0, 10],
])

describe('an area within an area', () => {
  it('lies in it with all it covers, not with its corners alone', () => {
    const holed = areaOf(square(0, 10), square(4, 6))
    expect(isWithin(areaOf(square(1, 2)), holed)).toBe(true)
    expect(isWithin(areaOf(square(3, 7), square(4, 6)), holed)).toBe(true)
    expect(isWithin(areaOf(square(3, 7)), holed)).toBe(false)
  })

  it('does not lie in a bay whose corners it touches', () => {
    const arrow = areaOf([
      [0, 0],
      [10, 0],
      [5, 4],
    ])
    const dented = areaOf([
      [0, 0],
      [5, 4],
      [10, 0],
      [10, 10],
      [0, 10],
    ])
    expect(isWithin(arrow, dented)).toBe(false)
    const mouth = areaOf([
      [3, 10],
      [7, 10],
      [7, 3],
    ])
    expect(isWithin(mouth, cup)).toBe(false)
    expect(isWithin(cup, cup)).toBe(true)
  })

  it('may lie in several areas together', () => {
    const halves = shapeOf({
      type: 'MultiPolygon',
      coordinates: [square(0, 6), square(4, 10)].map((ring) => [[...ring, ring[0]]]),
    }) as Shape
    expect(isWithin(areaOf(square(3, 7)), halves)).toBe(false)
    expect(isWithin(areaOf(square(4, 6)), halves)).toBe(true)
  })
})
