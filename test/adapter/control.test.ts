import { createAdapter, type AdapterConfig } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { notes } from './notes-adapter.ts'

function open(config: AdapterConfig = {}) {
  const adapter = createAdapter(notes, config)
  const ask = async (method: string, path: string, body?: unknown, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const sent = body === undefined ? null : JSON.stringify(body)
    const answer = await adapter.fetch(path, { method, headers, body: sent })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  return { ...adapter, ask }
}

describe('the control paths', () => {
  it('say that the adapter is there', async () => {
    expect(await open().ask('GET', '/__sim/health')).toEqual({
      status: 200,
      body: { status: 'ok', adapter: 'sim-notes' },
    })
  })

  it('show and move the clock', async () => {
    const { ask, clock } = open()
    expect((await ask('POST', '/__sim/clock', { advanceMs: 1000 })).body).toEqual({
      now: '2026-01-01T00:00:01.000Z',
    })
    expect((await ask('POST', '/__sim/clock', { set: '2030-05-05T00:00:00Z' })).status).toBe(200)
    expect((await ask('GET', '/__sim/clock')).body).toEqual({ now: '2030-05-05T00:00:00.000Z' })
    expect(clock.now()).toBe(Date.parse('2030-05-05'))
    expect((await ask('POST', '/__sim/clock', { advanceMs: -1 })).status).toBe(422)
    expect((await ask('POST', '/__sim/clock', { set: 'soon' })).status).toBe(422)
  })

  it('change the faults', async () => {
    const { ask, faults } = open()
    await ask('PUT', '/__sim/faults', [{ status: 503, times: 1 }])
    await ask('POST', '/__sim/faults', { status: 429 })
    expect(faults.rules).toEqual([{ status: 503, times: 1 }, { status: 429 }])
    expect((await ask('GET', '/v1/notes')).status).toBe(503)
    expect((await ask('GET', '/v1/notes')).status).toBe(429)
    const { body } = await ask('GET', '/__sim/faults')
    expect(body).toEqual({ rules: faults.rules })
    expect((await ask('PUT', '/__sim/faults', body)).body).toEqual(body)
    expect((await ask('DELETE', '/__sim/faults')).body).toEqual({ rules: [] })
    expect((await ask('GET', '/v1/notes')).status).toBe(200)
    expect(await ask('POST', '/__sim/faults', { status: 1 })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('status') as string },
    })
  })

  it('reset, take and restore the state', async () => {
    const { ask, state } = open()
    await ask('PUT', '/v1/notes/d', { text: 'new' })
    const { body: snapshot } = await ask('GET', '/__sim/snapshot')
    expect((await ask('POST', '/__sim/reset')).status).toBe(200)
    expect(state().notes.has('d')).toBe(false)
    expect((await ask('PUT', '/__sim/snapshot', snapshot)).status).toBe(200)
    expect(state().notes.has('d')).toBe(true)
    expect((await ask('PUT', '/__sim/snapshot', { adapter: 'another' })).status).toBe(422)
  })

  it('are neither throttled nor failed, and ask for no credentials', async () => {
    const { ask } = open({
      auth: 'strict',
      faults: [{ status: 500 }],
      rateLimit: { requests: 0, windowSeconds: 1 },
    })
    expect((await ask('GET', '/__sim/health')).status).toBe(200)
  })

  it('are those of the token where tokens have a state of their own', async () => {
    const { ask } = open({ isolate: 'token' })
    await ask('POST', '/__sim/clock', { advanceMs: 1000 }, 'one')
    expect((await ask('GET', '/__sim/clock', undefined, 'one')).body).toEqual({
      now: '2026-01-01T00:00:01.000Z',
    })
    expect((await ask('GET', '/__sim/clock', undefined, 'two')).body).toEqual({
      now: '2026-01-01T00:00:00.000Z',
    })
  })

  it.for([
    ['GET', '/__sim/nothing', 404],
    ['GET', '/__sim/constructor', 404],
    ['PUT', '/__sim/health', 405],
    ['GET', '/__sim/reset', 405],
  ] as const)('refuse %s %s with %i', async ([method, path, status]) => {
    expect((await open().ask(method, path)).status).toBe(status)
  })

  it('refuse what is not JSON', async () => {
    const { fetch } = createAdapter(notes)
    expect((await fetch('/__sim/faults', { method: 'PUT', body: '{' })).status).toBe(400)
  })

  it('are closed to clients elsewhere, and to pages of the web', async () => {
    const { handle } = createAdapter(notes)
    const ask = async (remoteAddress: string, headers: Record<string, string> = {}) =>
      (await handle({ method: 'GET', url: '/__sim/health', headers, body: Buffer.alloc(0), remoteAddress }))
        .status
    expect(await ask('127.0.0.1', { host: 'localhost:80', origin: 'http://127.0.0.1:3000' })).toBe(200)
    expect(await ask('::1')).toBe(200)
    expect(await ask('10.0.0.1')).toBe(403)
    expect(await ask('127.0.0.1', { host: 'evil.example' })).toBe(403)
    expect(await ask('127.0.0.1', { host: 'localhost', origin: 'https://evil.example' })).toBe(403)
    expect(await ask('127.0.0.1', { origin: 'null' })).toBe(403)
  })
})

describe('the manifest', () => {
  it('is served at its path to everyone', async () => {
    const { fetch, manifest } = createAdapter(notes, { auth: 'strict' })
    const answer = await fetch('/.well-known/notes.json')
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.json()).toEqual(manifest)
    expect(await (await fetch('/.well-known/notes.json', { method: 'HEAD' })).text()).toBe('')
  })
})
