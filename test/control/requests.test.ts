import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { open } from './ask.ts'

describe('the journal', () => {
  it('has the requests, the newest first, without secrets', async () => {
    const { ask } = open()
    await ask('GET', '/users?tag=a&tag=b&api_key=s3cret', undefined, {
      headers: { authorization: 'Bearer s3cret', cookie: 'sid=s3cret', 'x-mine': 'kept' },
    })
    await ask('POST', '/users', { name: 'Ada', password: 's3cret' })
    const { body } = await ask('GET', '/__sim/requests')
    expect(JSON.stringify(body)).not.toContain('s3cret')
    expect(body).toMatchObject([
      {
        id: 2,
        session: '',
        method: 'POST',
        url: '/users',
        route: 'POST /users',
        mode: 'simulate',
        status: 200,
        request_body: { name: 'Ada', password: '[redacted]' },
        response_body: { id: 1, name: expect.any(String) },
      },
      {
        id: 1,
        method: 'GET',
        url: '/users?tag=a&tag=b&api_key=%5Bredacted%5D',
        host: 'localhost',
        path: '/users',
        query: { tag: ['a', 'b'], api_key: ['[redacted]'] },
        headers: expect.arrayContaining([
          ['x-mine', 'kept'],
          ['authorization', 'Bearer [redacted]'],
        ]),
        status: 200,
        response_body: [],
      },
    ])
    expect(body[0].duration_ms).toBeGreaterThan(0)
    expect(Date.parse(body[0].time)).toBeGreaterThan(Date.parse('2020-01-01'))
  })

  it('has what was refused, what failed and what chaos did', async () => {
    const { ask } = open({
      chaos: { rules: [{ match: { path: '/users' }, errors: { rate: 1, codes: [503] } }] },
    })
    await ask('GET', '/nothing')
    await ask('POST', '/users', { name: 1 })
    await ask('GET', '/users')
    const { body } = await ask('GET', '/__sim/requests')
    expect(body.map(({ status, chaos }: { status: number; chaos: unknown }) => [status, chaos])).toEqual([
      [503, ['status 503']],
      [422, undefined],
      [404, undefined],
    ])
  })

  it('has no bodies of what is forwarded', async () => {
    const upstream = createServer((_request, response) => response.end('{"from":"upstream"}'))
    await once(upstream.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void upstream.close())
    const { ask } = open({ upstream: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` })
    await ask('POST', '/elsewhere', { name: 'Ada' })
    const [entry] = (await ask('GET', '/__sim/requests')).body
    expect(entry).toMatchObject({ method: 'POST', path: '/elsewhere', status: 200 })
    expect(Object.keys(entry)).not.toEqual(expect.arrayContaining(['request_body']))
    expect(JSON.stringify(entry)).not.toMatch(/Ada|upstream/)
  })

  it('leaves bodies out that are too long', async () => {
    const { ask } = open()
    await ask('POST', '/users', { name: 'x'.repeat(20_000) })
    expect((await ask('GET', '/__sim/requests')).body[0]).not.toHaveProperty('request_body')
  })

  it.for([
    ['method=post', [2]],
    ['path=/users/*', [3]],
    ['path=/users/**&since=1', [3, 2]],
    ['status=404', [3]],
    ['mode=forward', []],
    ['limit=2', [3, 2]],
    ['since=2', [3]],
  ] as const)('is filtered by %s', async ([filter, ids]) => {
    const { ask } = open()
    await ask('GET', '/users')
    await ask('POST', '/users', { name: 'a' })
    await ask('GET', '/users/99')
    const { body } = await ask('GET', `/__sim/requests?${filter}`)
    expect(body.map(({ id }: { id: number }) => id)).toEqual(ids)
  })

  it('keeps so many and no more', async () => {
    const { ask } = open({ sessions: { journal: 3 } })
    for (let i = 0; i < 10; i++) await ask('GET', '/users')
    const { body } = await ask('GET', '/__sim/requests')
    expect(body.map(({ id }: { id: number }) => id)).toEqual([10, 9, 8])
    expect((await ask('DELETE', '/__sim/requests')).body).toEqual({ removed: 3 })
    expect((await ask('GET', '/__sim/requests')).body).toEqual([])
  })

  it('is that of another session, or of all, on request', async () => {
    const { ask } = open()
    for (const session of ['a', 'b', 'a']) await ask('GET', `/__sim/s/${session}/users`)
    const idsOf = async (query: string) =>
      (await ask('GET', `/__sim/requests${query}`)).body.map(
        ({ session, id }: { session: string; id: number }) => `${session}${id}`,
      )
    expect(await idsOf('')).toEqual([])
    expect(await idsOf('?session=a')).toEqual(['a3', 'a1'])
    expect(await idsOf('?session=*')).toEqual(['a3', 'b2', 'a1'])
    expect(await idsOf('?session=nobody')).toEqual([])
  })

  it('refuses filters that it does not know', async () => {
    const { ask } = open()
    for (const query of ['stats=404', 'path=', 'status=ok', 'mode=mock', 'limit=-1'])
      expect((await ask('GET', `/__sim/requests?${query}`)).status).toBe(422)
  })

  it('reports requests as they end, by server-sent events', async () => {
    const { app, ask } = open()
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    await ask('GET', '/users')
    const leaving = new AbortController()
    const { body, headers } = await fetch(`${url}/__sim/requests/stream?since=0&path=/users`, {
      signal: leaving.signal,
    })
    expect(headers.get('content-type')).toBe('text/event-stream')
    const events = eventsOf(body as ReadableStream<Uint8Array>)
    expect((await events.next()).value).toMatchObject({ id: 1, path: '/users', status: 200 })
    await fetch(`${url}/nothing`)
    await fetch(`${url}/users`)
    expect((await events.next()).value).toMatchObject({ id: 3, path: '/users' })
    leaving.abort()
  })

  it('goes on where an EventSource was cut off, and of sessions that begin meanwhile', async () => {
    const { app, ask } = open()
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    for (let i = 0; i < 3; i++) await ask('GET', '/users')
    const leaving = new AbortController()
    const { body } = await fetch(`${url}/__sim/requests/stream?session=*`, {
      headers: { 'last-event-id': '2' },
      signal: leaving.signal,
    })
    const events = eventsOf(body as ReadableStream<Uint8Array>)
    expect((await events.next()).value).toMatchObject({ session: '', id: 3 })
    await ask('GET', '/__sim/s/new/users')
    expect((await events.next()).value).toMatchObject({ session: 'new', id: 4 })
    leaving.abort()
  })

  it('ends its events when the gateway closes', async () => {
    const { app } = open()
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const { body } = await fetch(`${url}/__sim/requests/stream`)
    const events = eventsOf(body as ReadableStream<Uint8Array>)
    const [next] = await Promise.all([events.next(), app.close()])
    expect(next.done).toBe(true)
  })
})

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, undefined> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, data] = /^data: (.*)$/m.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      if (data !== undefined) yield JSON.parse(data)
    }
  }
  return undefined
}
