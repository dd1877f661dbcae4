import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openAuthority } from '../../src/http/certificate-authority.ts'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'
import { openTunnel, rawAnswer, textOf, tlsThroughTunnel } from './raw-client.ts'
import { startSim, type SimServer } from './sim-process.ts'
import { closeAll, closing, startUpstream } from './ways-in-setup.ts'

const routes = (name: string): string => `routes: { GET /name: { output: { const: ${name} }, host: a.test } }`
const ASK = 'GET /name HTTP/1.1\r\nHost: a.test\r\n\r\n'

let folder: TemporaryFolder
let server: SimServer
let port: number
beforeEach(async () => {
  folder = temporaryFolder({ 'api.yaml': routes('old') })
  await openAuthority(join(folder.path, 'ca'))
})
afterEach(async () => {
  await server.stop()
  await closeAll()
  folder[Symbol.dispose]()
})

async function start(...args: readonly string[]): Promise<void> {
  const all = ['proxy', '--routes', 'api.yaml', '--ca-dir', 'ca', '--watch', ...args]
  server = await startSim(all, folder.path)
  port = Number(new URL(server.url).port)
  await server.prints(/^seed/m)
}

async function reload(): Promise<void> {
  const printed = server.stderr().length
  folder.write('api.yaml', routes('new'))
  await server.prints(/^reloaded/m, printed)
}

const ask = async (socket: Socket): Promise<string> => {
  socket.write(ASK)
  return String((await once(socket, 'data'))[0])
}
const tlsTo = (options = {}) => tlsThroughTunnel(join(folder.path, 'ca'), port, 'a.test:443', options)

describe('sim proxy --watch', () => {
  it('answers in tunnels by what was loaded last, in old ones and in new ones', async () => {
    await start()
    const before = await tlsTo()
    expect(await ask(before)).toMatch(/"old"$/)
    await reload()
    expect(await ask(before)).toMatch(/"new"$/)
    const after = await tlsTo()
    expect(await ask(after)).toMatch(/"new"$/)
    before.destroy()
    after.destroy()
  })

  it('has clients of HTTP/2 begin again', async () => {
    await start()
    const open = async () => {
      const socket = await tlsTo({ ALPNProtocols: ['h2'] })
      return connectHttp2('https://a.test', { createConnection: () => socket })
    }
    const before = await open()
    expect(await text(before.request({ ':path': '/name' }))).toBe('"old"')
    const told = once(before, 'goaway')
    await reload()
    await told
    const after = await open()
    expect(await text(after.request({ ':path': '/name' }))).toBe('"new"')
    after.destroy()
  })

  it('keeps tunnels and WebSockets that pass through, and opens others', async () => {
    const upstream = await startUpstream((_request, response) => response.end('plain'))
    const sockets = new WebSocketServer({ server: upstream.server })
    sockets.on('connection', (socket) => socket.on('message', (data: Buffer) => socket.send(data.toString())))
    closing.push(() => sockets.close())
    await start('--upstream', upstream.url)
    const echo = async (socket: WebSocket, said: string) => {
      socket.send(said)
      expect(String((await once(socket, 'message'))[0])).toBe(said)
    }
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
    await once(socket, 'open')
    const tunnel = await openTunnel(port, `127.0.0.1:${upstream.port}`)
    await reload()
    await echo(socket, 'still here')
    tunnel.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(await textOf(tunnel)).toMatch(/plain$/)
    const another = new WebSocket(`ws://127.0.0.1:${port}/`)
    await once(another, 'open')
    await echo(another, 'here too')
    for (const each of [socket, another]) each.terminate()
  })

  it('ends when it is told to, though tunnels are open', async () => {
    const upstream = await startUpstream(() => undefined)
    await start()
    const tunnel = await openTunnel(port, `127.0.0.1:${upstream.port}`)
    await reload()
    await openTunnel(port, `127.0.0.1:${upstream.port}`)
    expect(await server.stop()).toBe(0)
    tunnel.destroy()
  })

  it('refuses its own port, and heads that are too long', async () => {
    await start('--max-header-bytes', '2000')
    const toItself = `GET http://localhost:${port}/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
    expect(await rawAnswer(port, toItself.replace('localhost', '127.0.0.2'))).toMatch(/^HTTP\/1.1 403 /)
    const long = `GET / HTTP/1.1\r\nHost: a\r\nx: ${'x'.repeat(3000)}\r\n\r\n`
    expect(await rawAnswer(port, long)).toMatch(/^HTTP\/1.1 431 /)
    expect(await rawAnswer(port, 'GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
  })

  it('forwards nowhere beyond loopback until it is told where', async () => {
    const upstream = await startUpstream((_request, response) => response.end('plain'))
    await start('--host', '0.0.0.0')
    const head = `GET ${upstream.url}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
    expect(await rawAnswer(port, head)).toMatch(/^HTTP\/1.1 403 /)
    const health = `GET /__sim/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    expect(await rawAnswer(port, health)).toMatch(/^HTTP\/1.1 403 /)
  })
})
