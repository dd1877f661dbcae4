import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { createGateway } from '../../src/gateway.ts'
import { loadApi } from '../../src/loaders/load-target.ts'
import { atEnd } from '../at-end.ts'
import { exchangeOf, temporaryDirectory, writeLines } from '../recording/samples.ts'
import { http2To, requestSocket } from './http2-websocket.ts'
import { fetchFrom, listen, serve, startGateway, startUpstream } from './kit.ts'
import { startReplay } from './replay-kit.ts'

const PATH = '/graphql'
const KEY = Buffer.alloc(16).toString('base64')

/** A gateway whose WebSockets end here: those of a schema, and those of a recording. */
const ENDING: Readonly<Record<string, () => Promise<string>>> = {
  async declared() {
    const schema = join(import.meta.dirname, '../graphql/shop.graphql')
    const { api } = await loadApi(schema, 'served', undefined, { options: { seed: 1 } })
    return (await serve(createGateway(api.gatewayOptions()))).url
  },
  async replayed() {
    const exchange = exchangeOf({ url: `http://a.example${PATH}`, status: 101 })
    const headers = [{ name: 'Sec-WebSocket-Protocol', value: 'graphql-transport-ws' }]
    const messages = ['send', 'receive'].map((type, at) => ({
      ...{ type, time: 0, opcode: 1, data: ['more', 'and more'][at] },
    }))
    const response = { ...exchange.response, headers }
    const directory = await writeLines(await temporaryDirectory(), {
      ...{ ...exchange, response, _webSocketMessages: messages },
    })
    return (await startReplay(directory)).url
  },
}

async function forwarded(): Promise<string> {
  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket) => socket.on('error', () => undefined))
  atEnd(() => sockets.close())
  return (await startGateway({ upstream: (await listen(server)).url })).url
}

type Open = (url: string) => Promise<Duplex>

const ENTRIES: Readonly<Record<string, Open>> = {
  async 'HTTP/1.1'(url) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    atEnd(() => socket.destroy())
    socket.write(handshake())
    const [head] = (await once(socket, 'data')) as [Buffer]
    expect(head.toString()).toMatch(/^HTTP\/1.1 101 [^]*\r\n\r\n$/)
    return socket
  },
  async 'HTTP/2'(url) {
    const offer = { 'sec-websocket-protocol': 'graphql-transport-ws' }
    const stream = requestSocket(await http2To(url), PATH, offer)
    const [{ ':status': status }] = (await once(stream, 'response')) as [{ ':status': number }]
    expect(status).toBe(200)
    return stream
  },
}

function handshake(
  changes: Readonly<Record<string, string | undefined>> = {},
  line = `GET ${PATH} HTTP/1.1`,
) {
  const headers = {
    ...{ Host: 'a', Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' },
    ...{ 'Sec-WebSocket-Key': KEY, 'Sec-WebSocket-Protocol': 'graphql-transport-ws', ...changes },
  }
  const lines = Object.entries(headers).map(([name, value]) =>
    value === undefined ? '' : `${name}: ${value}\r\n`,
  )
  return `${line}\r\n${lines.join('')}\r\n`
}

/** A frame whose mask changes nothing. */
function frame(first: number, payload: Buffer | string, second = 0x80 | Buffer.from(payload).length): Buffer {
  return Buffer.concat([
    Buffer.from([first, second, ...(second < 0x80 ? [] : [0, 0, 0, 0])]),
    Buffer.from(payload),
  ])
}

const HUGE = Buffer.from([0x82, 0xff, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])

/** What breaks RFC 6455, and the code that the connection is closed with. */
const VIOLATIONS: readonly (readonly [what: string, bytes: Buffer, code: number])[] = [
  ['a frame without a mask', frame(0x81, 'a', 1), 1002],
  ['a reserved bit', frame(0xc1, 'a'), 1002],
  ['a reserved opcode', frame(0x83, 'a'), 1002],
  ['a ping in fragments', frame(0x09, 'a'), 1002],
  ['the rest of no message', frame(0x80, 'a'), 1002],
  ['text that is not UTF-8', frame(0x81, Buffer.from([0xc3, 0x28])), 1007],
  ['a close code that nobody may send', frame(0x88, Buffer.from([0x03, 0xee])), 1002],
  ['a reason that is not UTF-8', frame(0x88, Buffer.from([0x03, 0xe8, 0xff])), 1007],
  ['a message of 2^44 bytes', HUGE, 1009],
]

/** The code of the close frame that comes before the end. */
async function closeCode(stream: Duplex): Promise<number> {
  let heard = Buffer.alloc(0)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    heard = Buffer.concat([heard, chunk])
    if (heard.length >= 4) break
  }
  expect([...heard.subarray(0, 2)]).toEqual([0x88, heard.length - 2])
  return heard.readUInt16BE(2)
}

