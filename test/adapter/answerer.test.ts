import { createAdapter, type AdapterConfig } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { notes } from './notes-adapter.ts'

const ask = async (path: string, init: RequestInit = {}, config: AdapterConfig = {}) => {
  const answer = await createAdapter(notes, config).fetch(path, init)
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  }
}

describe('the answer to a request', () => {
  it('is made by the handler of its operation, and pages by its tokens', async () => {
    const { fetch } = createAdapter(notes)
    const page = (await (await fetch('/v1/notes')).json()) as { notes: unknown[]; token: string }
    expect(page.notes).toHaveLength(2)
    expect(await (await fetch(`/v1/notes?token=${page.token}`)).json()).toEqual({
      notes: [{ id: 'c', text: 'third' }],
    })
  })

  it('carries status and headers of a reply', async () => {
    const { status, headers, body } = await ask('/v1/notes/d', { method: 'PUT', body: '{"text":"fourth"}' })
    expect(status).toBe(201)
    expect(headers.get('etag')).toBe('1')
    expect(headers.get('content-type')).toBe('application/json')
    expect(body).toEqual({ id: 'd', text: 'fourth' })
  })

  it.for([
    ['/v1/nothing', {}, 404, 'unknown-path'],
    ['/v1/notes/%zz', {}, 404, 'unknown-path'],
    ['/', {}, 404, 'unknown-path'],
    ['/v1/notes/a', { method: 'DELETE' }, 405, 'method-not-allowed'],
    ['/v1/notes/z', {}, 404, 'no-note'],
    ['/v1/share', { method: 'POST' }, 404, 'unknown-path'],
    ['/v1/crash', { method: 'POST' }, 500, 'internal'],
    ['/v1/notes/a', { method: 'PUT', body: '{"text":' }, 400, 'malformed-body'],
    ['/v1/notes/a', { method: 'PUT', body: '{"__proto__":{}}' }, 400, 'malformed-body'],
    ['/v1/notes/a', { method: 'PUT', body: '['.repeat(500) }, 400, 'malformed-body'],
    ['/v1/notes/a', { method: 'PUT', body: Buffer.from([0x22, 0xff, 0x22]) }, 400, 'malformed-body'],
    ['/v1/notes/a', { method: 'PUT', body: 'x'.repeat(1025) }, 413, 'body-too-large'],
    ['/v1/notes?token=x', {}, 400, 'page-token'],
  ] as const)(
    'to %s %j is %i, in the form that the definition gives it',
    async ([path, init, status, kind]) => {
      const answer = await ask(path, init)
      expect(answer.status).toBe(status)
      expect(answer.body).toMatchObject({ kind })
    },
  )

  it('names the methods there are', async () => {
    const { body } = await ask('/v1/notes/a', { method: 'POST' })
    expect(body).toMatchObject({ allowed: ['GET', 'PUT'] })
  })

  it('is 501 in strict mode for what is known but not implemented', async () => {
    const { status, body } = await ask('/v1/share', { method: 'POST' }, { strict: true })
    expect(status).toBe(501)
    expect(body).toMatchObject({ kind: 'unimplemented', operation: 'share' })
  })

  it('to HEAD is that to GET without its body', async () => {
    const { status, text, headers } = await ask('/v1/notes/a', { method: 'HEAD' })
    expect([status, text]).toEqual([200, ''])
    expect(headers.get('content-type')).toBe('application/json')
  })

  it('is the same for aliases', async () => {
    expect((await ask('/v0/notes')).status).toBe(200)
  })

  it('carries a request id that is the same in each run, whatever becomes of the request', async () => {
    const run = async (config: AdapterConfig = {}) => {
      const { fetch } = createAdapter(notes, config)
      const paths = ['/v1/notes', '/v1/nothing', '/v1/notes/z']
      const answers = await Promise.all(paths.map((path) => fetch(path)))
      return answers.map(({ headers }) => headers.get('x-request-id') ?? '')
    }
    const ids = await run()
    expect(new Set(ids).size).toBe(3)
    expect(ids.every((id) => /^[\da-f-]{36}$/.test(id))).toBe(true)
    expect(await run()).toEqual(ids)
    expect(await run({ seed: 1 })).not.toEqual(ids)
    expect(await run({ requestId: (n, { url }) => `${n} ${url}` })).toEqual([
      '1 /v1/notes',
      '2 /v1/nothing',
      '3 /v1/notes/z',
    ])
  })

  it('gives the request id to handlers and failures', async () => {
    const config = { requestId: (n: number) => `id-${n}` }
    expect((await ask('/v1/status', {}, config)).body).toMatchObject({ requestId: 'id-1' })
    expect((await ask('/v1/nothing', {}, config)).body).toMatchObject({ requestId: 'id-1' })
  })

  it('does not keep what was written where that is configured', async () => {
    const put = { method: 'PUT', body: '{"text":"new"}' }
    for (const stateful of [true, false]) {
      const { fetch } = createAdapter(notes, { stateful })
      expect((await fetch('/v1/notes/a', put)).status).toBe(200)
      expect(await (await fetch('/v1/notes/a')).json()).toMatchObject({ text: stateful ? 'new' : 'first' })
    }
  })

  it('to what a handler did not mean to throw is internal, and whoever wants to know is notified', async () => {
    const errors: unknown[] = []
    const { fetch } = createAdapter(notes, { onError: (error, { url }) => errors.push([String(error), url]) })
    await fetch('/v1/crash', { method: 'POST' })
    await fetch('/v1/notes/z')
    expect(errors).toEqual([['TypeError: a fault of the handler', '/v1/crash']])
  })

  it('follows a running clock only when configured', async () => {
    const still = createAdapter(notes)
    const running = createAdapter(notes, { clock: 'running', startAt: 0 })
    const start = performance.now()
    while (performance.now() - start < 5);
    const nowOf = async ({ fetch }: typeof still) =>
      ((await (await fetch('/v1/status')).json()) as { now: number }).now
    expect(await nowOf(still)).toBe(Date.parse('2026-01-01'))
    expect(await nowOf(running)).toBeGreaterThanOrEqual(5)
  })
})
