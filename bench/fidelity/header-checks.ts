import type { IncomingMessage } from 'node:http'
import { createSignal, get, must, requestText, type Check, type Trial } from './check.ts'

/** Heads: headers, interim responses, and where a request goes. */
export const HEADER_CHECKS: readonly Check[] = [
  {
    id: 'hop-request',
    name: 'headers of one connection stay out of the request',
    async run(trial) {
      const own = [
        'Connection: keep-alive, X-Once',
        'X-Once: 1',
        'Keep-Alive: timeout=9',
        'Proxy-Connection: x',
      ]
      const { rawHeaders } = await received(trial, get(trial.path(), ...own, 'X-Kept: 1'))
      const names = namesOf(rawHeaders)
      must(names.includes('x-kept'), 'x-kept is lost')
      const passed = ['x-once', 'keep-alive', 'proxy-connection'].filter((name) => names.includes(name))
      must(passed.length === 0, `passed on: ${passed.join(', ')}`)
    },
  },
  {
    id: 'hop-response',
    name: 'headers of one connection stay out of the response',
    async run(trial) {
      trial.upstream.handle('hop-response', (_request, response) =>
        response
          .writeHead(200, [
            ...['Connection', 'keep-alive, X-Once', 'X-Once', '1', 'Keep-Alive', 'timeout=77', 'X-Kept', '1'],
            ...['Proxy-Connection', 'x', 'Content-Length', '0'],
          ])
          .end(),
      )
      const { head } = await trial.request(get(trial.path()))
      must(/^x-kept: 1/im.test(head), 'x-kept is lost')
      const passed = ['x-once: 1', 'keep-alive: timeout=77', 'proxy-connection: x'].filter((line) =>
        head.toLowerCase().includes(line),
      )
      must(passed.length === 0, `passed on: ${passed.join(', ')}`)
    },
  },
  {
    id: 'order-request',
    name: 'repeated headers and their order, to the upstream',
    async run(trial) {
      const lines = ['X-A: 1', 'X-B: 2', 'X-A: 3', 'Cookie: a=1', 'X-B: 4']
      const { rawHeaders } = await received(trial, get(trial.path(), ...lines))
      const seen = pairsOf(rawHeaders).filter((line) => /^(x-[ab]|cookie):/.test(line))
      const sent = lines.map((line) => line.toLowerCase())
      must(seen.join('|') === sent.join('|'), `arrived as ${seen.join(', ')}`)
    },
  },
  {
    id: 'order-response',
    name: 'repeated headers and their order, to the client',
    async run(trial) {
      const lines = ['X-A', '1', 'Set-Cookie', 'a=1', 'X-B', '2', 'X-A', '3', 'Set-Cookie', 'b=2']
      trial.upstream.handle('order-response', (_request, response) =>
        response.writeHead(200, [...lines, 'Content-Length', '0']).end(),
      )
      const { headers } = await trial.request(get(trial.path()))
      const seen = headers
        .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
        .filter((line) => /^(x-[ab]|set-cookie):/.test(line))
      must(seen.join('|') === pairsOf(lines).join('|'), `arrived as ${seen.join(', ')}`)
    },
  },
  {
    id: 'trailers-request',
    name: 'trailers of a request',
    async run(trial) {
      const ended = createSignal<readonly string[]>()
      trial.upstream.handle('trailers-request', (request, response) => {
        request.resume().on('end', () => {
          ended.resolve(request.rawTrailers)
          response.end('ok')
        })
      })
      const head = requestText('POST', trial.path(), ['Transfer-Encoding: chunked', 'Trailer: X-Sum'])
      await trial.request(`${head}4\r\nbody\r\n0\r\nX-Sum: 7\r\n\r\n`, 'POST')
      const trailers = pairsOf(await ended.promise)
      must(trailers.includes('x-sum: 7'), 'they are lost')
    },
  },
  {
    id: 'trailers-response',
    name: 'trailers of a response',
    async run(trial) {
      trial.upstream.handle('trailers-response', (_request, response) => {
        response.writeHead(200, { trailer: 'X-Sum', 'transfer-encoding': 'chunked' })
        response.write('body')
        response.addTrailers({ 'X-Sum': '7' })
        response.end()
      })
      const { trailers } = await trial.request(get(trial.path(), 'TE: trailers', 'Connection: TE'))
      must(/^x-sum: 7/im.test(trailers), 'they are lost')
    },
  },
  {
    id: 'early-hints',
    name: 'early hints (103)',
    async run(trial) {
      trial.upstream.handle('early-hints', (_request, response) => {
        response.writeEarlyHints({ link: '</style.css>; rel=preload' })
        setTimeout(() => response.end('ok'), 50)
      })
      const { status, interim } = await trial.request(get(trial.path()))
      must(status === 200, `the final status is ${status}`)
      must(
        interim.some((head) => / 103 /.test(head) && head.includes('/style.css')),
        'they are lost',
      )
    },
  },
  {
    id: 'head',
    name: 'HEAD keeps the length, without a body',
    async run(trial) {
      trial.upstream.handle('head', (request, response) => {
        if (request.method === 'HEAD') response.writeHead(200, { 'content-length': 1234 })
        response.end()
      })
      const client = await trial.open()
      client.send(requestText('HEAD', trial.path(), []))
      const { status, head } = await client.response('HEAD')
      must(status === 200, `the status is ${status}`)
      must(/^content-length: 1234/im.test(head), 'the length is lost')
      await answersAgain(trial, client)
    },
  },
  {
    id: 'not-modified',
    name: '304 that states a length, and another request after it',
    async run(trial) {
      trial.upstream.handle('not-modified', (request, response) => {
        if (request.url?.includes('again') === true) response.end('again')
        else response.writeHead(304, { 'content-length': 500, etag: '"1"' }).end()
      })
      const client = await trial.open()
      client.send(get(trial.path(), 'If-None-Match: "1"'))
      const { status, head } = await client.response()
      must(status === 304, `the status is ${status}`)
      must(/^etag: "1"/im.test(head), 'the etag is lost')
      must(!/^transfer-encoding/im.test(head), 'it announces a body in chunks')
      must(/^content-length: 500/im.test(head), 'the length is lost')
      await answersAgain(trial, client)
    },
  },
  {
    id: 'target-bytes',
    name: 'path and query byte for byte',
    async run(trial) {
      const path = trial.path('/a%2Fb/./c//d;x=%7e%2e/%E4?q=a+b%20c&&=%&x=[1]&e=%c3%A4|"')
      const { url } = await received(trial, get(path))
      must(url === path, `arrived as ${url}`)
    },
  },
  {
    id: 'dot-segments',
    name: 'dot segments of a path left as they are',
    async run(trial) {
      const path = trial.path('/a/../b/%2e%2e/c')
      const { url } = await received(trial, get(path))
      must(url === path, `arrived as ${url}`)
    },
  },
  {
    id: 'absolute-form',
    name: 'absolute form arrives in origin form',
    async run(trial) {
      const { url } = await received(
        trial,
        get(`http://127.0.0.1:${trial.upstream.port}${trial.path('/x?y=1')}`),
      )
      must(url === trial.path('/x?y=1'), `arrived as ${url}`)
    },
  },
  {
    id: 'methods',
    name: 'any method: PROPFIND, QUERY, REPORT',
    async run(trial) {
      trial.upstream.handle('methods', (request, response) => {
        request.resume()
        response.end(request.method)
      })
      for (const method of ['PROPFIND', 'QUERY', 'REPORT']) {
        const { status, body } = await trial.request(
          `${requestText(method, trial.path(), ['Content-Length: 4'])}body`,
        )
        must(body.toString() === method, `${method} is answered with ${status}`)
      }
    },
  },
]

// The request that arrives at the upstream.
async function received(trial: Trial, text: string): Promise<IncomingMessage> {
  const arrived = createSignal<IncomingMessage>()
  const [, check = ''] = /\/~([\w-]+)/.exec(text) ?? []
  trial.upstream.handle(check, (request, response) => {
    arrived.resolve(request)
    request.resume()
    response.end('ok')
  })
  const { status, body } = await trial.request(text)
  must(status === 200, `the status is ${status}: ${body.toString().slice(0, 80)}`)
  return arrived.promise
}

async function answersAgain(trial: Trial, client: Awaited<ReturnType<Trial['open']>>): Promise<void> {
  client.send(get(trial.path('/again')))
  const { status } = await client.response()
  must(status === 200, `the next request of the connection gets ${status}`)
}

function pairsOf(raw: readonly string[]): string[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [`${name.toLowerCase()}: ${raw[at + 1]}`] : []))
}

function namesOf(raw: readonly string[]): string[] {
  return raw.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
}
