import { createAdapter } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { MAX_SESSIONS } from '../../src/adapter/session.ts'
import { notes } from './notes-adapter.ts'

const put = (token?: string) => ({
  method: 'PUT',
  body: '{"text":"x"}',
  headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
})

describe('the state of an adapter', () => {
  it('is one for all by default', async () => {
    const { fetch, state } = createAdapter(notes)
    await fetch('/v1/notes/d', put('one'))
    expect(state('two').notes.has('d')).toBe(true)
  })

  it('is apart for each token where that is configured, clock and faults too', async () => {
    const { fetch, state, session, clock } = createAdapter(notes, { isolate: 'token' })
    await fetch('/v1/notes/d', put('one'))
    session('one').clock.advance(5)
    session('one').faults.add({ status: 500 })
    expect([state('one'), state('two'), state()].map(({ notes }) => notes.has('d'))).toEqual([
      true,
      false,
      false,
    ])
    expect(session('one').clock.now() - clock.now()).toBe(5)
    expect((await fetch('/v1/notes/d', put('two'))).status).toBe(201)
    expect((await fetch('/v1/notes/d', put('one'))).status).toBe(500)
  })

  it('of the token that was not used longest gives way when there are too many', async () => {
    const { fetch, state } = createAdapter(notes, { isolate: 'token' })
    await fetch('/v1/notes/d', put('t0'))
    await fetch('/v1/notes/d', put('t1'))
    for (let index = 2; index < MAX_SESSIONS; index++)
      await fetch('/v1/status', { headers: put(`t${index}`).headers })
    await fetch('/v1/status', { headers: put('t0').headers })
    await fetch('/v1/status', { headers: put('another').headers })
    expect(state('t0').notes.has('d')).toBe(true)
    expect(state('t1').notes.has('d')).toBe(false)
  })

  it('is as at first after a reset, for all tokens, and so are clock, faults and ids', async () => {
    const adapter = createAdapter(notes, { isolate: 'token', faults: [{ status: 503, times: 1 }] })
    const run = async () => {
      const answers = [
        await adapter.fetch('/v1/notes/d', put('one')),
        await adapter.fetch('/v1/notes/d', put('one')),
      ]
      return answers.map(({ status, headers }) => [status, headers.get('x-request-id')])
    }
    const first = await run()
    expect(first.map(([status]) => status)).toEqual([503, 201])
    adapter.clock.advance(1)
    adapter.reset()
    expect(adapter.clock.now()).toBe(Date.parse('2026-01-01'))
    expect(await run()).toEqual(first)
  })

  it('is not made for tokens that strict mode does not know', async () => {
    const auth = { mode: 'strict', tokens: [{ token: 'one' }] } as const
    const { fetch, state } = createAdapter(notes, { isolate: 'token', auth })
    await fetch('/v1/notes/d', put('one'))
    expect(state('one').notes.has('d')).toBe(true)
    expect(state('guessed')).toBe(state())
  })
})
