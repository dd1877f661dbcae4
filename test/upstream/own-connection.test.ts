import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
} from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import { rawAnswer } from '../flow/raw-client.ts'
import { temporaryDirectory } from '../temporary-folder.ts'

const RECORDING = temporaryDirectory()

async function upstreamOf(answer: RequestListener): Promise<Server> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

const portOf = (server: TcpServer): number => (server.address() as AddressInfo).port

async function gatewayTo(upstream: TcpServer, options: GatewayOptions = {}): Promise<number> {
  const app = createGateway({ upstream: `http://127.0.0.1:${portOf(upstream)}`, ...options })
  onTestFinished(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  return portOf(app.server)
}

const head = (...lines: readonly string[]): string =>
  ['POST /a?b HTTP/1.1', 'Host: a', ...lines, '', ''].join('\r\n')

it('leaves it to the upstream whether a client that expects 100 is to send its body', async () => {
  let bodies = 0
  const upstream = await upstreamOf((_incoming, response) => response.end())
  upstream.on('checkContinue', (incoming: IncomingMessage, response) => {
    void (async () => {
      await wait(20)
      expect(bodies).toBe(0)
      response.writeContinue()
      response.end(`${incoming.method} ${incoming.url} ${await text(incoming)}`)
    })()
  })
  const port = await gatewayTo(upstream)
  const client = request({
    ...{ port, host: '127.0.0.1', method: 'POST', path: '/a?b' },
    headers: { expect: '100-continue', 'content-length': 4 },
  })
  client.flushHeaders()
  await once(client, 'continue')
  bodies++
  client.end('body')
  const [response] = (await once(client, 'response')) as [IncomingMessage]
  expect(await text(response)).toBe('POST /a?b body')
})

it('passes a refusal of the upstream in place of 100, and closes the connection', async () => {
  const upstream = await upstreamOf((_incoming, response) => response.end())
  upstream.on('checkContinue', (_incoming, response) =>
    response.writeHead(413, { 'x-a': '1' }).end('too large'),
  )
  const port = await gatewayTo(upstream)
  const answer = await rawAnswer(port, head('Expect: 100-continue', 'Content-Length: 4'))
  expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*\r\nx-a: 1\r\n[^]*too large/)
  expect(answer).toMatch(/^connection: close/im)
})

it('times out an upstream that neither wants the body nor responds', async () => {
  const upstream = await upstreamOf((_incoming, response) => response.end())
  upstream.on('checkContinue', () => undefined)
  const port = await gatewayTo(upstream, { reach: { headersTimeoutMs: 30 } })
  const answer = await rawAnswer(port, head('Connection: close', 'Expect: 100-continue', 'Content-Length: 4'))
  expect(answer).toMatch(/^HTTP\/1\.1 504 /)
})

it('sends the body in the end to an upstream that waits for it without a word', async () => {
  const echo: RequestListener = (incoming, response) => void text(incoming).then((body) => response.end(body))
  const upstream = await upstreamOf(echo)
  upstream.on('checkContinue', echo)
  const port = await gatewayTo(upstream)
  const lines = head('Connection: close', 'Expect: 100-continue', 'Content-Length: 4')
  const [expecting, other] = await Promise.all([
    rawAnswer(port, lines, 'body'),
    rawAnswer(port, lines.replace('HTTP/1.1', 'HTTP/1.0'), 'body'),
  ])
  expect(expecting).toMatch(/^HTTP\/1\.1 [^]*body$/)
  expect(other).toMatch(/^HTTP\/1\.1 200 [^]*body/)
})

it('says that an upstream cannot be reached, or has broken the connection', async () => {
  const upstream = await upstreamOf((_incoming, response) => response.end())
  upstream.on('checkContinue', (incoming: IncomingMessage) => incoming.socket.destroy())
  const port = await gatewayTo(upstream)
  const lines = head('Connection: close', 'Expect: 100-continue', 'Content-Length: 4')
  expect(await rawAnswer(port, lines)).toMatch(/^HTTP\/1\.1 502 /)
  upstream.close()
  upstream.closeAllConnections()
  expect(await rawAnswer(port, lines)).toMatch(/^HTTP\/1\.1 502 /)
})

it('passes and records the trailers of a request and of its response', async () => {
  const upstream = await upstreamOf((incoming, response) => {
    void (async () => {
      const body = await text(incoming)
      response.writeHead(200, { trailer: 'x-own' })
      response.write(`${body} ${JSON.stringify(incoming.rawTrailers)}`)
      response.addTrailers({ 'x-own': '8' })
      response.end()
    })()
  })
  const port = await gatewayTo(upstream, { record: RECORDING, modes: { mode: 'record' } })
  const answer = await rawAnswer(
    port,
    head('Connection: close', 'Transfer-Encoding: chunked', 'Trailer: X-Sum', 'TE: trailers'),
    '4\r\nbody\r\n0\r\nX-Sum: 7\r\n\r\n',
  )
  expect(answer).toContain('body ["X-Sum","7"]')
  expect(answer).toMatch(/x-own: 8/i)
  await expect
    .poll(async () => {
      const recorded = []
      for await (const { request, response } of readExchanges(RECORDING))
        recorded.push([request.postData?.text, response._trailers])
      return recorded
    })
    .toEqual([['body', [{ name: 'x-own', value: '8' }]]])
})

it('ends the request at the upstream when the client leaves before it may send its body', async () => {
  const upstream = await upstreamOf((_incoming, response) => response.end())
  const begun = once(upstream, 'checkContinue') as Promise<[IncomingMessage]>
  const port = await gatewayTo(upstream)
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  client.write(head('Expect: 100-continue', 'Content-Length: 4'))
  const [incoming] = await begun
  client.destroy()
  await new Promise((closed) => incoming.socket.once('close', closed))
})

it('keeps the order of headers and writes cookies where the first came', async () => {
  const upstream = await upstreamOf(({ rawHeaders }, response) => response.end(JSON.stringify(rawHeaders)))
  const port = await gatewayTo(upstream)
  const lines = ['Connection: close', 'X-A: 1', 'Cookie: a=1', 'X-B: 2', 'X-A: 3', 'cookie: b=2', 'X-B: 4']
  const answer = await rawAnswer(port, ['GET / HTTP/1.1', 'Host: a', ...lines, '', ''].join('\r\n'))
  expect(answer).toContain('"X-A","1","Cookie","a=1; b=2","X-B","2","X-A","3","X-B","4"')
})

it.for([
  ['in full', 'Connection: Upgrade\r\nUpgrade: x\r\n', []],
  ['in part', '', ['Connection: Upgrade', 'Upgrade: x']],
] as const)(
  'takes another protocol that was not agreed on for a malformed answer: %s',
  async ([, said, offered]) => {
    const upstream = createTcpServer((socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${said}\r\nhello`))
      socket.on('error', () => undefined)
    }).listen(0, '127.0.0.1')
    await once(upstream, 'listening')
    onTestFinished(() => void upstream.close())
    const port = await gatewayTo(upstream)
    const sent = offered.length === 0 ? head('Expect: 100-continue', 'Content-Length: 2') : head(...offered)
    const answer = await rawAnswer(port, sent)
    expect(answer).toMatch(/^HTTP\/1.1 502 /)
    expect(answer).toContain('SIM_UPSTREAM_MALFORMED')
  },
)
