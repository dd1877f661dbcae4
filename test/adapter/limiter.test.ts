import { createAdapter, type RateLimit } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { notes } from './notes-adapter.ts'

const create = (rateLimit: RateLimit | RateLimit[]) => {
  const adapter = createAdapter(notes, { rateLimit })
  const ask = async (path = '/v1/notes') => (await adapter.fetch(path)).status
  return { ...adapter, ask }
}

describe('a rate limit', () => {
  it('refuses what is too much, until the window has passed by the virtual clock', async () => {
    const { ask, fetch, clock } = create({ requests: 2, windowSeconds: 10 })
    expect([await ask(), await ask('/v1/status'), await ask()]).toEqual([200, 200, 429])
    clock.advance(9_999)
    const refused = await fetch('/v1/notes')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    clock.advance(1)
    expect(await ask()).toBe(200)
  })

  it('of an operation counts it alone, and a glob each of its operations', async () => {
    const { ask } = create({ requests: 1, windowSeconds: 10, operation: '*Note*' })
    expect([await ask(), await ask(), await ask('/v1/notes/a'), await ask('/v1/notes/b')]).toEqual([
      200, 429, 200, 429,
    ])
    expect([await ask('/v1/status'), await ask('/v1/status')]).toEqual([200, 200])
  })

  it('holds together with others, and a refusal counts against none', async () => {
    const { ask, clock } = create([
      { requests: 1, windowSeconds: 1 },
      { requests: 2, windowSeconds: 100 },
    ])
    expect([await ask(), await ask(), await ask()]).toEqual([200, 429, 429])
    clock.advance(1000)
    expect(await ask()).toBe(200)
    clock.advance(1000)
    expect(await ask()).toBe(429)
  })

  it('starts over when the clock is set back or the adapter reset', async () => {
    const { ask, clock, reset } = create({ requests: 1, windowSeconds: 10 })
    expect([await ask(), await ask()]).toEqual([200, 429])
    clock.set(0)
    expect([await ask(), await ask()]).toEqual([200, 429])
    reset()
    expect(await ask()).toBe(200)
  })
})
