import { once } from 'node:events'
import { connect as connectHttp2, constants } from 'node:http2'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { createHttp2 } from '../../src/http/http2.ts'
import { HANDLED, type HttpResponse } from '../../src/message.ts'
import type { Exchange } from '../../src/pipeline/exchange.ts'
import type { Plugin } from '../../src/pipeline/route.ts'
import type { FaultShape } from '../../src/engine/chaos-rule.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const TEXT = 'abcdefghij'.repeat(100)
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

type Respond = (exchange: Exchange) => HttpResponse

const asText: Respond = () => ({ status: 200, headers: ['content-type', 'text/plain'], body: TEXT })

/** The ways in which a response can be sent: as a value, or past the pipeline as forwarding does. */
const RESPONSES: Readonly<Record<string, Respond>> = {
  'a text': asText,
  'a stream': ({ node: { response } }) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.write(TEXT.slice(0, 500))
    response.end(TEXT.slice(500))
    return HANDLED
  },
  'a body of known length in pieces': ({ node: { response } }) => {
    response.writeHead(200, 'OK', ['Content-Length', '1000', 'Content-Type', 'text/plain'])
    response.write('', 'latin1')
    response.write(Buffer.from(TEXT.slice(0, 700)))
    response.end(Buffer.from(TEXT.slice(700)))
    return HANDLED
  },
}

/** A gateway in which one fault happens to every request. */
function gatewayWith(
  faults: Readonly<Record<string, FaultShape>>,
  respond: Respond = asText,
  sleep?: (ms: number) => Promise<void>,
) {
  const responder: Plugin = {
    name: 'responder',
    plan(_route, session) {
      if (sleep !== undefined) session.clock.sleep = sleep
      return respond
    },
  }
  const app = createGateway({ chaos: { rules: [{ faults }] }, plugins: [responder] })
  closing.push(() => app.close())
  return app
}

async function open(faults: Readonly<Record<string, FaultShape>>, respond?: Respond) {
  const slept: number[] = []
  const app = gatewayWith(faults, respond, async (ms) => void slept.push(ms))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, slept, port: (app.server.address() as AddressInfo).port }
}

interface Heard {
  readonly text: string
  readonly error: string | undefined
}

/** Whether a stream can be written again soon: in far fewer turns than it may take when nobody reads. */
async function isDrained(stream: PassThrough): Promise<boolean> {
  for (let turn = 0; turn < 50 && stream.writableNeedDrain; turn++) await new Promise(setImmediate)
  return !stream.writableNeedDrain
}

