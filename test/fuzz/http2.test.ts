import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { framesIn, frame, GET, headers, PREFACE, statusOf, TYPE } from '../conformance/http2-frames.ts'
import { startKnowingUpstream } from '../conformance/upstream.ts'
import { createLogger, type Logged } from '../pipeline/logger.ts'
import { startProxy } from '../flow/kit.ts'
import { connections, type Sent } from './frames.ts'
import { CASES, createHeapWatch, SEED } from './settings.ts'

const PATIENCE_MS = 10_000
const SETTINGS = frame(TYPE.settings, 0, 0)
/** No stream of the others comes near it. */
const LAST_STREAM = 1001

async function open(port: number, ...first: readonly Buffer[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(Buffer.concat(first))
  return socket
}

/** Resolves once a stream is answered, or the connection has ended. */
function untilAnswered(socket: Socket, stream: number): Promise<number | 'ended'> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const end = (what: number | 'ended'): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(what)
    }
    const timer = setTimeout(() => reject(new Error('neither an answer came, nor an end')), PATIENCE_MS)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const frames = framesIn(bytes)
      // What comes after an error of the connection is left aside.
      if (frames.some(({ type, payload }) => type === TYPE.goaway && payload.readUInt32BE(4) !== 0))
        end('ended')
      const answer = frames.find((each) => each.type === TYPE.headers && each.stream === stream)
      if (answer !== undefined) end(statusOf(answer.payload))
    })
    socket.once('close', () => end('ended'))
    if (socket.destroyed) end('ended')
  })
}

async function send(port: number, { frames, ending, hasPreface }: Sent): Promise<void> {
  const socket = await open(port, ...(hasPreface ? [PREFACE, SETTINGS] : []), ...frames)
  if (ending === 'reset') return void socket.resetAndDestroy()
  if (ending === 'end') socket.end()
  else socket.write(headers(GET, LAST_STREAM))
  // A block of headers that has no end is waited for, and then cut off.
  if (ending === 'next' && !mayWait(frames, hasPreface)) await untilAnswered(socket, LAST_STREAM)
  socket.destroy()
}

// What is half a frame, or none, may have a server wait for more, and so may bytes of no protocol.
function mayWait(frames: readonly Buffer[], hasPreface: boolean): boolean {
  const all = Buffer.concat([...frames])
  const whole = framesIn(all).reduce((sum, { payload }) => sum + payload.length + 9, 0)
  return !hasPreface || whole < all.length
}

it('frames of anything leave the gateway as it was', { timeout: CASES * 200 + 60_000 }, async () => {
  const upstream = await startKnowingUpstream(setImmediate)
  const lines: Logged[] = []
  const { port } = await startProxy({
    upstream: upstream.url,
    modes: { mode: 'forward' },
    logger: createLogger(lines),
  })
  const heap = createHeapWatch()
  await fc.assert(
    fc.asyncProperty(connections, async (sent) => {
      await send(port, sent)
      const next = await open(port, PREFACE, SETTINGS, headers(GET))
      expect(await untilAnswered(next, 1)).toBe(200)
      upstream.taken()
      heap.look()
    }),
    { numRuns: CASES, seed: SEED },
  )
  expect(lines.filter(({ message }) => message.includes('\n    at '))).toEqual([])
  heap.check()
})
