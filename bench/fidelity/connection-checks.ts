import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createSignal, get, must, within, type Check } from './check.ts'

const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='

/** Connections: their ends, pooling and upgrades. */
export const CONNECTION_CHECKS: readonly Check[] = [
  {
    id: 'leaves-waiting',
    name: 'a client that leaves before the answer ends the request upstream',
    async run(trial) {
      const [arrived, left] = [createSignal(), createSignal()]
      trial.upstream.handle('leaves-waiting', (_request, response) => {
        arrived.resolve()
        response.on('close', () => left.resolve())
      })
      const client = await trial.open()
      client.send(get(trial.path()))
      await arrived.promise
      client.socket.destroy()
      await within(left.promise, 2000, 'the upstream goes on working for nobody')
    },
  },
  {
    id: 'leaves-reading',
    name: 'a client that leaves in the middle of a body ends it upstream',
    async run(trial) {
      const left = createSignal()
      trial.upstream.handle('leaves-reading', (_request, response) => {
        const timer = setInterval(() => response.write('more'), 20)
        response.on('close', () => {
          clearInterval(timer)
          left.resolve()
        })
      })
      const client = await trial.open()
      client.send(get(trial.path()))
      await client.until('more')
      client.socket.destroy()
      await within(left.promise, 2000, 'the upstream goes on working for nobody')
    },
  },
  {
    id: 'half-closed',
    name: 'a client that has ended its side gets its answer',
    async run(trial) {
      trial.upstream.handle('half-closed', (_request, response) => {
        setTimeout(() => response.end('late'), 150)
      })
      const client = await trial.open()
      client.socket.end(get(trial.path()))
      const { body } = await client.response()
      must(body.toString() === 'late', `the body is ${body.toString()}`)
    },
  },
  {
    id: 'pooling',
    name: 'connections to the upstream are kept',
    async run(trial) {
      trial.upstream.handle('pooling', (_request, response) => void response.end('ok'))
      await trial.request(get(trial.path()))
      const before = trial.upstream.connections()
      for (let times = 0; times < 20; times++) await trial.request(get(trial.path()))
      const opened = trial.upstream.connections() - before
      must(opened <= 2, `${opened} new connections for 20 requests`)
    },
  },
  {
    id: 'client-close',
    name: 'Connection: close of a client closes its connection alone',
    async run(trial) {
      const sockets = new Set<unknown>()
      trial.upstream.handle('client-close', (request, response) => {
        sockets.add(request.socket)
        response.end('ok')
      })
      for (let times = 0; times < 5; times++) {
        const client = await trial.open()
        client.send(get(trial.path(), 'Connection: close'))
        const { status } = await client.response()
        must(status === 200, `the status is ${status}`)
        await within(client.rest(), 2000, 'the connection of the client stays open')
      }
      must(sockets.size <= 2, `${sockets.size} connections upstream for 5 requests`)
    },
  },
  {
    id: 'upstream-close',
    name: 'Connection: close of an upstream leaves the client its connection',
    async run(trial) {
      trial.upstream.handle('upstream-close', (_request, response) =>
        response.writeHead(200, { connection: 'close', 'content-length': 2 }).end('ok'),
      )
      const client = await trial.open()
      for (let times = 0; times < 2; times++) {
        client.send(get(trial.path()))
        const { status, head } = await client.response()
        must(status === 200, `the status is ${status}`)
        must(!/^connection: close/im.test(head), 'the client reads Connection: close')
      }
    },
  },
  {
    id: 'pipelined',
    name: 'pipelined requests are answered in their order',
    async run(trial) {
      trial.upstream.handle('pipelined', (request, response) => {
        const isFirst = request.url?.endsWith('first') === true
        setTimeout(() => response.end(request.url), isFirst ? 200 : 0)
      })
      const client = await trial.open()
      client.send(get(trial.path('/first')) + get(trial.path('/second')))
      const bodies = [(await client.response()).body, (await client.response()).body].map(String)
      must(bodies[0]?.endsWith('first') === true, `first comes ${bodies[0]}`)
    },
  },
  {
    id: 'websocket',
    name: 'a WebSocket: its handshake, and bytes both ways',
    async run(trial) {
      trial.upstream.handleUpgrade('websocket', (request, socket) => {
        const protocol = String(request.headers['sec-websocket-protocol'])
        const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
        const accept = [
          'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
          `Sec-WebSocket-Protocol: ${protocol}`,
        ]
        socket.write([...head, ...accept, '', ''].join('\r\n'))
        // A text of two letters, unmasked as servers send it.
        socket.write(Buffer.from([0x81, 2, 0x68, 0x69]))
        socket.on('data', () => socket.write(Buffer.from([0x81, 2, 0x6f, 0x6b])))
      })
      const client = await trial.open()
      client.send(get(trial.path(), ...UPGRADE, KEY, 'Sec-WebSocket-Protocol: chat'))
      const { status, head } = await client.response()
      must(status === 101, `the status is ${status}`)
      must(/^sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/im.test(head), 'the accept header is lost')
      must(/^sec-websocket-protocol: chat/im.test(head), 'the protocol is lost')
      await within(client.until('hi'), 2000, 'nothing comes from the upstream')
      client.send(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]))
      await within(client.until('ok'), 2000, 'nothing reaches the upstream')
    },
  },
  {
    id: 'upgrade-refused',
    name: 'an upgrade that the upstream refuses, with its body',
    async run(trial) {
      trial.upstream.handleUpgrade('upgrade-refused', (_request, socket) => {
        socket.end('HTTP/1.1 403 Forbidden\r\nX-Why: quota\r\nContent-Length: 6\r\n\r\nclosed')
      })
      const { status, head, body } = await trial.request(get(trial.path(), ...UPGRADE, KEY))
      must(status === 403, `the status is ${status}`)
      must(/^x-why: quota/im.test(head), 'its headers are lost')
      must(body.toString() === 'closed', `the body is ${JSON.stringify(body.toString())}`)
    },
  },
  {
    id: 'upgrade-leaves',
    name: 'a WebSocket client that leaves ends the connection upstream',
    async run(trial) {
      const left = createSignal()
      trial.upstream.handleUpgrade('upgrade-leaves', (request, socket) => {
        socket.write(handshakeOf(request))
        socket.on('close', () => left.resolve())
        // All that comes is the end of the connection, or a frame that says so.
        socket.on('end', () => socket.end()).on('data', () => socket.end())
      })
      const client = await trial.open()
      client.send(get(trial.path(), ...UPGRADE, KEY))
      must((await client.response()).status === 101, 'there is no handshake')
      client.socket.destroy()
      await once(client.socket, 'close')
      await within(left.promise, 2000, 'the connection upstream stays open')
    },
  },
]

// A proxy that speaks the protocol itself has a key of its own.
function handshakeOf({ headers }: IncomingMessage, ...more: readonly string[]): string {
  const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
  const accept = createHash('sha1')
    .update(String(headers['sec-websocket-key']) + GUID)
    .digest('base64')
  return [
    ...['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'],
    ...[`Sec-WebSocket-Accept: ${accept}`, ...more, '', ''],
  ].join('\r\n')
}
