import { describe, expect, it } from 'vitest'
import { setEntry } from '../../../src/engine/schema/schema.ts'

describe('setEntry', () => {
  it('gives an object an entry of its own, whatever its name', () => {
    const value = {}
    setEntry(value, 'a', 1)
    setEntry(value, '__proto__', { polluted: true })
    setEntry(value, '__proto__', 2)
    expect(Object.entries(value)).toEqual([
      ['a', 1],
      ['__proto__', 2],
    ])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})
