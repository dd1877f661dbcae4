import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage, type RequestListener } from 'node:http'
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createUpstream } from '../../src/upstream/upstream.ts'
import { createReadBuffers, holdEnd, type ReadBuffers } from '../../src/upstream/socket-reads.ts'

const READ_BYTES = 64 * 1024

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

interface Reading {
  /** Sends bytes to the reader, and gives what it read of them, in pieces. */
  send(bytes: Buffer): Promise<Buffer[]>
}

async function reading({ onread }: ReadBuffers): Promise<Reading> {
  const server = createTcpServer()
  const port = await listen(server)
  const accepted = once(server, 'connection')
  const options = { port, host: '127.0.0.1', highWaterMark: 4 * READ_BYTES, onread }
  const reader = connect(options)
  const [sender] = (await accepted) as [Socket]
  onTestFinished(() => {
    reader.destroy()
    sender.destroy()
  })
  return {
    async send(bytes) {
      const pieces: Buffer[] = []
      sender.write(bytes)
      while (Buffer.concat(pieces).length < bytes.length) {
        const piece = reader.read() as Buffer | null
        if (piece === null) await once(reader, 'readable')
        else pieces.push(piece)
      }
      return pieces
    },
  }
}

it('what was read in small pieces is a copy', async () => {
  const { send } = await reading(createReadBuffers())
  const [first] = await send(Buffer.from('first'))
  const [second] = await send(Buffer.from('other'))
  expect([String(first), String(second)]).toEqual(['first', 'other'])
})

it('memory that is not given back stays as it is', async () => {
  const { send } = await reading(createReadBuffers())
  const first = await send(Buffer.alloc(READ_BYTES, 'a'))
  await send(Buffer.alloc(4 * READ_BYTES, 'b'))
  expect(Buffer.concat(first).equals(Buffer.alloc(READ_BYTES, 'a'))).toBe(true)
})

it('memory is read into again once the last piece of what it held is given back', () => {
  const { onread, giveBack } = createReadBuffers()
  const taken = (): Buffer => (onread.buffer as () => Buffer)()
  const pushed: Buffer[] = []
  const socket = { push: (piece: Buffer) => pushed.push(piece) }
  const buffer = taken()
  onread.callback.call(socket, 50_000, buffer)
  const [read] = pushed as [Buffer]
  giveBack(read.subarray(0, 20_000))
  giveBack(Buffer.alloc(50_000))
  expect(taken().buffer).not.toBe(buffer.buffer)
  giveBack(read.subarray(30_000))
  giveBack(read)
  expect(taken().buffer).toBe(buffer.buffer)
  expect(taken().buffer).not.toBe(buffer.buffer)
})

// The longest is more than systems keep for a client that does not read.
const SIZES = [0, 10, 15_000, 17_000, 65_536, 102_400, 300_000, 12_000_000]
const COUNT = 6 * SIZES.length

function bodyOf(seed: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 < size; at += 64) bytes.writeUInt32LE(seed * 20_000_000 + at, at)
  return bytes
}

function requestedBytes({ url = '' }: IncomingMessage): Buffer {
  const [seed = 0, size = 0] = url.slice(1).split('/').map(Number)
  return bodyOf(seed, size)
}

const UPSTREAMS: readonly [string, RequestListener][] = [
  ['of stated length', (request, answer) => void answer.end(requestedBytes(request))],
  [
    'in pieces',
    (request, answer) => {
      const bytes = requestedBytes(request)
      for (let at = 0; at < bytes.length; at += 7000) answer.write(bytes.subarray(at, at + 7000))
      answer.end()
    },
  ],
]

it.each(UPSTREAMS)('answers %s arrive unmixed, at fast clients and at slow ones', async (_, answer) => {
  const upstream = createUpstream()
  onTestFinished(() => upstream.close())
  const origin = `http://127.0.0.1:${await listen(createServer(answer))}`
  const target = { origin, lookup: undefined, requestHeaders: {}, responseHeaders: {} }
  const gateway = createServer((request, response) => {
    const { url = '/' } = request
    // Some answers are held by somebody on the way, which the socket does not show.
    if (url.endsWith('late')) {
      const write = response.write.bind(response)
      response.write = ((chunk: Buffer, encoding: BufferEncoding) => {
        globalThis.setImmediate(() => write(chunk, encoding))
        return true
      }) as typeof response.write
      const end = response.end.bind(response)
      response.end = ((...rest: []) => globalThis.setImmediate(() => end(...rest))) as never
    }
    void upstream.forward({ request, response, target: { ...target, url }, begin: () => [] })
  })
  const port = await listen(gateway)
  const read = async (path: string, isSlow: boolean): Promise<Buffer> => {
    const request = ask({ port, path, host: '127.0.0.1', agent: false }).end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    if (isSlow) for (let turn = 0; turn < 200; turn++) await setImmediate()
    const pieces: Buffer[] = []
    for await (const piece of response) pieces.push(piece as Buffer)
    return Buffer.concat(pieces)
  }
  await Promise.all(
    Array.from({ length: COUNT }, async (_each, index) => {
      const size = SIZES[index % SIZES.length] as number
      const body = await read(`/${index}/${size}/${index % 4 === 0 ? 'late' : ''}`, index % 3 === 0)
      expect(body.equals(bodyOf(index, size))).toBe(true)
    }),
  )
})

it('reads no more ahead while only little of what came is taken', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined).write(Buffer.alloc(32 * 2 ** 20))
  })
  const port = await listen(server)
  const reader = holdEnd(connect({ port, host: '127.0.0.1', onread: createReadBuffers().onread }))
  onTestFinished(() => void reader.destroy())
  await once(reader, 'readable')
  const waiting: number[] = []
  for (let count = 0; count < 100; count++) {
    const piece = reader.read() as Buffer
    // As undici does when its parser has to wait.
    reader.unshift(piece.subarray(16))
    await setImmediate()
    waiting.push(reader.readableLength)
  }
  expect(Math.max(...waiting)).toBeLessThan(4 * READ_BYTES)
})
