import { describe, expect, it } from 'vitest'
import { createVirtualClock, DEFAULT_START } from '../../src/adapter/clock.ts'
import { OptionInvalid } from '../../src/errors.ts'

describe('a virtual clock', () => {
  it('stands at its start until it is moved', () => {
    const clock = createVirtualClock()
    expect(new Date(clock.now()).toISOString()).toBe('2026-01-01T00:00:00.000Z')
    clock.advance(1500)
    expect(clock.now()).toBe(DEFAULT_START + 1500)
    clock.set(0)
    expect(clock.now()).toBe(0)
  })

  it('tells its listeners of each move, in both directions', () => {
    const clock = createVirtualClock(10)
    const moves: number[][] = []
    const end = clock.onAdvance((now, before) => moves.push([before, now]))
    clock.advance(5)
    clock.advance(0)
    clock.set(1)
    end()
    clock.advance(1)
    expect(moves).toEqual([
      [10, 15],
      [15, 1],
    ])
  })

  it('goes back to its start without listeners', () => {
    const clock = createVirtualClock(10)
    const moves: number[] = []
    clock.onAdvance((now) => moves.push(now))
    clock.advance(1)
    clock.reset(true)
    clock.advance(1)
    expect([clock.now(), ...moves]).toEqual([12, 11])
    clock.reset()
    expect(clock.now()).toBe(10)
  })

  it.for([-1, Number.NaN, Infinity, 1e17])('is not advanced by %s', (ms) => {
    const clock = createVirtualClock(10)
    expect(() => clock.advance(ms)).toThrow(OptionInvalid)
    expect(clock.now()).toBe(10)
  })

  it('is not set to what is no moment', () => {
    expect(() => createVirtualClock().set(Number.NaN)).toThrow('it is no moment in time')
  })
})