describe.each(Object.entries({ ...ENDING, forwarded }))('a WebSocket that is %s', (_name, start) => {
  it.for(Object.entries(ENTRIES))(
    'is closed with the code of what its client broke, over %s',
    async ([, open]) => {
      const url = await start()
      for (const [what, bytes, code] of VIOLATIONS) {
        const stream = await open(url)
        stream.write(bytes)
        expect([what, await closeCode(stream)]).toEqual([what, code])
      }
    },
  )
})

describe.each(Object.entries(ENDING))('a WebSocket that is %s', (_name, start) => {
  it('is not opened by a handshake that is malformed, and the journal has its status', async () => {
    const url = await start()
    const { port } = new URL(url)
    const answerTo = async (text: string): Promise<string> => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
      atEnd(() => socket.destroy())
      socket.write(text)
      return String((await once(socket, 'data'))[0])
    }
    expect(await answerTo(handshake({ 'Sec-WebSocket-Key': 'AAAA' }))).toMatch(
      /^HTTP\/1.1 400 [^]*SIM_REQUEST_MALFORMED/,
    )
    expect(await answerTo(handshake({ 'Sec-WebSocket-Version': '12' }))).toMatch(
      /^HTTP\/1.1 426 [^]*sec-websocket-version: 13\r/i,
    )
    // Of HTTP/1.0 comes no upgrade (RFC 9110, section 7.8), and one to what is unknown is left aside.
    expect(await answerTo(handshake({}, `GET ${PATH} HTTP/1.0`))).toMatch(/^HTTP\/1.1 4/)
    expect(await answerTo(handshake({ Upgrade: 'other' }))).toMatch(/^HTTP\/1.1 4/)
    const session = await http2To(url)
    for (const version of ['12', 'x']) {
      const stream = requestSocket(session, PATH, { 'sec-websocket-version': version })
      expect((await once(stream, 'response'))[0]).toMatchObject({ ':status': 426 })
    }
    const { body } = await fetchFrom(`${url}/__sim/requests`)
    expect(body.map(({ status }: { status: number }) => status)).not.toContain(101)
  })
})

describe('a WebSocket over HTTP/2 to an upstream', () => {
  const openTo = async (lines: readonly string[], headers = {}): Promise<unknown> => {
    const upstream = await startUpstream(() => undefined)
    upstream.server.on('upgrade', (_request, socket: Duplex) => {
      socket.end(['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', ...lines, '', ''].join('\r\n'))
    })
    const { url } = await startGateway({ upstream: upstream.url })
    const stream = requestSocket(await http2To(url), PATH, headers)
    return ((await once(stream, 'response'))[0] as Record<string, unknown>)[':status']
  }

  it('is not opened when that agrees to what was not offered, or to another key', async () => {
    expect(await openTo(['Upgrade: other'])).toBe(502)
    expect(await openTo(['Upgrade: websocket', 'Sec-WebSocket-Accept: b3RoZXI='])).toBe(502)
    expect(await openTo(['Upgrade: websocket'])).toBe(502)
  })

  it('has the one key of the gateway, whatever the client sent', async () => {
    const url = await forwarded()
    const stream = requestSocket(await http2To(url), PATH, { 'sec-websocket-key': KEY })
    expect((await once(stream, 'response'))[0]).toMatchObject({ ':status': 200 })
  })
})
