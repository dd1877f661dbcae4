import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { open } from './ask.ts'

describe('the clock on the control plane', () => {
  it('holds latency while it is frozen, until it is advanced far enough', async () => {
    const { ask } = open({}, new SimAPI({ seed: 1 }).get('/slow', { latencyMs: 60_000 }))
    await ask('POST', '/__sim/clock/freeze', { at: '2030-01-01T00:00:00Z' })
    let answered = false
    const slow = ask('GET', '/slow').then(() => (answered = true))
    await ask('POST', '/__sim/clock/advance', { ms: 59_000 })
    expect(answered).toBe(false)
    expect((await ask('POST', '/__sim/clock/advance', { ms: 1000 })).body).toEqual({
      now: '2030-01-01T00:01:00.000Z',
      frozen: true,
    })
    await slow
    const [entry] = (await ask('GET', '/__sim/requests')).body
    expect(entry.time).toBe('2030-01-01T00:00:00.000Z')
  })

  it('moves the windows of rate limits', async () => {
    const { ask } = open({}, new SimAPI({ seed: 1 }).get('/limited', { rateLimit: 1 }))
    const statusOf = async () => (await ask('GET', '/limited')).status
    await ask('POST', '/__sim/clock/freeze')
    expect([await statusOf(), await statusOf()]).toEqual([200, 429])
    await ask('POST', '/__sim/clock/advance', { ms: 1000 })
    expect([await statusOf(), await statusOf()]).toEqual([200, 429])
  })

  it('moves the time windows of chaos', async () => {
    const { ask } = open({ chaos: { rules: [{ seconds: { from: 60, to: 120 }, errors: { rate: 1 } }] } })
    const statusAfter = async (ms: number) => {
      await ask('POST', '/__sim/clock/advance', { ms })
      return (await ask('GET', '/users')).status
    }
    expect([await statusAfter(0), await statusAfter(61_000), await statusAfter(60_000)]).toEqual([
      200, 500, 200,
    ])
  })

  it('is refused a time that is none', async () => {
    const { ask } = open()
    expect((await ask('POST', '/__sim/clock/freeze', { at: 'soon' })).status).toBe(422)
    expect((await ask('POST', '/__sim/clock/advance', { ms: -1 })).status).toBe(422)
  })

  it('goes no further than the year 9999, in whatever steps', async () => {
    const { ask } = open()
    await ask('POST', '/__sim/clock/freeze', { at: '9999-12-31T23:59:59Z' })
    expect((await ask('POST', '/__sim/clock/advance', { ms: 1e308 })).status).toBe(422)
    expect((await ask('POST', '/__sim/clock/advance', { ms: 999 })).status).toBe(200)
    expect((await ask('POST', '/__sim/clock/advance', { ms: 1 })).status).toBe(422)
    expect((await ask('GET', '/__sim/clock')).body.now).toBe('9999-12-31T23:59:59.999Z')
  })
})
