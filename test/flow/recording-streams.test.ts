import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { createGzip, constants } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Exchange } from '../../src/recording/exchange.ts'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import { allBytes, collect, pseudonymOf } from '../recording/samples.ts'
import { atEnd } from '../at-end.ts'
import { gatewayTo, getStream, openFolder } from './kit.ts'
import { startReplay } from './replay-kit.ts'

const SECRET = 'pl4nted-s3cret-of-a-stream'
const HIDDEN = await pseudonymOf(SECRET)

/** Records an upstream; what is recorded can be read once the gateway has closed. */
async function record(listener: RequestListener) {
  const directory = join(openFolder().path, 'recording')
  const gateway = await gatewayTo(listener, { targets: { proxy: true }, record: directory })
  return {
    ...gateway,
    directory,
    async exchanges(): Promise<Exchange[]> {
      gateway.app.server.closeAllConnections()
      await gateway.app.close()
      return collect(readExchanges(directory))
    },
    bytes: async (): Promise<Buffer> => (await allBytes(directory)).bytes,
  }
}

describe('an event stream', () => {
  const events = [1, 2, 3].map((id) => `data: {"id":${id},"token":"${SECRET}"}\n\n`)
  const stored = (text: string): string => text.replace(SECRET, HIDDEN)

  /** Sends an event whenever the client has got the one before. */
  const play = async (isEncoded: boolean, isLeft: boolean) => {
    let response: ServerResponse | undefined
    const recording = await record((_request, answer) => {
      const coding = isEncoded && { 'content-encoding': 'gzip' }
      answer.writeHead(200, { 'content-type': 'text/event-stream', ...coding })
      answer.flushHeaders()
      response = answer
    })
    const answer = await getStream(recording.url)
    const encoder = createGzip({ flush: constants.Z_SYNC_FLUSH })
    if (isEncoded && response !== undefined) encoder.pipe(response)
    const out = isEncoded ? encoder : (response as unknown as Writable)
    const seen: string[] = []
    for (const event of events) {
      const came = once(answer, 'data') as Promise<[Buffer]>
      out.write(event)
      seen.push((await came)[0].toString('latin1'))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    if (isLeft) answer.destroy()
    else {
      out.end()
      await once(answer.resume(), 'end')
    }
    return { recording, seen }
  }

  it('passes live while it is recorded, with the time of each event', async () => {
    const { recording, seen } = await play(false, false)
    expect(seen).toEqual(events)
    const [exchange] = await recording.exchanges()
    expect(exchange?.response.content.text).toBe(events.map(stored).join(''))
    const chunks = exchange?.response.content._chunks ?? []
    expect(chunks.map(({ bytes }) => bytes)).toEqual(events.map((event) => stored(event).length))
    const gaps = chunks.slice(1).map(({ time }, index) => time - (chunks[index]?.time ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(15)
    expect(exchange?.response).not.toHaveProperty('_aborted')
    expect((await recording.bytes()).includes(SECRET)).toBe(false)
  })

  it('has the times of its events as they are decoded', async () => {
    const { recording } = await play(true, false)
    const [exchange] = await recording.exchanges()
    expect(exchange?.response.content).toMatchObject({ text: events.map(stored).join(''), _decoded: 'gzip' })
    expect(exchange?.response.content._chunks?.map(({ bytes }) => bytes)).toEqual(
      events.map((event) => stored(event).length),
    )
  })

  it.for([false, true])('is kept as far as it came when the client leaves (gzip: %s)', async (isEncoded) => {
    const { recording } = await play(isEncoded, true)
    const [exchange] = await recording.exchanges()
    expect(exchange?.response._aborted).toBe(true)
    expect(exchange?.response.content.text).toBe(events.map(stored).join(''))
  })
})

describe('another answer that the client leaves', () => {
  it('is not recorded', async () => {
    const recording = await record((_request, answer) => {
      answer.writeHead(200, { 'content-type': 'text/plain' })
      answer.write('half')
    })
    const answer = await getStream(recording.url)
    await once(answer, 'data')
    answer.destroy()
    expect(await recording.exchanges()).toEqual([])
  })

  it('is kept as far as it came where it came in whole lines', async () => {
    const lines = ['{"type":"ADDED"}\n', '{"type":"MODIFIED"}\n{"type":"DELETED"}\n']
    const recording = await record((_request, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' })
      answer.write(lines[0])
      setTimeout(() => answer.write(lines[1]), 20)
    })
    const answer = await getStream(recording.url)
    await once(answer, 'data')
    await once(answer, 'data')
    answer.destroy()
    const [exchange] = await recording.exchanges()
    expect(exchange?.response).toMatchObject({ _aborted: true, content: { text: lines.join('') } })
    const replay = await startReplay(recording.directory)
    const again = await getStream(replay.url)
    expect(String((await once(again, 'data'))[0])).toBe(lines[0])
    expect(String((await once(again, 'data'))[0])).toBe(lines[1])
    again.destroy()
  })
})

describe('a WebSocket', () => {
  async function converse(perMessageDeflate: boolean | object): Promise<Exchange[]> {
    const recording = await record(() => {})
    const sockets = new WebSocketServer({ server: recording.upstream.server, perMessageDeflate })
    sockets.on('connection', (socket) =>
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
    )
    atEnd(() => sockets.close())
    const socket = new WebSocket(`${recording.url.replace('http', 'ws')}/live?token=${SECRET}`, {
      perMessageDeflate,
      headers: { authorization: `Bearer ${SECRET}` },
    })
    await once(socket, 'open')
    for (const message of MESSAGES) {
      socket.send(message)
      const [echo] = (await once(socket, 'message')) as [Buffer]
      expect(echo.toString()).toBe(message.toString())
    }
    socket.close()
    await once(socket, 'close')
    const exchanges = await recording.exchanges()
    expect((await recording.bytes()).includes(SECRET)).toBe(false)
    return exchanges
  }
  const MESSAGES = [
    `{"type":"auth","token":"${SECRET}"}`,
    `42["login",{"password":"${SECRET}"}]`,
    'x'.repeat(100_000),
    Buffer.from([0xff, 0, 1]),
    Buffer.from(`{"secret":"${SECRET}"}`),
  ]

  it.for([false, true, { serverNoContextTakeover: true, clientNoContextTakeover: true, threshold: 0 }])(
    'is recorded with its messages, in the form of Chrome (compressed: %s)',
    async (deflate) => {
      const [exchange] = await converse(deflate)
      expect(exchange?.response.status).toBe(101)
      expect(exchange?._resourceType).toBe('websocket')
      const sent = [
        { opcode: 1, data: `{"type":"auth","token":"${HIDDEN}"}` },
        { opcode: 1, data: `42["login",{"password":"${HIDDEN}"}]` },
        { opcode: 1, data: 'x'.repeat(100_000) },
        { opcode: 2, data: '/wAB' },
        { opcode: 2, data: Buffer.from(`{"secret":"${HIDDEN}"}`).toString('base64') },
      ]
      const messages = exchange?._webSocketMessages ?? []
      expect(messages.map(({ type }) => type)).toEqual(sent.flatMap(() => ['send', 'receive']))
      for (const type of ['send', 'receive'])
        expect(
          messages.filter((each) => each.type === type).map(({ opcode, data }) => ({ opcode, data })),
        ).toEqual(sent)
      const times = messages.map(({ time }) => time)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect(Math.abs((times[0] ?? 0) * 1000 - Date.now())).toBeLessThan(60_000)
    },
  )

  it('that is refused is recorded as the answer it got', async () => {
    const recording = await record(() => {})
    recording.upstream.server.on('upgrade', (_request, socket) =>
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nno'),
    )
    const socket = new WebSocket(recording.url.replace('http', 'ws'))
    socket.on('error', () => undefined)
    await new Promise((closed) => socket.once('close', closed))
    const [exchange] = await recording.exchanges()
    expect(exchange?.response).toMatchObject({ status: 401, content: { text: 'no' } })
  })
})
