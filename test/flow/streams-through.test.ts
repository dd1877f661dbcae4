import { once } from 'node:events'
import { get, request, type IncomingMessage, type RequestListener } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { get as getSecurely } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { openTunnel, textOf, tlsThroughTunnel } from './raw-client.ts'
import {
  closeAll,
  startGateway,
  startTlsUpstream,
  startUpstream,
  temporaryDirectory,
  upstreamAuthority,
} from './ways-in-setup.ts'

const directory = temporaryDirectory()
const caDirectory = join(directory, 'ca')
afterEach(closeAll)

/** A way in, ready to be used: gives the answer to GET / as a stream. */
type Open = () => Promise<Readable>

interface Way {
  readonly way: string
  readonly start: (listener: RequestListener) => Promise<Open>
}

async function answered(asked: ReturnType<typeof get>): Promise<IncomingMessage> {
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response
}

async function startIntercepting(
  listener: RequestListener,
): Promise<{ url: string; port: number; authority: string }> {
  const ca = await upstreamAuthority(directory)
  const upstream = await startTlsUpstream(ca, listener)
  const { port } = await startGateway({
    tls: { intercept: ['*'], caDirectory },
    reach: { tls: { ca: ca.cert } },
  })
  return { url: upstream.url, port, authority: `localhost:${upstream.port}` }
}

const WAYS: readonly Way[] = [
  {
    way: 'in origin-form',
    async start(listener) {
      const { url } = await startGateway({ upstream: (await startUpstream(listener)).url })
      return () => answered(get(url, { agent: false }))
    },
  },
  {
    way: 'in absolute-form',
    async start(listener) {
      const { url: path } = await startUpstream(listener)
      const { port } = await startGateway()
      return () => answered(get({ host: '127.0.0.1', port, path: `${path}/`, agent: false }))
    },
  },
  {
    way: 'through a blind tunnel',
    async start(listener) {
      const upstream = await startUpstream(listener)
      const { port } = await startGateway()
      return async () => {
        const socket = await openTunnel(port, `127.0.0.1:${upstream.port}`)
        return answered(get(upstream.url, { createConnection: () => socket }))
      }
    },
  },
  {
    way: 'through a tunnel that ends here',
    async start(listener) {
      const { url, port, authority } = await startIntercepting(listener)
      return async () => {
        const options = { ALPNProtocols: ['http/1.1'] }
        const socket = await tlsThroughTunnel(caDirectory, port, authority, options)
        return answered(getSecurely(url, { createConnection: () => socket }))
      }
    },
  },
  {
    way: 'over HTTP/2 in a tunnel that ends here',
    async start(listener) {
      const { url, port, authority } = await startIntercepting(listener)
      return async () => {
        const secure = await tlsThroughTunnel(caDirectory, port, authority, { ALPNProtocols: ['h2'] })
        const session = connectHttp2(url, { createConnection: () => secure })
        const stream = session.request({ ':path': '/' })
        stream.once('close', () => session.destroy())
        await once(stream, 'response')
        return stream
      }
    },
  },
]

describe.for(WAYS)('a stream $way', ({ start }) => {
  it('brings each event as it comes', async () => {
    let send: (text: string) => void = () => {}
    const open = await start((_incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      send = (text) => response.write(text)
    })
    const stream = await open()
    for (const event of ['data: one\n\n', 'data: two\n\n']) {
      send(event)
      expect(String((await once(stream, 'data'))[0])).toBe(event)
    }
    stream.destroy()
  })

  it('is as slow at the upstream as its client reads it', async () => {
    let written = 0
    const open = await start((_incoming, response) => {
      const fill = (): void => {
        do written += 65_536
        while (response.write(Buffer.alloc(65_536)))
        response.once('drain', fill)
      }
      response.on('error', () => {})
      fill()
    })
    const stream = await open()
    stream.pause()
    let seen = -1
    // What sockets and streams hold fills up within a few rounds, and then nothing more is written.
    for (let rounds = 0; rounds < 100 && seen !== written; rounds++) {
      seen = written
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(written).toBe(seen)
    expect(written).toBeLessThan(64 * 1024 * 1024)
    stream.destroy()
  })

  it('ends at the upstream when its client leaves', async () => {
    let closed: () => void = () => {}
    const left = new Promise<void>((resolve) => (closed = resolve))
    const open = await start((_incoming, response) => {
      response.once('close', closed)
      response.write('first')
    })
    const stream = await open()
    await once(stream, 'data')
    stream.destroy()
    await expect(left).resolves.toBeUndefined()
  })
})

describe('1,000 connections that are slow', () => {
  it('do not stop a fast one', async () => {
    const upstream = await startUpstream((incoming, response) => {
      if (incoming.url === '/fast') response.end('fast')
      else response.write('slow')
    })
    const { port } = await startGateway({ upstream: upstream.url })
    const slow = await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => {})
        await once(socket, 'connect')
        // Half of them never finish what they ask; the others get an answer that never ends.
        socket.write(`GET /slow HTTP/1.1\r\nHost: a\r\n${index % 2 === 0 ? 'X-Part: ' : '\r\n'}`)
        if (index % 2 === 1) await once(socket, 'data')
        return socket
      }),
    )
    const response = await answered(request({ host: '127.0.0.1', port, path: '/fast', agent: false }).end())
    expect(await textOf(response)).toBe('fast')
    for (const socket of slow) socket.destroy()
  })
})
