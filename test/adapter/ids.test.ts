import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIdSource } from '../../src/adapter/ids.ts'

const part = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
const parts = fc.array(part, { maxLength: 4 })

describe('ids', () => {
  it('are the same for the same seed and parts, whatever was asked before', () => {
    fc.assert(
      fc.property(fc.integer(), parts, parts, (seed, asked, before) => {
        const used = createIdSource(seed)
        used.uuid(...before)
        used.number(...before)
        const fresh = createIdSource(seed)
        expect(used.uuid(...asked)).toBe(fresh.uuid(...asked))
        expect(used.number(...asked)).toBe(fresh.number(...asked))
        expect(used.hex(64, ...asked)).toBe(fresh.hex(64, ...asked))
      }),
    )
  })

  it('differ where seed or parts do', () => {
    fc.assert(
      fc.property(fc.integer(), parts, fc.integer(), parts, (seed, asked, other, others) => {
        fc.pre(seed !== other || JSON.stringify(asked) !== JSON.stringify(others))
        expect(createIdSource(seed).uuid(...asked)).not.toBe(createIdSource(other).uuid(...others))
      }),
    )
  })

  it('have their forms', () => {
    const ids = createIdSource(1)
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 64 }), (asked, length) => {
        expect(ids.uuid(...asked)).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
        const number = ids.number(...asked)
        expect(Number.isSafeInteger(number) && number >= 1 && number <= 2 ** 52).toBe(true)
        expect(ids.hex(length, ...asked)).toMatch(new RegExp(`^[\\da-f]{${length}}$`))
      }),
    )
  })
})
