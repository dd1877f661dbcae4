import { describe, expect, it } from 'vitest'
import { createClock, createStillClock, DEFAULT_START } from '../../src/state/clock.ts'
import { OptionInvalid } from '../../src/errors.ts'

const START = Date.parse('2030-01-01T00:00:00Z')

/** Whether a promise is settled once everything that can run has run. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false
  promise.then(
    () => (done = true),
    () => (done = true),
  )
  await new Promise(setImmediate)
  return done
}

describe('the clock of a session', () => {
  it('runs with the machine', async () => {
    const clock = createClock()
    const before = clock.now()
    expect(Math.abs(before - Date.now())).toBeLessThan(5000)
    await clock.sleep(5)
    expect(clock.now() - before).toBeGreaterThanOrEqual(4)
  })

  it('stands while it is frozen, and wakes sleepers as it is advanced', async () => {
    const clock = createClock()
    clock.freeze(START)
    const [short, long] = [clock.sleep(10), clock.sleep(1000)]
    expect([clock.now(), clock.isFrozen]).toEqual([START, true])
    clock.advance(10)
    expect([await isDone(short), await isDone(long)]).toEqual([true, false])
    clock.advance(990)
    expect(await isDone(long)).toBe(true)
    expect(clock.now()).toBe(START + 1000)
  })

  it('wakes who slept by the machine when it is advanced', async () => {
    const clock = createClock()
    const sleeping = clock.sleep(3_600_000)
    expect(await isDone(sleeping)).toBe(false)
    clock.advance(3_600_000)
    expect(await isDone(sleeping)).toBe(true)
  })

  it('holds who slept when it was frozen', async () => {
    const clock = createClock()
    const sleeping = clock.sleep(5)
    clock.freeze()
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(await isDone(sleeping)).toBe(false)
    clock.advance(5)
    await sleeping
  })

  it('wakes everyone when it is reset', async () => {
    const clock = createClock()
    clock.freeze(START)
    const sleeping = clock.sleep(1000)
    clock.reset()
    expect(await isDone(sleeping)).toBe(true)
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(5000)
  })

  it('lets sleepers go whose client has left', async () => {
    const clock = createClock()
    clock.freeze(START)
    const leaving = new AbortController()
    const sleeping = clock.sleep(1000, leaving.signal)
    leaving.abort()
    await expect(sleeping).rejects.toThrow('aborted')
    await expect(clock.sleep(1, leaving.signal)).rejects.toThrow('aborted')
  })

  it('sleeps longer than timers can be set for', async () => {
    const clock = createClock()
    const sleeping = clock.sleep(2 ** 40)
    expect(await isDone(sleeping)).toBe(false)
    clock.advance(2 ** 40)
    await sleeping
  })
})

describe('a clock that stands still', () => {
  it('stands at its start until it is moved', () => {
    const clock = createStillClock()
    expect(new Date(clock.now()).toISOString()).toBe('2026-01-01T00:00:00.000Z')
    clock.advance(1500)
    expect(clock.now()).toBe(DEFAULT_START + 1500)
    clock.set(0)
    expect(clock.now()).toBe(0)
  })

  it('reports each move to its listeners, in both directions', () => {
    const clock = createStillClock(10)
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
    const clock = createStillClock(10)
    const moves: number[] = []
    clock.onAdvance((now) => moves.push(now))
    clock.advance(1)
    clock.reset()
    expect(clock.now()).toBe(10)
    clock.advance(1)
    expect(moves).toEqual([11])
  })

  it.for([-1, Number.NaN, Infinity, 1e17])('is not advanced by %s', (ms) => {
    const clock = createStillClock(10)
    expect(() => clock.advance(ms)).toThrow(OptionInvalid)
    expect(clock.now()).toBe(10)
  })

  it('is not set to what is not a moment', () => {
    expect(() => createStillClock().set(Number.NaN)).toThrow('it is not a moment in time')
  })
})
