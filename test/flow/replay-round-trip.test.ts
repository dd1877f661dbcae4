import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import zlib from 'node:zlib'
import { FormData } from 'undici'
import { describe, expect, it } from 'vitest'
import { imageBytes, temporaryDirectory } from '../recording/samples.ts'
import { startUpstream } from './kit.ts'
import { ask, start, startReplay, type Seen, type Sent } from './replay-kit.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void

/** What was answered while it was recorded, and what is replayed once the server is gone. */
async function roundTrip(handler: Handler, requests: readonly (() => Sent)[]): Promise<[Seen[], Seen[]]> {
  const directory = await temporaryDirectory()
  const upstream = await startUpstream((incoming, response) => {
    void buffer(incoming).then((body) => handler(incoming, response, body))
  })
  const answersOf = async (url: string): Promise<Seen[]> => {
    const answers: Seen[] = []
    for (const each of requests) answers.push(await ask(url, ...each()))
    return answers
  }
  const recording = await start({ upstream: upstream.url, record: directory })
  const live = await answersOf(recording.url)
  await recording.app.close()
  upstream.stop()
  return [live, await answersOf((await startReplay(directory)).url)]
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
  deflate: (bytes) => {
    try {
      return zlib.inflateSync(bytes)
    } catch {
      return zlib.inflateRawSync(bytes)
    }
  },
}

/** What a client makes of an answer. */
function meant({ status, headers, body, trailers }: Seen): unknown {
  const { date: _date, connection, 'keep-alive': _alive, ...rest } = headers
  const { 'content-length': length, 'transfer-encoding': _coding, 'content-encoding': coding, ...kept } = rest
  const decoder = DECODERS[String(coding)]
  const decoded = decoder === undefined || body.length === 0 ? body : decoder(body)
  const known = decoder === undefined ? coding : undefined
  expect(connection === undefined || connection === 'keep-alive' || connection === 'close').toBe(true)
  expect(length === undefined || body.length === 0 || Number(length) === body.length).toBe(true)
  return { status, headers: kept, coding: known, body: decoded.toString('base64'), trailers }
}

const LOGIN = ['Set-Cookie', 'a=; Path=/', 'Set-Cookie', 'theme=dark; HttpOnly', 'X-A', '1', 'X-A', '2']
const text = JSON.stringify({ text: 'ä'.repeat(2000) })
const binary = imageBytes(3000)
const long = imageBytes(100_000)
const get =
  (url: string): (() => Sent) =>
  () => [url]

