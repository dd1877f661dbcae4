import { once } from 'node:events'
import {
  createServer,
  request as ask,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createIdleTap } from '../../src/recording/capture/tap.ts'
import type { Recorder } from '../../src/recording/capture/recorder.ts'
import { createUpstream } from '../../src/upstream/upstream.ts'
import { setUp } from '../recording/capture/recorder-setup.ts'

async function listen(answer: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, port: (server.address() as AddressInfo).port }
}

interface Gate<Value> {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value) => void
}

function gate<Value>(): Gate<Value> {
  let open: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((resolve) => (open = resolve))
  return { promise, resolve: (value) => open(value) }
}

interface Held {
  readonly port: number
  /** Resolves when the upstream's answer has begun, and has had time to come through. */
  readonly begun: Promise<ServerResponse>
  readonly release: () => void
  /** How the forwarding ended, and what the tap was notified of. */
  readonly ended: Promise<string>
  readonly notified: string[]
}

// Enough for what has come to be passed on, if it were.
async function passTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await setImmediate()
}

/** A server that forwards to an upstream, and holds answers back until they are released. */
async function hold(answer: RequestListener): Promise<Held> {
  const upstream = createUpstream()
  onTestFinished(() => upstream.close())
  const { port } = await listen(answer)
  const { recorder } = await setUp()
  const notified: string[] = []
  const started = gate<undefined>()
  const free = gate<undefined>()
  const begun = gate<ServerResponse>()
  const ended = gate<string>()
  const holding: Recorder = {
    ...recorder,
    begin: () => ({
      ...createIdleTap(),
      ready() {
        started.resolve(undefined)
        return free.promise
      },
      complete: () => notified.push('complete'),
      abandon: () => notified.push('abandon'),
    }),
  }
  const gateway = await listen((request, response) => {
    const target = {
      ...{ origin: `http://127.0.0.1:${port}`, url: request.url ?? '/', lookup: undefined },
      ...{ requestHeaders: {}, responseHeaders: {} },
    }
    upstream.forward({ request, response, target, recorder: holding, begin: () => [] }).then(
      () => ended.resolve('done'),
      (error: Error) => {
        ended.resolve(error.name)
        response.destroy()
      },
    )
    void started.promise.then(passTurns).then(() => begun.resolve(response))
  })
  return {
    port: gateway.port,
    begun: begun.promise,
    release: () => free.resolve(undefined),
    ended: ended.promise,
    notified,
  }
}

it.each([
  ['of a known length', 'GET', (_, answer) => answer.end('body'), 'body'],
  ['without a body', 'GET', (_, answer) => answer.writeHead(204).end(), ''],
  ['to HEAD', 'HEAD', (_, answer) => answer.writeHead(200, { 'content-length': 4 }).end(), ''],
  ['in chunks', 'GET', (_, answer) => void (answer.write('one '), answer.end('two')), 'one two'],
  ['of many bytes', 'GET', (_, answer) => answer.end('x'.repeat(300_000)), 'x'.repeat(300_000)],
] satisfies [string, string, RequestListener, string][])(
  'an answer %s is held back until the recording is ready',
  async (_name, method, answer, body) => {
    const { port, begun, release, ended, notified } = await hold(answer)
    const request = ask({ port, host: '127.0.0.1', method, agent: false }).end()
    const answered = once(request, 'response')
    expect((await begun).headersSent).toBe(false)
    expect(notified).toEqual([])
    release()
    const [response] = (await answered) as [NodeJS.ReadableStream]
    expect(await text(response as never)).toBe(body)
    expect([await ended, notified]).toEqual(['done', ['complete']])
  },
)

