import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway } from '../../src/gateway.ts'
import type { Limits } from '../../src/http/limits.ts'

async function start(limits: Limits): Promise<number> {
  const app = createGateway({ engine: new SimAPI({ seed: 1 }).post('/x').engine(), limits })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return (app.server.address() as AddressInfo).port
}

/** What a connection is told after it sent some bytes, the last of which may come later. */
async function send(
  port: number,
  first: string,
  later?: { readonly text: string; readonly afterMs: number },
): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(first)
  if (later !== undefined) setTimeout(() => socket.write(later.text), later.afterMs)
  let heard = ''
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  await new Promise((closed) => socket.once('close', closed))
  return heard
}

describe('the limits of a server', () => {
  it('refuse a header that is too long with 431', async () => {
    const port = await start({ maxHeaderBytes: 1000 })
    expect(await send(port, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(2000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    )
    expect(await send(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 404 /,
    )
  })

  it('let a longer header in where they are wider', async () => {
    const port = await start({ maxHeaderBytes: 100_000 })
    const head = `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: ${'x'.repeat(50_000)}\r\n\r\n`
    expect(await send(port, head)).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('end a connection whose header does not come to its end', async () => {
    const port = await start({ headerTimeoutMs: 100 })
    expect(await send(port, 'GET / HTTP/1.1\r\nHost: a\r\n')).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('leave a body all the time it takes', async () => {
    const port = await start({ headerTimeoutMs: 50 })
    const head = 'POST /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n'
    expect(await send(port, head, { text: '{}', afterMs: 300 })).toMatch(/^HTTP\/1\.1 200 /)
  })
})
