import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { closeIdleFromNow, trackConnections } from '../../src/http/connections.ts'

it('closes a connection whose last answer ends after the closing began', async () => {
  const server = createServer({ keepAliveTimeout: 600_000 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  response.writeHead(200, { 'content-length': 2 }).write('ok')
  await once(client, 'data')

  const closed = once(server, 'close')
  server.close()
  closeIdleFromNow(server)
  expect(client.readyState).toBe('open')
  response.end()
  await closed
  expect(server.listening).toBe(false)
  client.destroy()
})

it('closes a connection that was opened in advance and has sent nothing', async () => {
  const server = createServer()
  trackConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(server, 'connection')

  const closed = once(server, 'close')
  server.close()
  closeIdleFromNow(server)
  await closed
  client.resume()
  await once(client, 'close')
})
