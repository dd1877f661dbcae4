import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'
import { WebSocket, WebSocketServer } from 'ws'
import { expect, it, onTestFinished } from 'vitest'
import { open } from './ask.ts'

// Its event stream goes on when /more is requested.
async function upstreamUrl(): Promise<string> {
  let goOn: () => void = () => undefined
  const server = createServer((request, response) => {
    if (request.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: one\n\n')
      goOn = () => response.end('data: two\n\n')
      return
    }
    if (request.url === '/more') goOn()
    request.resume()
    response.writeHead(201, {
      'content-type': 'text/plain',
      'content-encoding': 'gzip',
      'set-cookie': 'sid=s3cret',
    })
    const zip = createGzip()
    zip.pipe(response)
    zip.end('from upstream')
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    socket.send('hello')
    socket.on('message', (data: Buffer, isBinary) => socket.send(data, { binary: isBinary }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    sockets.close()
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Event {
  readonly event: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests know what they ask for
  readonly data: any
}

// Resolves when the stream has begun.
async function eventsOf(url: string): Promise<AsyncGenerator<Event, Event>> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const { body } = await fetch(url, { signal: leaving.signal })
  return readEvents(body as ReadableStream<Uint8Array>)
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Event, Event> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, event = '', data] = /event: (.*)\ndata: (.*)/.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      if (data !== undefined) yield { event, data: JSON.parse(data) }
    }
  }
  return { event: 'closed', data: undefined }
}

// Others may be slow, and open for a while as well.
async function nextOf(
  events: AsyncGenerator<Event, Event>,
  event: string,
  path: string,
): Promise<Event['data']> {
  for (;;) {
    const { value } = await events.next()
    if (value.event === 'closed' || (value.event === event && value.data.path === path)) return value.data
  }
}

it('is known whole of a request that came while somebody looked, without secrets', async () => {
  const { app, ask } = open({ upstream: await upstreamUrl() })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  await fetch(`${url}/before`, { method: 'POST', body: 'text' })
  const events = await eventsOf(`${url}/__sim/requests/stream?details=true`)
  await fetch(`${url}/made?token=s3cret`, {
    method: 'POST',
    body: '{"password":"s3cret","a":1}',
    headers: { 'content-type': 'application/json' },
  })
  const { id } = await nextOf(events, 'request', '/made')
  const { body: har } = await ask('GET', `/__sim/requests/${id}/har`)
  expect(JSON.stringify(har)).not.toContain('s3cret')
  expect(har).toMatchObject({
    request: { method: 'POST', postData: { text: expect.stringContaining('"a":1') } },
    response: { status: 201, content: { mimeType: 'text/plain', text: 'from upstream' } },
  })
  expect((await ask('GET', '/__sim/requests/1/har')).body).toMatchObject({
    _partial: true,
    response: { status: 201 },
  })
  expect((await ask('GET', '/__sim/requests/1/messages')).status).toBe(404)
  expect((await ask('GET', '/__sim/requests/99')).body.code).toBe('SIM_REQUEST_NOT_KEPT')
})

it('has the messages of an event stream and of a WebSocket while they pass', async () => {
  const { app } = open({ upstream: await upstreamUrl() })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const requests = await eventsOf(`${url}/__sim/requests/stream?details=true`)
  const stream = fetch(`${url}/events`).then((response) => response.text())
  const data = await nextOf(requests, 'open', '/events')
  expect(data.status).toBe(200)
  const messages = await eventsOf(`${url}/__sim/requests/${data.id}/messages`)
  expect((await messages.next()).value).toMatchObject({
    event: 'message',
    data: { text: 'one', direction: 'received' },
  })
  await fetch(`${url}/more`)
  expect((await messages.next()).value.data.text).toBe('two')
  expect((await messages.next()).value.event).toBe('end')
  await stream
  await nextOf(requests, 'request', '/events')

  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`)
  await once(socket, 'open')
  const opened = await nextOf(requests, 'open', '/socket')
  expect(opened.status).toBe(101)
  const said = await eventsOf(`${url}/__sim/requests/${opened.id}/messages`)
  expect((await said.next()).value.data).toMatchObject({ text: 'hello', direction: 'received' })
  socket.send(Buffer.from([1, 2, 255]))
  expect((await said.next()).value.data).toMatchObject({ base64: 'AQL/', direction: 'sent' })
  expect((await said.next()).value.data).toMatchObject({ base64: 'AQL/', direction: 'received' })
  socket.send(Buffer.from('{"token":"s3cret"}'))
  const { data: hidden } = (await said.next()).value
  expect(Buffer.from(hidden.base64, 'base64').toString()).toMatch(/^\{"token":".*redacted/)
  await said.next()
  socket.close()
  expect((await said.next()).value.event).toBe('end')
  await nextOf(requests, 'request', '/socket')
})
