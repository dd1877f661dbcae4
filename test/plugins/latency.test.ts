import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { latency, type LatencyRule } from '../../plugins/latency.ts'

async function sleepsOf(rule: LatencyRule | undefined, draw: number): Promise<readonly number[]> {
  const sleeps: number[] = []
  const app = Fastify()
  await app.register(latency, { rule: () => rule, random: () => draw, sleep: async (ms) => sleeps.push(ms) })
  app.get('/', () => 'in')
  await app.inject('/')
  return sleeps
}

describe('latency', () => {
  it.for([
    { draw: 0, slept: 80 },
    { draw: 0.5, slept: 100 },
    { draw: 1, slept: 120 },
  ])('sleeps $slept ms of 100±20 when the draw is $draw', async ({ draw, slept }) => {
    expect(await sleepsOf({ ms: 100, jitterMs: 20 }, draw)).toEqual([slept])
  })

  it('never sleeps less than nothing', async () => {
    expect(await sleepsOf({ ms: 10, jitterMs: 50 }, 0)).toEqual([0])
  })

  it('varies without a base', async () => {
    expect(await sleepsOf({ ms: 0, jitterMs: 50 }, 1)).toEqual([50])
  })

  it.for([[undefined], [{ ms: 0, jitterMs: 0 }]] as const)(
    'does not sleep with the rule %j',
    async ([rule]) => {
      expect(await sleepsOf(rule, 0.5)).toEqual([])
    },
  )

  it('sleeps on a real clock by default', async () => {
    const app = Fastify()
    await app.register(latency, { rule: () => ({ ms: 30, jitterMs: 0 }), random: () => 0 })
    app.get('/', () => 'in')
    const start = performance.now()
    await app.inject('/')
    expect(performance.now() - start).toBeGreaterThanOrEqual(29)
  })

  it('passes on what goes wrong while it sleeps', async () => {
    const app = Fastify()
    const sleep = async () => Promise.reject(new Error('no clock'))
    await app.register(latency, { rule: () => ({ ms: 30, jitterMs: 0 }), random: () => 0, sleep })
    app.get('/', () => 'in')
    const { statusCode, json } = await app.inject('/')
    expect([statusCode, json<{ message: string }>().message]).toEqual([500, 'no clock'])
  })
})