describe('what was recorded is replayed without its server', () => {
  it.for<[string, (bytes: Buffer) => Buffer]>([
    ['gzip', zlib.gzipSync],
    ['br', zlib.brotliCompressSync],
    ['deflate', zlib.deflateSync],
    ['deflate', zlib.deflateRawSync],
  ])('with the body of a %s answer, decoded', async ([coding, encode]) => {
    const [live, replayed] = await roundTrip(
      (_request, response) =>
        response
          .writeHead(200, {
            'content-type': 'application/json',
            'content-encoding': coding,
            vary: 'accept-encoding',
            'content-digest': 'sha-256=:of the coded bytes:',
          })
          .end(encode(Buffer.from(text))),
      [get('/a')],
    )
    const [{ headers: all, ...rest }] = live as [Seen]
    const { 'content-digest': _digest, ...headers } = all
    expect(replayed.map(meant)).toEqual([meant({ ...rest, headers })])
    expect(replayed[0]?.headers['content-encoding']).toBeUndefined()
    expect(replayed[0]?.text).toBe(text)
  })

  it('but for a body in an unknown coding, which was not kept', async () => {
    const [live, replayed] = await roundTrip(
      (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'application/octet-stream', 'content-encoding': 'x-own' })
          .end(binary),
      [get('/unknown')],
    )
    expect(live[0]?.status).toBe(200)
    expect(replayed[0]?.status).toBe(501)
    expect(replayed[0]?.text).toContain('SIM_BODY_NOT_KEPT')
  })

  it('with zstd, decoded, though not every version of Node can', async () => {
    // An empty frame and a skippable one, which any decoder of RFC 8878 takes.
    const frame = Buffer.from('28b52ffd2000010000', 'hex')
    const [, replayed] = await roundTrip(
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'image/x-own', 'content-encoding': 'zstd' }).end(frame),
      [get('/z')],
    )
    expect(replayed[0]?.status).toBe(200)
    expect(replayed[0]?.headers['content-encoding']).toBeUndefined()
    expect(replayed[0]?.body).toHaveLength(0)
  })

  it('with binary bodies, short and long', async () => {
    const [live, replayed] = await roundTrip(
      ({ url }, response) =>
        response.writeHead(200, { 'content-type': 'image/png' }).end(url === '/long' ? long : binary),
      [get('/short'), get('/long')],
    )
    expect(replayed.map(meant)).toEqual(live.map(meant))
    expect(replayed[1]?.body.equals(long)).toBe(true)
  })

  it('for uploads of forms with files, whatever their boundary is', async () => {
    const upload = (name: string, bytes: Buffer) => (): Sent => {
      const form = new FormData()
      form.append('name', name)
      form.append('file', new Blob([bytes], { type: 'image/png' }), `${name}.png`)
      return ['/upload', { method: 'POST', body: form }]
    }
    let count = 0
    const [live, replayed] = await roundTrip(
      (_request, response, body) =>
        response.end(
          `got ${body.includes('"one"') || body.includes('one.png') ? 'one' : 'another'} ${count++}`,
        ),
      [upload('one', binary), upload('two', binary), upload('two', long), upload('one', binary)],
    )
    expect(replayed.map(meant)).toEqual(live.map(meant))
  })

  it('for forms, whatever the order of their fields is', async () => {
    const post = (body: string) => (): Sent => [
      '/form',
      { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ]
    const [, replayed] = await roundTrip(
      (_request, response, body) => response.end(body),
      [post('a=1&b=2'), post('a=1&b=3')],
    )
    expect(replayed.map(({ text: body }) => body)).toEqual(['a=1&b=2', 'a=1&b=3'])
  })

  it('with redirects, cookies, HEAD, 204 and 304', async () => {
    const [live, replayed] = await roundTrip(
      ({ url, method, headers }, response) => {
        if (url === '/from') response.writeHead(302, { location: '/to?x=1' }).end()
        else if (url === '/far') response.writeHead(308, { location: 'https://example.com/to' }).end('moved')
        else if (url === '/login') response.writeHead(200, LOGIN).end('in')
        else if (method === 'DELETE') response.writeHead(204).end()
        else if (headers['if-none-match'] === '"1"') response.writeHead(304, { etag: '"1"' }).end()
        else
          response.writeHead(200, { etag: '"1"', 'content-length': 5 }).end(method === 'HEAD' ? '' : 'hello')
      },
      [
        get('/from'),
        get('/far'),
        get('/login'),
        () => ['/page', { method: 'HEAD' }],
        () => ['/page', { method: 'DELETE' }],
        get('/page'),
        () => ['/page', { headers: { 'if-none-match': '"1"' } }],
        () => ['/page', { headers: { cookie: 'theme=light' } }],
      ],
    )
    const settle = (seen: Seen): unknown => {
      const { 'set-cookie': cookies, ...headers } = seen.headers
      return [meant({ ...seen, headers }), [cookies].flat().map((each) => each?.split('=')[0])]
    }
    expect(live.map(({ status }) => status)).toEqual([302, 308, 200, 200, 204, 200, 304, 200])
    expect(replayed.map(settle)).toEqual(live.map(settle))
    expect(replayed[3]?.headers['content-length']).toBe('5')
  })

  it('with chunked trailers', async () => {
    const [live, replayed] = await roundTrip(
      (_request, response) => {
        response.writeHead(200, { trailer: 'x-sum, x-more' })
        response.write('one')
        response.addTrailers({ 'x-sum': '3', 'x-more': 'yes' })
        response.end('two')
      },
      [get('/t')],
    )
    expect(replayed.map(meant)).toEqual(live.map(meant))
    expect(replayed[0]?.trailers).toEqual({ 'x-sum': '3', 'x-more': 'yes' })
  })

  it('with POSTs that change later GETs, and repeated calls', async () => {
    const items: string[] = []
    const post = (item: string) => (): Sent => ['/items', { method: 'POST', body: JSON.stringify({ item }) }]
    const [live, replayed] = await roundTrip(
      ({ method }, response, body) => {
        if (method === 'POST') items.push(body.toString())
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ method, items }))
      },
      [
        get('/items'),
        post('a'),
        get('/items'),
        post('b'),
        get('/items'),
        get('/items'),
        post('a'),
        get('/items'),
      ],
    )
    expect(replayed.map(meant)).toEqual(live.map(meant))
    expect(new Set(replayed.map(({ text: body }) => body)).size).toBe(7)
  })
})
