import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'

const SLOW_MS = 600
let upstream: Server
let directory: string
const left: string[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sim-half-closed-'))
  upstream = createServer((request, response) => {
    response.once('close', () => {
      if (!response.writableEnded) left.push(request.url ?? '')
    })
    if (request.url === '/slow') setTimeout(() => response.end('slow'), SLOW_MS)
    else if (request.url === '/events')
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    else if (request.url !== '/never') setImmediate(() => response.end('quick'))
  })
  await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  upstream.closeAllConnections()
  upstream.close()
  await rm(directory, { recursive: true })
})

async function start(options: GatewayOptions) {
  const app = createGateway({
    upstream: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    ...options,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { port: (app.server.address() as AddressInfo).port, [Symbol.asyncDispose]: async () => app.close() }
}

/** Sends a request and closes that side at once; resolves with all that comes back. */
function send(port: number, path: string, version = '1.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.once('error', reject)
    socket.once('end', () => resolve(text))
    socket.end(`GET ${path} HTTP/${version}\r\nHost: x\r\n\r\n`)
  })
}

describe('a client that closes its side once it has sent its request', () => {
  it('gets its response from an upstream, recorded or not, however long it takes', async () => {
    for (const options of [{}, { record: directory }]) {
      await using gateway = await start(options)
      expect(await send(gateway.port, '/quick')).toMatch(/^HTTP\/1.1 200 OK[^]*quick/)
      const slow = await send(gateway.port, '/slow')
      expect(slow.replaceAll('HTTP/1.1 102 Processing\r\n\r\n', '')).toMatch(/^HTTP\/1.1 200 OK[^]*slow/)
      expect(await send(gateway.port, '/slow', '1.0')).toMatch(/^HTTP\/1.1 200 OK[^]*slow$/)
    }
  })

  it('gets what was recorded', async () => {
    await using gateway = await start({ recording: directory, modes: { mode: 'replay' } })
    expect(await send(gateway.port, '/slow')).toMatch(/^HTTP\/1.1 200 OK[^]*slow/)
  })

  it('is told apart from one that has left, whose request to the upstream is given up', async () => {
    await using gateway = await start({})
    for (const path of ['/never', '/events']) {
      const socket = connect(gateway.port, '127.0.0.1')
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await new Promise((resolve) => setTimeout(resolve, 100))
      socket.destroy()
      await expect.poll(() => left, { timeout: 5000 }).toContain(path)
    }
  })
})
