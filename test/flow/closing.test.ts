import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { atEnd } from '../at-end.ts'
import { listen, spawnSim, startGateway, startUpstream } from './kit.ts'
import { http2To, socketOver } from './http2-websocket.ts'
import { requestText } from './raw-client.ts'

/** An upstream with WebSockets that says hello, and the codes with which they were closed. */
async function startChat() {
  const upstream = await startUpstream((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
  })
  const sockets = new WebSocketServer({ server: upstream.server })
  const codes: number[] = []
  sockets.on('connection', (socket) => {
    socket.on('close', (code) => codes.push(code))
    socket.send('hello')
  })
  atEnd(() => sockets.close())
  return { ...upstream, codes }
}

it('is announced to both sides of a WebSocket', async () => {
  const { url: upstream, codes } = await startChat()
  const { app, url } = await startGateway({ upstream })
  const sockets = [new WebSocket(url.replace('http', 'ws')), socketOver(await http2To(url), '/')]
  await Promise.all(sockets.map((socket) => once(socket, 'message')))
  const closed = sockets.map((socket) => once(socket, 'close'))
  await app.close()
  expect((await Promise.all(closed)).map(([code]) => code as number)).toEqual([1001, 1001])
  await expect.poll(() => codes).toEqual([1001, 1001])
})

/** An upstream that agrees to any WebSocket. @returns its end of the first connection */
async function startRaw(): Promise<{ url: string; connected: Promise<Socket> }> {
  const server: Server = createServer()
  const connected = once(server, 'connection').then(async ([socket]: Socket[]) => {
    socket?.on('error', () => undefined)
    await once(socket as Socket, 'data')
    socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    return socket as Socket
  })
  return { ...(await listen(server)), connected }
}

/** A client that reads bytes. */
async function openRaw(port: number): Promise<{ socket: Socket; bytes: () => Buffer }> {
  const socket = connect(port, '127.0.0.1')
  atEnd(() => socket.destroy())
  const headers = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
  ]
  socket.write(requestText('GET /', 'Host: a', ...headers))
  let bytes = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => (bytes = Buffer.concat([bytes, chunk])))
  await expect.poll(() => bytes.toString('latin1')).toMatch(/^HTTP\/1.1 101 [^]*\r\n\r\n/)
  bytes = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
  return { socket, bytes: () => bytes }
}

const CLOSE = Buffer.from([0x88, 2, 0x03, 0xe9])

it('lets a frame end that is on its way, and none begin', async () => {
  const { url, connected } = await startRaw()
  const { app, port } = await startGateway({ upstream: url })
  const { socket, bytes } = await openRaw(port)
  const server = await connected
  const frame = Buffer.concat([Buffer.from([0x82, 126, 1, 0]), Buffer.alloc(256, 'x')])
  server.write(frame.subarray(0, 100))
  await expect.poll(() => bytes().length).toBe(100)
  const closing = app.close()
  const [last] = (await once(server, 'data')) as [Buffer]
  expect([last.subarray(0, 2), last.length]).toEqual([Buffer.from([0x88, 0x82]), 8])
  server.write(Buffer.concat([frame.subarray(100), frame]))
  await once(socket, 'close')
  expect(bytes()).toEqual(Buffer.concat([frame, CLOSE]))
  await closing
})

it('ends on SIGTERM, though streams go on and nobody answers', async () => {
  const { url: upstream } = await startChat()
  const sim = await spawnSim(['proxy', '--upstream', upstream])
  const events = await fetch(sim.url)
  const { socket, bytes } = await openRaw(Number(new URL(sim.url).port))
  const ended = once(socket, 'close')
  const stopped = sim.stop()
  // The client says nothing, and gets its close frame; the events go on until the time is up.
  await ended
  expect(bytes().subarray(-4)).toEqual(CLOSE)
  await expect(events.text()).rejects.toThrow('terminated')
  expect(await stopped).toBe(0)
})
