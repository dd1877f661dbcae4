import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { setTimeout as wait } from 'node:timers/promises'
import { constants, createGzip } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import type { ChaosOptions } from '../../src/engine/chaos-rule.ts'
import { collect, exchangeOf, temporaryDirectory, writeLines } from '../recording/samples.ts'
import { atEnd } from '../at-end.ts'
import { caDirectory, getStream, tlsTo } from './kit.ts'
import { textOf } from './raw-client.ts'
import { ask, recorded, startReplay } from './replay-kit.ts'

const SECRET_EVENTS = [1, 2, 3].map((id) => `data: {"id":${id},"token":"s3cret-${id}-of-some-length"}\n\n`)

describe('an event stream', () => {
  it.for([false, true])('is recorded and replayed event by event (gzip: %s)', async (isCoded) => {
    const play = async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const coding = isCoded && { 'content-encoding': 'gzip' }
      response.writeHead(200, { 'content-type': 'text/event-stream', ...coding })
      response.flushHeaders()
      const out = isCoded ? createGzip({ flush: constants.Z_SYNC_FLUSH }) : response
      if (out !== response) out.pipe(response)
      for (const event of SECRET_EVENTS) {
        out.write(event)
        await wait(60)
      }
      out.end()
    }
    const server = createServer((request, response) => void play(request, response))
    const directory = await recorded(server, async (url) => void (await ask(url, '/events')))
    const [exchange] = await collect(readExchanges(directory))
    const stored = exchange?.response.content.text?.match(/data.*\n\n/g) ?? []
    expect(stored).toHaveLength(3)

    const { url, freeze, advance } = await startReplay(directory)
    await freeze()
    const answered = getStream(`${url}/events`)
    let seen = ''
    let hasEnded = false
    // The head waits for the clock too.
    await expect
      .poll(
        async () => {
          await advance(1)
          return Promise.race([answered.then(() => true), wait(5, false)])
        },
        { interval: 1 },
      )
      .toBe(true)
    const answer = await answered
    answer.on('data', (chunk: Buffer) => (seen += chunk.toString())).once('end', () => (hasEnded = true))
    const lengths = new Set<number>()
    await expect
      .poll(
        async () => {
          await advance(5)
          await wait(5)
          lengths.add(seen.length)
          return hasEnded
        },
        { interval: 1 },
      )
      .toBe(true)
    expect(seen).toBe(stored.join(''))
    const ends = stored.map((_event, index) => stored.slice(0, index + 1).join('').length)
    expect([...lengths].filter((length) => length > 0)).toEqual(ends)
  })
})

describe('a WebSocket', () => {
  it('is recorded and replayed, in text and bytes', async () => {
    const server = createServer()
    const sockets = new WebSocketServer({ server, handleProtocols: () => 'chat' })
    sockets.on('connection', (socket) => {
      socket.send('hello')
      socket.on('message', (data: Buffer, isBinary) => {
        socket.send(isBinary ? Buffer.from(data.toReversed()) : `you said ${data.toString()}`, {
          binary: isBinary,
        })
      })
    })
    const converse = async (url: string): Promise<unknown[]> => {
      const heard: unknown[] = []
      const client = new WebSocket(`${url.replace('http', 'ws')}/chat?group=1`, ['chat'])
      client.on('message', (data: Buffer, isBinary) => heard.push(isBinary ? [...data] : data.toString()))
      await expect.poll(() => heard.length).toBe(1)
      client.send('one')
      await expect.poll(() => heard.length).toBe(2)
      client.send(Buffer.from([1, 2, 255]))
      await expect.poll(() => heard.length).toBe(3)
      client.close(1000)
      await once(client, 'close')
      return [client.protocol, ...heard]
    }
    let live: unknown[] = []
    const directory = await recorded(server, async (url) => void (live = await converse(url)))
    const { url } = await startReplay(directory, { timing: 'none' })
    expect(await converse(url)).toEqual(live)
    expect(live).toEqual(['chat', 'hello', 'you said one', [255, 2, 1]])
  })
})

const EVENTS = ['data: one\n\n', 'data: two\n\n']

/** A recorded stream of two events, of a server with TLS. */
function events(url: string): object {
  const exchange = exchangeOf({
    url,
    responseHeaders: [['content-type', 'text/event-stream']],
    responseBody: EVENTS.join(''),
    trailers: [['x-sum', '2']],
  })
  const chunks = EVENTS.map(({ length }, index) => ({ time: index * 30, bytes: length }))
  const content = { ...exchange.response.content, _chunks: chunks }
  return {
    ...exchange,
    timings: { ...exchange.timings, wait: 1 },
    response: { ...exchange.response, content },
  }
}

describe('replay', () => {
  it('answers through a tunnel whose TLS ends here, by HTTP/2, streams and their trailers included', async () => {
    const recording = await writeLines(await temporaryDirectory(), events('https://api.test/events'))
    const tls = { caDirectory: caDirectory(), intercept: ['api.test'] }
    const { port } = await startReplay(recording, {}, { targets: { proxy: true }, tls })
    const secure = await tlsTo(port, 'api.test:443', { ALPNProtocols: ['h2'] })
    expect(secure.alpnProtocol).toBe('h2')
    const session = connectHttp2('https://api.test', { createConnection: () => secure })
    atEnd(() => session.destroy())
    const stream = session.request({ ':path': '/events' })
    const trailers = once(stream, 'trailers')
    const [headers] = (await once(stream, 'response')) as [object]
    expect(headers).toMatchObject({ ':status': 200, 'content-type': 'text/event-stream' })
    expect(await textOf(stream)).toBe(EVENTS.join(''))
    expect((await trailers)[0]).toMatchObject({ 'x-sum': '2' })
  })

  it.for<[string, ChaosOptions, string | undefined]>([
    ['none', {}, EVENTS.join('')],
    [
      'slow-body',
      { rules: [{ faults: { 'slow-body': { rate: 1, bytesPerSecond: 1000 } } }] },
      EVENTS.join(''),
    ],
    ['truncate', { rules: [{ faults: { truncate: { rate: 1 } } }] }, undefined],
    ['reset', { rules: [{ faults: { reset: { rate: 1 } } }] }, undefined],
  ])('meets the fault %s in the middle of a stream', async ([, chaos, wanted]) => {
    const recording = await writeLines(await temporaryDirectory(), events('http://api.test/events'))
    const { url } = await startReplay(recording, {}, { chaos })
    const seen = await ask(url, '/events').then(
      ({ text }) => text,
      () => undefined,
    )
    expect(seen).toBe(wanted)
    expect((await ask(url, '/__sim/health')).status).toBe(200)
  })
})
