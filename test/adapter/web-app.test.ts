import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createAdapter } from 'sim-gateway/adapter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notes } from './notes-adapter.ts'

const adapter = createAdapter(notes)
const app = adapter.asWebApp()
let base = ''
beforeAll(async () => {
  base = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

async function send(lines: string): Promise<string> {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.end(lines.replaceAll('\n', '\r\n'))
  return text(socket)
}

describe('the web app of an adapter', () => {
  it('answers over a socket', async () => {
    const answer = await fetch(`${base}/v1/notes/a`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    expect(await answer.json()).toEqual({ id: 'a', text: 'first' })
  })

  it('takes bodies of any content type, or of none', async () => {
    for (const type of ['application/json', 'text/plain', 'nonsense']) {
      const headers = { 'content-type': type }
      const answer = await fetch(`${base}/v1/notes/n`, { method: 'PUT', headers, body: '{"text":"x"}' })
      expect([200, 201]).toContain(answer.status)
    }
    const head =
      'PUT /v1/notes/n HTTP/1.1\nHost: localhost\nConnection: close\nContent-Length: 12\n\n{"text":"y"}'
    expect(await send(head)).toMatch(/^HTTP\/1.1 200/)
  })

  it('takes an empty body that is called JSON', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${base}/v1/crash`, { method: 'POST', headers })).status).toBe(500)
    expect((await fetch(`${base}/v1/notes`, { headers })).status).toBe(200)
  })

  it('reads no further than the limit, and closes the connection', async () => {
    const answer = await fetch(`${base}/v1/notes/n`, { method: 'PUT', body: 'x'.repeat(1025) })
    expect(answer.status).toBe(413)
    expect(answer.headers.get('connection')).toBe('close')
    expect(await answer.json()).toMatchObject({ kind: 'body-too-large', limit: 1024 })
  })

  it.for(['/v1/notes/%zz', '/v1/notes/a%2Fb', '//v1/notes', '/%00'])(
    'passes the path on as it came: %s',
    async (path) => {
      const direct = await adapter.fetch(`http://localhost${path}`)
      const answer = await send(`GET ${path} HTTP/1.1\nHost: localhost\nConnection: close\n\n`)
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${direct.status} `))
      expect(answer).toContain('x-request-id')
    },
  )

  it('takes a target in absolute form', async () => {
    const answer = await send(
      'GET http://localhost/v1/notes/a HTTP/1.1\nHost: localhost\nConnection: close\n\n',
    )
    expect(answer).toMatch(/^HTTP\/1.1 200/)
  })

  it('answers methods that no operation has', async () => {
    expect((await fetch(`${base}/v1/notes`, { method: 'OPTIONS' })).status).toBe(405)
    expect(await send('PURGE /v1/notes HTTP/1.1\nHost: localhost\nConnection: close\n\n')).toMatch(
      /^HTTP\/1.1 405/,
    )
  })

  it('answers HEAD without a body', async () => {
    const answer = await fetch(`${base}/v1/notes/a`, { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })

  it('can be injected into', async () => {
    expect((await app.inject('/v1/notes/b')).json()).toEqual({ id: 'b', text: 'second' })
  })

  it('opens its control paths to this machine', async () => {
    expect((await fetch(`${base}/__sim/health`)).status).toBe(200)
  })
})