it('an answer of tiny pieces that is held back goes out in few', async () => {
  const upstream = createUpstream()
  onTestFinished(() => upstream.close())
  const { port } = await listen((_, answer) => {
    for (let count = 0; count < 20_000; count++) answer.write('x')
    answer.end()
  })
  const held = { head: () => true, chunk: () => true, end: () => Promise.resolve() }
  let pieces = (): number => 0
  const gateway = await listen((request, response) => {
    const written = vi.spyOn(response, 'write')
    pieces = () => written.mock.calls.length
    const target = {
      ...{ origin: `http://127.0.0.1:${port}`, url: '/', lookup: undefined },
      ...{ requestHeaders: {}, responseHeaders: {} },
    }
    void upstream.forward({ request, response, target, recorder: undefined, hold: held, begin: () => [] })
  })
  const request = ask({ port: gateway.port, host: '127.0.0.1', agent: false }).end()
  const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream]
  expect(await text(response as never)).toBe('x'.repeat(20_000))
  expect(pieces()).toBeLessThan(1000)
})

it('an upstream that breaks while its answer is held back is named', async () => {
  const sockets: Socket[] = []
  const { port, begun, release, ended, notified } = await hold((request, answer) => {
    answer.writeHead(200, { 'content-length': 100 }).write('half')
    sockets.push(request.socket)
  })
  const request = ask({ port, host: '127.0.0.1', agent: false }).end()
  request.on('error', () => undefined)
  const response = await begun
  sockets[0]?.resetAndDestroy()
  expect(await ended).toBe('UpstreamReset')
  release()
  await passTurns()
  expect(response.headersSent).toBe(false)
  expect(notified).toEqual(['abandon'])
})

it('a client that leaves while its answer is held back ends the exchange', async () => {
  const { port, begun, release, ended, notified } = await hold((_, answer) => {
    answer.writeHead(200, { 'content-length': 100 }).write('half')
  })
  const request = ask({ port, host: '127.0.0.1', agent: false }).end()
  request.on('error', () => undefined)
  const response = await begun
  request.destroy()
  expect(await ended).toBe('done')
  release()
  await passTurns()
  expect(response.headersSent).toBe(false)
  expect(notified).toEqual(['abandon'])
})

it('a recording that is slower than the client sets the pace', async () => {
  const upstream = createUpstream()
  onTestFinished(() => upstream.close())
  const body = 'x'.repeat(1_000_000)
  const { port } = await listen((_, answer) => answer.end(body))
  const { recorder } = await setUp()
  let recorded = 0
  // It says each time that it is full, and that it has capacity again before the response does.
  const slow = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      recorded += chunk.length
      done()
    },
  })
  const begin: Recorder['begin'] = () => ({
    ...createIdleTap(),
    response: () => ({ stream: () => slow, body: () => undefined }),
  })
  const gateway = await listen((request, response) => {
    const target = {
      ...{ origin: `http://127.0.0.1:${port}`, url: request.url ?? '/', lookup: undefined },
      ...{ requestHeaders: {}, responseHeaders: {} },
    }
    void upstream.forward({ request, response, target, recorder: { ...recorder, begin }, begin: () => [] })
  })
  const [response] = (await once(
    ask({ port: gateway.port, host: '127.0.0.1', agent: false }).end(),
    'response',
  )) as [NodeJS.ReadableStream]
  expect(await text(response as never)).toBe(body)
  expect(recorded).toBe(body.length)
})

it('passes on that nothing changed, with the length that what did not change has', async () => {
  const upstream = createUpstream()
  onTestFinished(() => upstream.close())
  const origin = await listen((_request, response) =>
    response.writeHead(304, { 'content-length': '5' }).end(),
  )
  const { recorder } = await setUp()
  const { port } = await listen((request, response) => {
    const target = {
      origin: `http://127.0.0.1:${origin.port}`,
      url: '/',
      lookup: undefined,
      requestHeaders: {},
      responseHeaders: {},
    }
    void upstream.forward({ request, response, target, recorder, begin: () => [] })
  })
  const asking = ask({ port, host: '127.0.0.1' }).end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  expect(await text(answer)).toBe('')
  expect([answer.statusCode, answer.headers['content-length']]).toEqual([304, '5'])
  await recorder.flush()
  expect(recorder.counts().written).toBe(1)
})
