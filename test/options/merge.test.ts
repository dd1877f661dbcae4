import { describe, expect, it } from 'vitest'
import { merge } from '../../src/options/merge.ts'

describe('merge', () => {
  it('lets flags win key by key, and the file where none was given', () => {
    const file = { a: 1, b: { c: [1], d: 2, e: 3 }, f: [1], g: 'x' }
    const flags = { a: undefined, b: { c: [], d: 4, e: undefined }, f: [2], h: false }
    expect(merge<object>(file, flags)).toEqual({ a: 1, b: { c: [1], d: 4, e: 3 }, f: [2], g: 'x', h: false })
  })

  it('takes what is not a plain table as one value', () => {
    const date = new Date(0)
    expect(merge<object>({ a: { b: 1 } }, { a: date })).toEqual({ a: date })
  })

  it('leaves out what neither says', () => {
    expect(merge<object>({}, { a: undefined, b: [], c: { d: undefined } })).toEqual({ c: {} })
  })
})
