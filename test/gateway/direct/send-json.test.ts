import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createSendJson, type SendJson } from '../../../src/gateway/direct/send-json.ts'
import { JSON_TYPE } from '../../../src/gateway/reply.ts'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections()
})

const sendByNode: SendJson = (response, status, body) => {
  response.writeHead(status, ['content-type', JSON_TYPE, 'content-length', String(body.length)])
  response.end(body, 'latin1')
}

type Set = (server: Server) => void
type Answer = (response: ServerResponse, url: string) => void

async function start(set: Set, by: 'node' | 'lane', answer?: Answer): Promise<Server> {
  const server = createServer()
  set(server)
  const send = by === 'lane' ? createSendJson(server) : sendByNode
  server.on('request', ({ url = '' }, response) => {
    if (answer !== undefined) answer(response, url)
    const [, status, body = ''] = url.split('/')
    send(response, Number(status), decodeURIComponent(body))
  })
  open.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

/** What comes of requests on one connection, each sent when the one before it was answered. */
async function converse(server: Server, texts: readonly string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let said = ''
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')))
  const closed = once(socket, 'close')
  for (const text of texts) {
    socket.write(text)
    await Promise.race([once(socket, 'data'), closed])
  }
  socket.end()
  await closed
  return said.replaceAll(/^Date: .{29}\r\n/gm, 'Date\r\n')
}

const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n')

const TALKS: readonly (readonly string[])[] = [
  [get('/200/{}'), get('/201/[1]'), get('/299/%C3%A4')],
  [get('/200/{}', 'Connection: close')],
  [get('/204/x'), get('/304/x'), get('/200/{}')],
  [get('/200/1') + get('/200/2') + get('/500/3', 'Connection: close')],
  [get(`/200/${'x'.repeat(10_000)}`), get('/200/{}')],
  ['GET /200/{} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', get('/200/{}')],
]

const SETS: Readonly<Record<string, Set>> = {
  'as it is': () => undefined,
  'that keeps connections for long': (server) => (server.keepAliveTimeout = 72_500),
  'that keeps connections for ever': (server) => (server.keepAliveTimeout = 0),
  'that answers so many requests of a connection': (server) => (server.maxRequestsPerSocket = 2),
}

describe('sending JSON at once', () => {
  it.for(Object.entries(SETS))('sends the bytes of a server %s', async ([, set]) => {
    const [node, lane] = await Promise.all([start(set, 'node'), start(set, 'lane')])
    for (const talk of TALKS) {
      const expected = await converse(node, talk)
      expect(expected).toContain('HTTP/1.1 ')
      expect(await converse(lane, talk)).toBe(expected)
    }
  })

  it('tells the time', async () => {
    const server = await start(() => undefined, 'lane')
    const { port } = server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}/200/{}`)
    const told = Date.parse(answer.headers.get('date') ?? '')
    expect(Math.abs(Date.now() - told)).toBeLessThan(2_000)
  })

  it('tells who listens that the response has finished, and then that it is closed', async () => {
    const events: string[] = []
    const server = await start(
      () => undefined,
      'lane',
      (response) => {
        for (const name of ['finish', 'close']) response.on(name, () => events.push(name))
      },
    )
    await converse(server, [get('/200/1'), get('/200/2')])
    expect(events).toEqual(['finish', 'close', 'finish', 'close'])
  })

  it('lets a server that closes end', async () => {
    const server = await start(() => undefined, 'lane')
    const { port } = server.address() as AddressInfo
    await (await fetch(`http://127.0.0.1:${port}/200/{}`)).text()
    const closed = once(server, 'close')
    server.close()
    server.closeIdleConnections()
    await closed
    expect(server.listening).toBe(false)
  })

  it('survives a client that leaves', async () => {
    const server = await start(
      () => undefined,
      'lane',
      (response, url) => {
        if (url === '/200/gone') response.socket?.destroy()
      },
    )
    await converse(server, [get('/200/gone')])
    expect(await converse(server, [get('/200/here')])).toContain('here')
  })
})
