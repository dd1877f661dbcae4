import { describe, expect, it } from 'vitest'
import { latency } from '../../plugins/latency.ts'
import { chaosDraws } from '../../src/engine/random.ts'
import { testPlan, testRoute, testSession } from './plan.ts'

async function sleepsOf(latencyMs: number, jitterMs: number, ordinal = 0): Promise<readonly number[]> {
  const sleeps: number[] = []
  const session = testSession()
  session.clock.sleep = async (ms) => void sleeps.push(ms)
  await testPlan([latency], testRoute({ latencyMs, jitterMs }), session)({ ordinal })
  return sleeps
}

describe('latency', () => {
  it('holds a request for as long as it says, give or take the jitter, by seed, route and ordinal', async () => {
    for (let ordinal = 0; ordinal < 50; ordinal++) {
      const draw = chaosDraws(1, 'latency', 'GET /', ordinal)()
      expect(await sleepsOf(100, 20, ordinal)).toEqual([100 + (draw * 2 - 1) * 20])
    }
    expect(await sleepsOf(100, 0)).toEqual([100])
  })

  it('is never less than nothing, and varies without a base', async () => {
    const all: number[] = []
    for (let ordinal = 0; ordinal < 40; ordinal++) all.push(...(await sleepsOf(0, 50, ordinal)))
    expect(Math.min(...all)).toBe(0)
    expect(Math.max(...all)).toBeGreaterThan(25)
  })

  it('adds no step to a route without it', () => {
    expect(latency.plan(testRoute({ latencyMs: 0, jitterMs: 0 }), testSession())).toBeUndefined()
    expect(latency.plan(testRoute({}), testSession())).toBeUndefined()
  })

  it('waits by the clock of the session', async () => {
    const session = testSession()
    session.clock.freeze(0)
    let isDone = false
    const sent = testPlan([latency], testRoute({ latencyMs: 30 }), session)().then(() => (isDone = true))
    await new Promise(setImmediate)
    expect(isDone).toBe(false)
    session.clock.advance(30)
    await sent
    expect(isDone).toBe(true)
  })

  it('passes on what goes wrong while it waits', async () => {
    const session = testSession()
    session.clock.sleep = async () => Promise.reject(new Error('no clock'))
    const { status } = await testPlan([latency], testRoute({ latencyMs: 30 }), session)()
    expect(status).toBe(500)
  })

  it('ends when the client leaves', async () => {
    const leaving = new AbortController()
    const send = testPlan([latency], testRoute({ latencyMs: 60_000 }))
    const sent = send({ signal: leaving.signal })
    leaving.abort()
    await expect(sent).rejects.toThrow('the client left')
  })
})
