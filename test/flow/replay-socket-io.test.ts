import { once } from 'node:events'
import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { io, type ManagerOptions, type Socket } from 'socket.io-client'
import { expect, it } from 'vitest'
import { atEnd } from '../at-end.ts'
import { recorded, startReplay } from './replay-kit.ts'

interface Said {
  readonly group: string
  readonly text: string
}

/** A server of chats, whose groups hear what their members say; it looks for its clients often. */
function chat() {
  const server = createServer()
  const chats = new Server(server, { pingInterval: 100 })
  chats.on('connection', (socket) => {
    socket.emit('welcome', socket.id)
    socket.on('join', async (group: string, done: (group: string) => void) => {
      await socket.join(group)
      done(group)
    })
    socket.on('say', ({ group, text }: Said) => chats.to(group).emit('said', { text, by: socket.id }))
    socket.on('reverse', (bytes: Buffer, done: (bytes: Buffer) => void) =>
      done(Buffer.from(bytes.toReversed())),
    )
  })
  return server
}

/** When a client says something: at once, by polling, or once it has a WebSocket. */
type When = 'polling' | 'upgraded' | 'websocket'

const OPTIONS: Record<When, Partial<ManagerOptions>> = {
  polling: { upgrade: false },
  upgraded: {},
  websocket: { transports: ['websocket'] },
}

/** What one of two clients hears of what both say, and by what its answers came. */
async function converse(url: string, when: When): Promise<readonly unknown[]> {
  const open = async (): Promise<Socket> => {
    const socket = io(url, { reconnection: false, forceNew: true, timeout: 5000, ...OPTIONS[when] })
    atEnd(() => socket.close())
    const { engine } = socket.io
    const [id] = await new Promise<unknown[]>((resolve, reject) => {
      socket.once('welcome', (...given: unknown[]) => resolve(given))
      socket.once('connect_error', reject)
    })
    expect(id).toBe(socket.id)
    if (when === 'upgraded') await expect.poll(() => engine.transport.name).toBe('websocket')
    return socket
  }
  const [ada, ben] = [await open(), await open()]
  const said: unknown[] = []
  ada.on('said', ({ text, by }: { text: string; by: string }) => said.push([text, by === ben.id]))
  const heard: unknown[] = []
  for (const socket of [ada, ben]) heard.push(await socket.timeout(5000).emitWithAck('join', 'r1'))
  for (const [at, socket] of [ada, ben].entries()) {
    socket.emit('say', { group: 'r1', text: `${at}` })
    await expect.poll(() => said.length).toBeGreaterThan(at)
  }
  const reversed = (await ada.timeout(5000).emitWithAck('reverse', Buffer.from('abc'))) as Buffer
  heard.push(Buffer.from(reversed).toString())
  for (const { io } of [ada, ben]) {
    const closed = once(io.engine as never, 'close')
    io.engine.close()
    await closed
  }
  return [...heard, ...said]
}

it.for<[recordedBy: When, replayedBy: When]>([
  ['polling', 'polling'],
  ['upgraded', 'upgraded'],
  ['upgraded', 'polling'],
  ['websocket', 'websocket'],
])('replays a session of Socket.IO that was recorded by %s to clients by %s', async ([before, now]) => {
  let live: readonly unknown[] = []
  const directory = await recorded(chat(), async (url) => void (live = await converse(url, before)))
  expect(live).toEqual(['r1', 'r1', 'cba', ['0', false], ['1', true]])
  const { url } = await startReplay(directory)
  expect(await converse(url, now)).toEqual(live)
})
