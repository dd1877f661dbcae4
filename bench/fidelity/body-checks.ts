import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { createSignal, get, must, requestText, within, type Check } from './check.ts'

const MIB = 1024 * 1024
const LARGE = 64 * MIB
const CHUNK = Buffer.alloc(64 * 1024, 'sixteen letters.')
/** More than the buffers of four sockets and of a proxy come to. */
const MAX_BUFFERED = 24 * MIB
const CHUNKED = 'Transfer-Encoding: chunked'

/** Bodies: streaming, pace, size and framing. */
export const BODY_CHECKS: readonly Check[] = [
  {
    id: 'stream-response',
    name: 'a response streams',
    async run(trial) {
      const seen = createSignal()
      trial.upstream.handle('stream-response', (_request, response) => {
        response.write('first ')
        void seen.promise.then(() => response.end('second'))
      })
      const client = await trial.open()
      client.send(get(trial.path()))
      await within(client.until('first'), 2000, 'its first part waits for the second')
      seen.resolve()
      const { body } = await client.response()
      must(body.toString() === 'first second', `the body is ${body.toString()}`)
    },
  },
  {
    id: 'stream-request',
    name: 'a request streams',
    async run(trial) {
      const seen = createSignal()
      trial.upstream.handle('stream-request', (request, response) => {
        request.on('data', () => seen.resolve()).on('end', () => response.end('ok'))
      })
      const client = await trial.open()
      client.send(`${requestText('POST', trial.path(), [CHUNKED, 'Content-Type: text/plain'])}5\r\nfirst\r\n`)
      await within(seen.promise, 2000, 'its first part waits for the second')
      client.send('6\r\nsecond\r\n0\r\n\r\n')
      must((await client.response('POST')).status === 200, 'it is not answered')
    },
  },
  {
    id: 'pace-response',
    name: 'a slow client slows the upstream down',
    async run(trial) {
      const counted = createSignal<number>()
      trial.upstream.handle(
        'pace-response',
        (_request, response) => void fill(response).then(counted.resolve),
      )
      const client = await trial.open({ slow: true })
      client.send(get(trial.path()))
      const written = await counted.promise
      must(
        written < MAX_BUFFERED,
        `${Math.round(written / MIB)} MiB of ${LARGE / MIB} were taken ahead of it`,
      )
    },
  },
  {
    id: 'pace-request',
    name: 'a slow upstream slows the client down',
    async run(trial) {
      trial.upstream.handle('pace-request', (request) => void request.pause())
      const client = await trial.open()
      client.send(
        requestText('POST', trial.path(), [`Content-Length: ${LARGE}`, 'Content-Type: application/zip']),
      )
      const written = await fill(client.socket)
      must(
        written < MAX_BUFFERED,
        `${Math.round(written / MIB)} MiB of ${LARGE / MIB} were taken ahead of it`,
      )
    },
  },
  {
    id: 'large-response',
    name: '64 MiB to the client',
    limitMs: 30_000,
    async run(trial) {
      trial.upstream.handle('large-response', (_request, response) => {
        response.writeHead(200, { 'content-length': LARGE })
        void send(response)
      })
      const client = await trial.open({ slow: true })
      client.send(get(trial.path()))
      let bytes = 0
      for await (const chunk of client.socket as AsyncIterable<Buffer>)
        if ((bytes += chunk.length) > LARGE) break
      must(bytes > LARGE, `${bytes} bytes came`)
    },
  },
  {
    id: 'large-request',
    name: '64 MiB to the upstream',
    limitMs: 30_000,
    async run(trial) {
      const sum = createSignal<string>()
      trial.upstream.handle('large-request', (request, response) => {
        void measure(request).then(({ bytes, digest }) => {
          sum.resolve(`${bytes} ${digest}`)
          return response.end('ok')
        })
      })
      const client = await trial.open()
      client.send(
        requestText('PUT', trial.path(), [`Content-Length: ${LARGE}`, 'Content-Type: application/zip']),
      )
      const sent = createHash('sha256')
      for (let left = LARGE; left > 0; left -= CHUNK.length) {
        sent.update(CHUNK)
        if (!client.socket.write(CHUNK)) await once(client.socket, 'drain')
      }
      const { status } = await client.response('PUT')
      must(status === 200, `the status is ${status}`)
      must((await sum.promise) === `${LARGE} ${sent.digest('hex')}`, 'other bytes arrived')
    },
  },
  {
    id: 'old-client',
    name: 'a response in chunks to a client of HTTP/1.0',
    async run(trial) {
      trial.upstream.handle('old-client', (_request, response) => {
        response.write('first ')
        response.end('second')
      })
      const client = await trial.open()
      client.send(`GET ${trial.path()} HTTP/1.0\r\nHost: proxy.example\r\n\r\n`)
      const text = await within(client.rest(), 2000, 'the connection stays open')
      must(!/transfer-encoding/i.test(text), 'the response is in chunks')
      must(text.endsWith('\r\n\r\nfirst second'), `the body is ${JSON.stringify(text.slice(-40))}`)
    },
  },
  {
    id: 'body-of-get',
    name: 'bodies of GET and DELETE',
    async run(trial) {
      trial.upstream.handle('body-of-get', (request, response) => void request.pipe(response))
      for (const method of ['GET', 'DELETE']) {
        const text = `${requestText(method, trial.path(), ['Content-Length: 4'])}body`
        const { status, body } = await trial.request(text)
        must(
          body.toString() === 'body',
          `${method} is answered with ${status} ${body.toString().slice(0, 40)}`,
        )
      }
    },
  },
  {
    id: 'json-bytes',
    name: 'a JSON body byte for byte',
    async run(trial) {
      const arrived = createSignal<string>()
      trial.upstream.handle('json-bytes', (request, response) => {
        let text = ''
        request.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
        request.on('end', () => {
          arrived.resolve(text)
          response.end('ok')
        })
      })
      const body = '{ "b":1.0, "a":1e3, "b":2 ,"n":12345678901234567890}'
      const head = requestText('POST', trial.path(), [
        ...['Content-Type: application/json', `Content-Length: ${body.length}`],
      ])
      const { status } = await trial.request(head + body, 'POST')
      must(status === 200, `the status is ${status}`)
      must((await arrived.promise) === body, `arrived as ${await arrived.promise}`)
    },
  },
  {
    id: 'encoded',
    name: 'a compressed body byte for byte, with its length',
    async run(trial) {
      const body = Buffer.from([0x1f, 0x8b, 8, 0, 255, 0, 128, 200])
      trial.upstream.handle('encoded', (_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body),
      )
      const response = await trial.request(get(trial.path(), 'Accept-Encoding: gzip'))
      must(/^content-encoding: gzip/im.test(response.head), 'the encoding is lost')
      must(/^content-length: 8/im.test(response.head), 'the length is lost')
      must(response.body.equals(body), 'other bytes came')
    },
  },
]

// Writes until nobody takes any more, and says how much that was.
async function fill(stream: Writable): Promise<number> {
  let written = 0
  stream.on('error', () => undefined)
  while (written < LARGE) {
    written += CHUNK.length
    if (stream.write(CHUNK)) continue
    const hasDrained = await Promise.race([once(stream, 'drain').then(() => true), wait(700, false)])
    if (!hasDrained) break
  }
  return written
}

async function send(stream: Writable): Promise<void> {
  for (let left = LARGE; left > 0; left -= CHUNK.length) if (!stream.write(CHUNK)) await once(stream, 'drain')
  stream.end()
}

async function measure(stream: Readable): Promise<{ readonly bytes: number; readonly digest: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    hash.update(chunk)
  }
  return { bytes, digest: hash.digest('hex') }
}
