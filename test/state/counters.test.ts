import { describe, expect, it } from 'vitest'
import { createCounters } from '../../src/state/counters.ts'

describe('counters', () => {
  it('count each key apart, from 0', () => {
    const counters = createCounters()
    expect(['a', 'b', 'a', 'a'].map((key) => counters.next(key))).toEqual([0, 0, 1, 2])
    expect([counters.count('a'), counters.count('a'), counters.count('c')]).toEqual([3, 3, 0])
    counters.reset()
    expect([counters.count('a'), counters.next('a')]).toEqual([0, 0])
  })

  it('forget the key that was not counted for longest when there are too many', () => {
    const counters = createCounters()
    for (const key of ['kept', 'forgotten', 'kept']) counters.next(key)
    for (let i = 0; i < 99_999; i++) counters.next(String(i))
    expect([counters.count('kept'), counters.count('forgotten')]).toEqual([2, 0])
  })
})
