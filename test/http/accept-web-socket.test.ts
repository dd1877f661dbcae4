import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { duplexPair, type Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { acceptWebSocket } from '../../src/http/accept-web-socket.ts'
import { answerUpgrade, upgradeOf, type Upgrade } from '../../src/http/upgrade.ts'

const HANDSHAKE = [
  ...['GET / HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: websocket'],
  ...['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`, '', ''],
].join('\r\n')
/** "more", with a mask that changes nothing. */
const MESSAGE = Buffer.from([0x81, 0x84, 0, 0, 0, 0, ...Buffer.from('more')])

it('reads no more from a client that does not read', async () => {
  const [client, connection] = duplexPair()
  const server = createServer()
  server.emit('connection', connection)
  client.write(HANDSHAKE)
  const [request, socket, head] = (await once(server, 'upgrade')) as [IncomingMessage, Duplex, Buffer]
  let heard = 0
  answerUpgrade(request, socket, head, (_request, response) => {
    const upgrade = upgradeOf(request) as Upgrade
    acceptWebSocket({ request, response, upgrade, takeOver: () => undefined }, {}, (opened) => {
      opened.on('message', () => {
        heard++
        opened.send(Buffer.alloc(100_000))
      })
    })
  })
  for (let at = 0; at < 1000; at++) {
    client.write(MESSAGE)
    await turn()
  }
  expect(heard).toBeGreaterThan(5)
  expect(heard).toBeLessThan(50)
  client.resume()
  await expect.poll(() => heard).toBe(1000)
  client.destroy()
})
