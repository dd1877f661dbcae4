import { once } from 'node:events'
import { connect as connectHttp2, constants } from 'node:http2'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { faults, type Fault } from '../../plugins/faults.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const TEXT = 'abcdefghij'.repeat(100)
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

type Answer = (request: FastifyRequest, reply: FastifyReply) => unknown

/** The ways in which an answer can be sent: by Fastify, by a stream, or past it as forwarding does. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  'a text': () => TEXT,
  'a stream': (_request, reply) =>
    reply.type('text/plain').send(Readable.from([TEXT.slice(0, 500), TEXT.slice(500)])),
  'a hijacked answer of known length': (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, 'OK', ['Content-Length', '1000', 'Content-Type', 'text/plain'])
    reply.raw.write('', 'latin1')
    reply.raw.write(Buffer.from(TEXT.slice(0, 700)))
    reply.raw.end(Buffer.from(TEXT.slice(700)))
  },
}

async function open(fault: Partial<Fault>, answer: Answer = () => TEXT) {
  const slept: number[] = []
  const app = Fastify()
  await app.register(faults, {
    fault: () => ({ kind: 'reset', bytesPerSecond: 1000, ...fault }),
    random: () => () => 0.5,
    sleep: async (ms) => slept.push(ms),
  })
  app.get('/*', answer)
  await app.listen({ port: 0, host: '127.0.0.1' })
  closing.push(() => app.close())
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
  async function ask(fault: Partial<Fault>, answer: Answer = () => TEXT) {
    const app = Fastify({ http2: true })
    await app.register(
      faults as never,
      {
        fault: () => ({ kind: 'reset', bytesPerSecond: 1000, ...fault }),
        sleep: async () => undefined,
      } as never,
    )
    app.get('/*', answer as never)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const session = connectHttp2(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
    const stream = session.request({ ':path': '/' })
    let text = ''
    let status: unknown
    stream.on('response', (headers) => (status = headers[':status']))
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    stream.on('error', () => undefined)
    await new Promise((resolve) => stream.once('close', resolve))
    session.destroy()
    await app.close()
    return { status, text, code: stream.rstCode }
  }

  it.for([
    ['reset', constants.NGHTTP2_INTERNAL_ERROR],
    ['empty', constants.NGHTTP2_CANCEL],
    ['garbage', constants.NGHTTP2_PROTOCOL_ERROR],
  ] as const)('%s: break the one stream', async ([kind, code]) => {
    expect(await ask({ kind })).toEqual({ status: undefined, text: '', code })
  })

  it('cut an answer short', async () => {
    const { status, text, code } = await ask({ kind: 'truncate' })
    expect([status, text.length, code]).toEqual([200, 500, constants.NGHTTP2_CANCEL])
  })

  it('send an answer slowly, whole', async () => {
    expect(await ask({ kind: 'slow-body' })).toEqual({ status: 200, text: TEXT, code: 0 })
  })
})

describe('faults', () => {
  it('reset the connection without a byte', async () => {
    const { port } = await open({ kind: 'reset' })
    expect(await hear(port)).toEqual({ text: '', error: 'ECONNRESET' })
  })

  it('close the connection without a byte', async () => {
    const { port } = await open({ kind: 'empty' })
    expect(await hear(port)).toEqual({ text: '', error: undefined })
  })

  it('send bytes that are no HTTP', async () => {
    const { port } = await open({ kind: 'garbage' })
    expect(await hear(port)).toEqual({ text: '\x80'.repeat(256), error: undefined })
  })

  it('never answer, but let the server close', async () => {
    const { app, port } = await open({ kind: 'hang' })
    const asked = new Promise((resolve) => app.server.once('request', resolve))
    const heard = hear(port)
    await asked
    await new Promise(setImmediate)
    await app.close()
    expect(await heard).toEqual({ text: '', error: undefined })
  })

  it.for(Object.entries(ANSWERS))('cut %s short', async ([, answer]) => {
    const { port } = await open({ kind: 'truncate' }, answer)
    const { text } = await hear(port)
    expect(text).toContain('HTTP/1.1 200 OK')
    const letters = /\r\n\r\n(?:[0-9a-f]+\r\n)?([a-j]*)/.exec(text)?.[1] ?? ''
    expect([250, 500]).toContain(letters.length)
    expect(TEXT.startsWith(letters)).toBe(true)
    // The end of a chunked body would make the cut look like an end.
    expect(text).not.toContain('0\r\n\r\n')
  })

  it('leave an answer without a body as it is when they cut it short', async () => {
    const { port } = await open({ kind: 'truncate' }, (_request, reply) => reply.code(204).send())
    expect((await hear(port)).text).toContain('HTTP/1.1 204 No Content')
    const head = await open({ kind: 'truncate' })
    expect((await hear(head.port, 'HEAD')).text).toMatch(
      /^HTTP\/1.1 200 OK\r\ncontent-type[^]*content-length: 1000/,
    )
  })

  it.for(Object.entries(ANSWERS))('send %s as slow as asked, whole', async ([, answer]) => {
    const { port, slept } = await open({ kind: 'slow-body' }, answer)
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(await response.text()).toBe(TEXT)
    expect(slept.length).toBeGreaterThanOrEqual(10)
    expect(Math.round(slept.reduce((sum, ms) => sum + ms, 0))).toBe(1000)
  })

  it('slow down whoever writes a slow body', async () => {
    const source = new PassThrough()
    const app = Fastify()
    await app.register(faults, {
      fault: () => ({ kind: 'slow-body', bytesPerSecond: 10 }),
      sleep: () => new Promise(() => undefined),
    })
    const asked = new Promise<void>((resolve) => {
      app.get('/', (_request, reply) => {
        reply.hijack()
        source.pipe(reply.raw)
        resolve()
      })
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const leaving = new AbortController()
    const answer = fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`, {
      signal: leaving.signal,
    })
    await asked
    let written = 0
    while (source.write(Buffer.alloc(16 * 1024)) || (await isDrained(source))) written++
    expect(written).toBeLessThan(20)
    leaving.abort()
    await expect(answer.then((response) => response.text())).rejects.toThrow('aborted')
    await app.close()
  })

  it('end a connection that knows no resets', async () => {
    using folder = temporaryFolder({})
    const app = Fastify()
    await app.register(faults, { fault: () => ({ kind: 'reset', bytesPerSecond: 1 }) })
    const path = join(folder.path, 'socket')
    await app.listen({ path })
    const socket = connect(path)
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => socket.once('close', resolve))
    expect(chunks).toEqual([])
    await app.close()
  })

  it.for(['reset', 'empty', 'truncate'] as const)('break an injected request: %s', async (kind) => {
    const app = Fastify()
    await app.register(faults, { fault: () => ({ kind, bytesPerSecond: 1 }) })
    app.get('/', () => TEXT)
    await expect(app.inject('/')).rejects.toThrow('response destroyed before completion')
  })

  it('cut a body that is written in many parts, and pass over what comes after', async () => {
    const { port } = await open({ kind: 'truncate' }, (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-length': '1000' })
      for (let at = 0; at < 1000; at += 100)
        reply.raw.write(TEXT.slice(at, at + 100), 'utf8', () => undefined)
      reply.raw.end(() => undefined)
    })
    const { text } = await hear(port)
    expect(/\r\n\r\n(.*)$/.exec(text)?.[1]).toBe(TEXT.slice(0, 500))
  })

  it('cut a body that ends before its half', async () => {
    const { port } = await open({ kind: 'truncate' }, (_request, reply) => {
      reply.hijack()
      reply.raw.setHeader('content-length', 1000)
      reply.raw.writeHead(200)
      reply.raw.write(TEXT.slice(0, 100))
      reply.raw.end()
    })
    expect((await hear(port)).text).toContain(TEXT.slice(0, 100))
  })

  it('draw and sleep by themselves unless told', async () => {
    const app = Fastify()
    let kind: Fault['kind'] = 'slow-body'
    await app.register(faults, { fault: () => ({ kind, bytesPerSecond: 1_000_000 }) })
    app.get('/', () => TEXT)
    expect((await app.inject('/')).body).toBe(TEXT)
    kind = 'garbage'
    await app.listen({ port: 0, host: '127.0.0.1' })
    expect((await hear((app.server.address() as AddressInfo).port)).text).toHaveLength(256)
    await app.close()
  })

  it('leave other requests alone', async () => {
    const app = Fastify()
    await app.register(faults, { fault: () => undefined })
    app.get('/', () => 'in')
    expect((await app.inject('/')).body).toBe('in')
  })
})
