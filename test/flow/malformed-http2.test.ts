import { once } from 'node:events'
import { connect as connectHttp2, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2'
import { connect } from 'node:net'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  END_HEADERS,
  framesIn,
  frame,
  GET,
  headers,
  number,
  PREFACE,
  TYPE,
} from '../conformance/http2-frames.ts'
import { fetchFrom, gatewayTo, startIntercepting } from './kit.ts'
import { textOf } from './raw-client.ts'

/** Requests that HTTP/2 can carry, but that would be others, or several, in HTTP/1.1. */
const CASES: readonly (readonly [what: string, headers: OutgoingHttpHeaders])[] = [
  ['a path with a line end', { ':path': '/x HTTP/1.1\r\nHost: a\r\n\r\nGET /smuggled' }],
  ['a path with a space', { ':path': '/x y' }],
  ['a path with a NUL', { ':path': '/x\0' }],
  ['a path without a slash', { ':path': 'x' }],
  ['a path with a fragment', { ':path': '/x#y' }],
  ['a method with a line end', { ':path': '/x', ':method': 'GET / HTTP/1.1\r\n\r\nGET' }],
  ['a method with a space', { ':path': '/x', ':method': 'GET /y' }],
  ['another host', { ':path': '/x', ':authority': 'other.test' }],
  ['a host with a line end', { ':path': '/x', ':authority': 'a\r\nX: y' }],
  ['a length that is wrong', { ':path': '/x', ':method': 'POST', 'content-length': '100' }],
]

let reached: string[] = []
let open: () => Promise<ClientHttp2Session>

beforeAll(async () => {
  const proxy = await startIntercepting((incoming, response) => {
    const { 'x-a': value, x } = incoming.headers
    const headers = value === undefined && x === undefined ? '' : ' with a header'
    incoming.once('end', () => reached.push(`${incoming.method} ${incoming.url}${headers}`))
    incoming.resume()
    response.end('ok')
  })
  open = async () => {
    const secure = await proxy.open('h2')
    const session = connectHttp2(proxy.upstream.url, { createConnection: () => secure })
    session.on('error', () => {})
    return session
  }
})
beforeEach(() => {
  reached = []
})

/** The status of an answer; 0 where the stream was refused before there was one. */
async function statusOf(session: ClientHttp2Session, headers: OutgoingHttpHeaders): Promise<number> {
  const stream = session.request(headers, { endStream: headers[':method'] !== 'POST' })
  stream.on('error', () => {})
  if (headers[':method'] === 'POST') stream.end('body')
  let status = 0
  stream.once('response', (answer) => (status = Number(answer[':status'])))
  stream.resume()
  if (!stream.closed) await once(stream, 'close').catch(() => undefined)
  return status
}

describe('a malformed request over HTTP/2', () => {
  it('stands beside one that is well-formed', async () => {
    const session = await open()
    expect(await statusOf(session, { ':path': '/right' })).toBe(200)
    expect(reached).toEqual(['GET /right'])
    session.destroy()
  })

  it.for(CASES)('is refused: %s', async ([, headers]) => {
    const session = await open()
    let status = 0
    try {
      status = await statusOf(session, headers)
    } catch {
      // Node's own client refuses to send some of them.
    }
    expect(status === 0 || (status >= 400 && status < 500)).toBe(true)
    session.destroy()

    // Nothing of it has reached the upstream, and the gateway goes on.
    const other = await open()
    expect(await textOf(other.request({ ':path': '/next' }))).toBe('ok')
    expect(reached).toEqual(['GET /next'])
    other.destroy()
  })

  it('is left without a header whose value would end its line', async () => {
    const session = await open()
    expect(await statusOf(session, { ':path': '/x', 'x-a': 'b\r\nX: y' })).toBe(200)
    expect(reached).toEqual(['GET /x'])
    session.destroy()
  })
})

it('ends what a client has under way that left after an error of its connection', async () => {
  let left: (() => void) | undefined
  const hasLeft = new Promise<void>((resolve) => (left = resolve))
  const { port } = await gatewayTo(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      response.once('close', () => left?.())
    },
    { limits: { headerTimeoutMs: 100 } },
  )
  const socket = connect(port, '127.0.0.1')
  socket.write(Buffer.concat([PREFACE, frame(TYPE.settings, 0, 0), headers(GET)]))
  let bytes = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => (bytes = Buffer.concat([bytes, chunk])))
  await expect.poll(() => framesIn(bytes).some(({ type }) => type === TYPE.data)).toBe(true)
  // Headers that go on with no continuation.
  socket.write(Buffer.concat([headers(GET, 3, 0), headers(GET, 5)]))
  await expect.poll(() => framesIn(bytes).some(({ type }) => type === TYPE.goaway)).toBe(true)
  socket.destroy()
  await hasLeft
})

it('takes a client that expects a 100 and resets its stream at once for one that left', async () => {
  const { port } = await gatewayTo((_request, response) => response.end('ok'))
  const socket = connect(port, '127.0.0.1')
  const expecting = headers([...GET, ['expect', '100-continue']], 1, END_HEADERS)
  const reset = frame(TYPE.reset, 0, 1, number(8))
  socket.write(Buffer.concat([PREFACE, frame(TYPE.settings, 0, 0), expecting, reset, headers(GET, 3)]))
  let bytes = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => (bytes = Buffer.concat([bytes, chunk])))
  await expect
    .poll(() => framesIn(bytes).some(({ type, stream }) => type === TYPE.headers && stream === 3))
    .toBe(true)
  socket.destroy()
})

it('begins nothing for requests that are reset at once, and answers others meanwhile', async () => {
  const { port, url } = await gatewayTo((_request, response) => response.end('ok'))
  const socket = connect(port, '127.0.0.1')
  const resets = Array.from({ length: 200 }, (_, index) => 2 * index + 1).flatMap((stream) => [
    headers([...GET.filter(([name]) => name !== ':path'), [':path', '/reset']], stream),
    frame(TYPE.reset, 0, stream, number(8)),
  ])
  socket.write(Buffer.concat([PREFACE, frame(TYPE.settings, 0, 0), ...resets, headers(GET, 401)]))
  let bytes = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => (bytes = Buffer.concat([bytes, chunk])))
  await expect
    .poll(() => framesIn(bytes).some(({ type, stream }) => type === TYPE.headers && stream === 401))
    .toBe(true)
  expect((await fetchFrom(`${url}/__sim/requests?path=/reset`)).body).toEqual([])
  socket.destroy()
})
