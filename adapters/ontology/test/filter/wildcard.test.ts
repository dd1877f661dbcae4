import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createWildcard } from '../../src/filter/patterns.ts'

it('matches as the regular expression it stands for', () => {
  const letters = (...from: string[]) =>
    fc.array(fc.constantFrom(...from), { maxLength: 8 }).map((all) => all.join(''))
  fc.assert(
    fc.property(letters('a', 'b', '*', '?'), letters('a', 'b', 'B'), (pattern, text) => {
      const same = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'i')
      expect(createWildcard(pattern)(text)).toBe(same.test(text))
    }),
    { numRuns: 1000 },
  )
})
