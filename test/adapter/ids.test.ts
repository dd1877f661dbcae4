import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIdSource } from '../../src/adapter/ids.ts'

const part = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
const parts = fc.array(part, { maxLength: 4 })

describe('ids', () => {
  it('are the same for the same seed and parts, whatever was made before', () => {
    fc.assert(
      fc.property(fc.integer(), parts, parts, (seed, place, before) => {
        const used = createIdSource(seed)
        used.uuid(...before)
        used.number(...before)
        const fresh = createIdSource(seed)
        expect(used.uuid(...place)).toBe(fresh.uuid(...place))
        expect(used.number(...place)).toBe(fresh.number(...place))
        expect(used.hex(64, ...place)).toBe(fresh.hex(64, ...place))
      }),
    )
  })

  it('differ where seed or parts do', () => {
    fc.assert(
      fc.property(fc.integer(), parts, fc.integer(), parts, (seed, place, other, others) => {
        fc.pre(seed !== other || JSON.stringify(place) !== JSON.stringify(others))
        expect(createIdSource(seed).uuid(...place)).not.toBe(createIdSource(other).uuid(...others))
      }),
    )
  })

  it('have their forms', () => {
    const ids = createIdSource(1)
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 64 }), (place, length) => {
        expect(ids.uuid(...place)).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
        const number = ids.number(...place)
        expect(Number.isSafeInteger(number) && number >= 1 && number <= 2 ** 52).toBe(true)
        expect(ids.hex(length, ...place)).toMatch(new RegExp(`^[\\da-f]{${length}}$`))
      }),
    )
  })
})