/** Everything that comes back for one request, and how it ended. */
async function hear(port: number, method = 'GET'): Promise<Heard> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  let error: string | undefined
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', (problem: NodeJS.ErrnoException) => (error = problem.code))
  socket.write(`${method} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  await once(socket, 'close').catch(() => undefined)
  return { text: Buffer.concat(chunks).toString('latin1'), error }
}

describe('faults over HTTP/2', () => {
  async function request(faults: Readonly<Record<string, FaultShape>>) {
    const app = gatewayWith(faults, asText, async () => undefined)
    await app.ready()
    const http2 = createHttp2((incoming, response) => app.routing(incoming, response), 1_000)
    const server = createServer((socket) => http2.accept(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const stream = session.request({ ':path': '/' })
    let text = ''
    let status: unknown
    stream.on('response', (headers) => (status = headers[':status']))
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    stream.on('error', () => undefined)
    await new Promise((resolve) => stream.once('close', resolve))
    session.destroy()
    http2.retire()
    server.close()
    return { status, text, code: stream.rstCode }
  }

  it.for([
    ['reset', constants.NGHTTP2_INTERNAL_ERROR],
    ['empty', constants.NGHTTP2_CANCEL],
    ['garbage', constants.NGHTTP2_PROTOCOL_ERROR],
  ] as const)('%s: break the one stream', async ([kind, code]) => {
    expect(await request({ [kind]: 1 })).toEqual({ status: undefined, text: '', code })
  })

  it('cut a response short', async () => {
    const { status, text, code } = await request({ truncate: 1 })
    expect([status, text.length, code]).toEqual([200, 500, constants.NGHTTP2_CANCEL])
  })

  it('send a response slowly, whole', async () => {
    expect(await request({ 'slow-body': 1 })).toEqual({ status: 200, text: TEXT, code: 0 })
  })
})

describe('faults', () => {
  it('reset the connection without a byte', async () => {
    const { port } = await open({ reset: 1 })
    expect(await hear(port)).toEqual({ text: '', error: 'ECONNRESET' })
  })

  it('close the connection without a byte', async () => {
    const { port } = await open({ empty: 1 })
    expect(await hear(port)).toEqual({ text: '', error: undefined })
  })

  it('send bytes that are not HTTP', async () => {
    const { port } = await open({ garbage: 1 })
    const { text, error } = await hear(port)
    expect([text.length, text.startsWith('HTTP'), error]).toEqual([256, false, undefined])
  })

  it('never respond, but let the server close', async () => {
    const { app, port } = await open({ hang: 1 })
    const came = new Promise((resolve) => app.server.once('request', resolve))
    const heard = hear(port)
    await came
    await new Promise(setImmediate)
    await app.close()
    expect(await heard).toEqual({ text: '', error: undefined })
  })

  it.for(Object.entries(RESPONSES))('cut %s short', async ([, respond]) => {
    const { port } = await open({ truncate: 1 }, respond)
    const { text } = await hear(port)
    expect(text).toContain('HTTP/1.1 200 OK')
    const letters = /\r\n\r\n(?:[0-9a-f]+\r\n)?([a-j]*)/.exec(text)?.[1] ?? ''
    expect([250, 500]).toContain(letters.length)
    expect(TEXT.startsWith(letters)).toBe(true)
    // The end of a chunked body would make the cut look like an end.
    expect(text).not.toContain('0\r\n\r\n')
  })

  it('leave a response without a body as it is when they cut it short', async () => {
    const { port } = await open({ truncate: 1 }, () => ({ status: 204, headers: [] }))
    expect((await hear(port)).text).toContain('HTTP/1.1 204 No Content')
    const head = await open({ truncate: 1 })
    expect((await hear(head.port, 'HEAD')).text).toMatch(
      /^HTTP\/1.1 200 OK\r\ncontent-type[^]*content-length: 1000/,
    )
  })

  it.for(Object.entries(RESPONSES))('send %s as slowly as wanted, whole', async ([, respond]) => {
    const { port, slept } = await open({ 'slow-body': { rate: 1, bytesPerSecond: 1000 } }, respond)
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(await response.text()).toBe(TEXT)
    expect(slept.length).toBeGreaterThanOrEqual(10)
    expect(Math.round(slept.reduce((sum, ms) => sum + ms, 0))).toBe(1000)
  })

  it('slow down whoever writes a slow body', async () => {
    const source = new PassThrough()
    const respond: Respond = ({ node: { response } }) => {
      source.pipe(response)
      return HANDLED
    }
    const app = gatewayWith(
      { 'slow-body': { rate: 1, bytesPerSecond: 10 } },
      respond,
      () => new Promise(() => undefined),
    )
    await app.listen({ port: 0, host: '127.0.0.1' })
    const piped = once(source, 'resume')
    const leaving = new AbortController()
    const answer = fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`, {
      signal: leaving.signal,
    })
    await piped
    let written = 0
    while (source.write(Buffer.alloc(16 * 1024)) || (await isDrained(source))) written++
    expect(written).toBeLessThan(20)
    leaving.abort()
    await expect(answer.then((response) => response.text())).rejects.toThrow('aborted')
  })

  it('end a connection that knows no resets', async () => {
    using folder = temporaryFolder({})
    const app = gatewayWith({ reset: 1 })
    const path = join(folder.path, 'socket')
    await app.listen({ path })
    const socket = connect(path)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => socket.once('close', resolve))
    expect(chunks).toEqual([])
  })

  it.for(['reset', 'empty', 'truncate'] as const)('break an injected request: %s', async (kind) => {
    await expect(gatewayWith({ [kind]: 1 }).inject('/')).rejects.toThrow(
      'response destroyed before completion',
    )
  })

  it('cut a body that is written in many parts, and pass over what comes after', async () => {
    const { port } = await open({ truncate: 1 }, ({ node: { response } }) => {
      response.writeHead(200, { 'content-length': '1000' })
      for (let at = 0; at < 1000; at += 100) response.write(TEXT.slice(at, at + 100), 'utf8', () => undefined)
      response.end(() => undefined)
      return HANDLED
    })
    const { text } = await hear(port)
    expect(/\r\n\r\n(.*)$/.exec(text)?.[1]).toBe(TEXT.slice(0, 500))
  })

  it('cut a body that ends before its half', async () => {
    const { port } = await open({ truncate: 1 }, ({ node: { response } }) => {
      response.setHeader('content-length', 1000)
      response.writeHead(200)
      response.write(TEXT.slice(0, 100))
      response.end()
      return HANDLED
    })
    expect((await hear(port)).text).toContain(TEXT.slice(0, 100))
  })

  it('leave other requests alone', async () => {
    expect((await gatewayWith({ reset: 0 }).inject('/')).body).toBe(TEXT)
  })
})
