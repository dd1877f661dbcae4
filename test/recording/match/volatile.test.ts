import { describe, expect, it } from 'vitest'
import { createSettle, SETTLED } from '../../../src/recording/match/volatile.ts'
import { OptionInvalid } from '../../../src/errors.ts'

describe('createSettle', () => {
  it('replaces every match of every pattern, in short texts and long ones', () => {
    const withSettled = createSettle(['\\d{3,}', '(?<=run-)\\w+', '$&'])
    for (const letters of [10, 100_000])
      expect(withSettled(letters, (settle) => settle('a 12 123 1234 run-x'))).toBe(
        `a 12 ${SETTLED} ${SETTLED} run-${SETTLED}`,
      )
  })

  it('changes nothing without patterns', () => {
    expect(createSettle([])(1e9, (settle) => settle('123'))).toBe('123')
  })

  it.for([
    ['(a+)+b', 40],
    ['a*a*a*b', 20_000],
    ['a+b', 1_000_000],
  ] as const)('breaks off %s for %i letters', ([pattern, count]) => {
    const text = 'a'.repeat(count)
    const withSettled = createSettle(['x', pattern])
    let failure: unknown
    try {
      withSettled(text.length, (settle) => settle(text))
    } catch (error) {
      failure = error
    }
    expect(failure).toBeInstanceOf(OptionInvalid)
    expect((failure as Error).message).toContain(`The pattern '${pattern}' took longer than 1000 ms`)
    expect(withSettled(3, (settle) => settle('axa'))).toBe(`a${SETTLED}a`)
  })

  it('passes on what the work throws', () => {
    const fail = (): never => {
      throw new RangeError('too deep')
    }
    for (const letters of [1, 100_000]) expect(() => createSettle(['a'])(letters, fail)).toThrow('too deep')
  })
})
