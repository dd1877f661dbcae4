import { once } from 'node:events'
import {
  createServer,
  get,
  request,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { createGateway } from '../../src/gateway.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function startUpstream(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function startGateway(upstream: string): Promise<{ url: string; port: number }> {
  const app = createGateway({ engine: new SimAPI({ seed: 1 }).engine(), upstream })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  closing.unshift(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return { url, port: Number(new URL(url).port) }
}

async function gatewayTo(listener: RequestListener) {
  const { server, url } = await startUpstream(listener)
  return { upstream: server, ...(await startGateway(url)) }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('forwarding', () => {
  it('passes each event of a stream as it comes, before the stream ends', async () => {
    let send: (text: string) => void = () => {}
    const { url } = await gatewayTo((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      send = (text) => response.write(text)
    })
    const [response] = (await once(get(url), 'response')) as [IncomingMessage]
    for (const event of ['data: one\n\n', 'data: two\n\n']) {
      send(event)
      const [chunk] = (await once(response, 'data')) as [Buffer]
      expect(chunk.toString()).toBe(event)
    }
    response.destroy()
  })

  it('ends the upstream request when the client leaves before the answer', async () => {
    let arrived: (response: ServerResponse) => void = () => {}
    const reached = new Promise<ServerResponse>((resolve) => (arrived = resolve))
    const { url } = await gatewayTo((_request, response) => arrived(response))
    const client = get(url)
    client.on('error', () => {})
    const unanswered = await reached
    client.destroy()
    await once(unanswered, 'close')
    expect(unanswered.headersSent).toBe(false)
  })

  it('ends the upstream request when the client leaves in the middle of the body', async () => {
    let closed: () => void = () => {}
    const left = new Promise<void>((resolve) => (closed = resolve))
    const { url } = await gatewayTo((_request, response) => {
      response.once('close', closed)
      const fill = (): void => {
        while (response.write(Buffer.alloc(65_536)));
        response.once('drain', fill)
      }
      fill()
    })
    const [response] = (await once(get(url), 'response')) as [IncomingMessage]
    await once(response, 'data')
    response.destroy()
    await expect(left).resolves.toBeUndefined()
  })

  it('lets a slow client slow the upstream', async () => {
    let written = 0
    const { url } = await gatewayTo((_request, response) => {
      const fill = (): void => {
        do written += 65_536
        while (response.write(Buffer.alloc(65_536)))
        response.once('drain', fill)
      }
      fill()
    })
    const [response] = (await once(get(url), 'response')) as [IncomingMessage]
    response.pause()
    let seen = -1
    // What sockets and streams hold fills up within a few rounds, and then nothing more is written.
    for (let rounds = 0; rounds < 100 && seen !== written; rounds++) {
      seen = written
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(written).toBe(seen)
    expect(written).toBeLessThan(64 * 1024 * 1024)
    response.destroy()
  })

  it('keeps duplicate headers, their order and the case of their names', async () => {
    const { url } = await gatewayTo((incoming, response) => {
      const echoed = incoming.rawHeaders.filter((_, index, all) => all[index - (index % 2)] === 'X-Twice')
      response.writeHead(200, ['Set-Cookie', 'a=1', 'X-Odd', 'ø', 'Set-Cookie', 'b=2'])
      response.end(Buffer.from(JSON.stringify(echoed)))
    })
    const headers = ['Host', 'x', 'X-Twice', 'one', 'X-Twice', 'two']
    const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
    expect(JSON.parse(await textOf(response))).toEqual(['X-Twice', 'one', 'X-Twice', 'two'])
    expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(response.rawHeaders).toContain('Set-Cookie')
    expect(response.headers['x-odd']).toBe('ø')
  })

  it('drops hop-by-hop headers both ways, with those that Connection names', async () => {
    const { url } = await gatewayTo((incoming, response) => {
      response.writeHead(200, {
        connection: 'close, x-private',
        'x-private': '1',
        'proxy-authenticate': 'Basic',
      })
      response.end(Object.keys(incoming.headers).toSorted().join())
    })
    const headers = {
      connection: 'x-hop',
      'x-hop': '1',
      'proxy-authorization': 'Basic x',
      te: 'trailers',
      'x-kept': '1',
    }
    const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
    expect((await textOf(response)).split(',')).toEqual(['connection', 'host', 'te', 'x-kept'])
    expect(response.headers).not.toHaveProperty('x-private')
    expect(response.headers).not.toHaveProperty('proxy-authenticate')
  })

  it('names the upstream in Host', async () => {
    const { url, upstream } = await gatewayTo((incoming, response) => response.end(incoming.headers.host))
    const [response] = (await once(get(url), 'response')) as [IncomingMessage]
    expect(await textOf(response)).toBe(`127.0.0.1:${(upstream.address() as AddressInfo).port}`)
  })

  it('passes trailers', async () => {
    const { url } = await gatewayTo((_request, response) => {
      response.writeHead(200, { trailer: 'x-digest' })
      response.write('body')
      response.addTrailers({ 'x-digest': 'abc' })
      response.end()
    })
    const [response] = (await once(get(url), 'response')) as [IncomingMessage]
    expect(await textOf(response)).toBe('body')
    expect(response.trailers).toEqual({ 'x-digest': 'abc' })
  })

  it('passes early hints', async () => {
    const { url } = await gatewayTo((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.end('body')
    })
    const client = get(url)
    const [[information], [response]] = (await Promise.all([
      once(client, 'information'),
      once(client, 'response'),
    ])) as [[{ statusCode: number; headers: { link?: string } }], [IncomingMessage]]
    expect([information.statusCode, information.headers.link]).toEqual([103, '</style.css>; rel=preload'])
    expect(await textOf(response)).toBe('body')
  })

  it('answers Expect: 100-continue itself and passes the body', async () => {
    const { url } = await gatewayTo(
      (incoming, response) => void textOf(incoming).then((text) => response.end(text)),
    )
    const client = request(url, {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': '4' },
    })
    client.flushHeaders()
    await once(client, 'continue')
    client.end('body')
    const [response] = (await once(client, 'response')) as [IncomingMessage]
    expect(await textOf(response)).toBe('body')
  })

  it('passes the body of a GET and the rare methods', async () => {
    const { url } = await gatewayTo((incoming, response) => {
      void textOf(incoming).then((text) => response.end(`${incoming.method} ${text}`))
    })
    for (const method of ['GET', 'PROPFIND', 'REPORT', 'OPTIONS', 'DELETE']) {
      const client = request(url, { method, headers: { 'content-length': '4' } })
      client.end('body')
      const [response] = (await once(client, 'response')) as [IncomingMessage]
      expect(await textOf(response)).toBe(`${method} body`)
    }
  })

  it('passes an answer that comes before the body was read', async () => {
    const { url } = await gatewayTo((_request, response) => {
      response.writeHead(413)
      response.end('too large')
    })
    const client = request(url, { method: 'POST' })
    client.on('error', () => {})
    const answered = once(client, 'response') as Promise<[IncomingMessage]>
    for (let i = 0; i < 80; i++) client.write(Buffer.alloc(65_536))
    client.end()
    const [response] = await answered
    expect([response.statusCode, await textOf(response)]).toEqual([413, 'too large'])
  })

  it('breaks off towards the client where the upstream broke off', async () => {
    const { url } = await gatewayTo((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setImmediate(() => response.socket?.destroy())
    })
    const [response] = (await once(get(url), 'response')) as [IncomingMessage]
    await expect(textOf(response)).rejects.toThrow(/aborted/)
  })

  it('reuses its connections to the upstream', async () => {
    let connections = 0
    const { url, upstream } = await gatewayTo((_request, response) => response.end('ok'))
    upstream.on('connection', () => connections++)
    for (let i = 0; i < 20; i++) await (await fetch(url)).text()
    expect(connections).toBe(1)
  })

  it('keeps the path as the client wrote it, below the path of the upstream', async () => {
    const { url } = await startUpstream((incoming, response) => response.end(incoming.url))
    const { port } = await startGateway(`${url}/base/`)
    for (const path of ['/a//b/../c', '/%7Eme/%2F', '/%ff/%', '/x?', '/x?a=1&a=2&b=%20+']) {
      const socket = connect(port, '127.0.0.1')
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      const chunks: Buffer[] = []
      for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk)
      expect(Buffer.concat(chunks).toString()).toContain(`\r\n\r\n`)
      expect(Buffer.concat(chunks).toString()).toContain(`/base${path}`)
    }
  })
})
