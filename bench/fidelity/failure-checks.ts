import { setTimeout as wait } from 'node:timers/promises'
import { get, must, requestText, within, type Check } from './check.ts'

/** What goes wrong, upstream or with the client, and what is refused. */
export const FAILURE_CHECKS: readonly Check[] = [
  {
    id: 'breaks',
    name: 'a body that breaks off upstream breaks off for the client',
    async run(trial) {
      trial.upstream.handle('breaks', (request, response) => {
        response.write('first')
        setTimeout(() => request.socket.destroy(), 50)
      })
      const client = await trial.open()
      client.send(get(trial.path()))
      await client.until('first')
      const text = await within(client.rest(), 2000, 'the client waits for ever')
      must(!text.endsWith('0\r\n\r\n'), 'it looks like a whole body')
    },
  },
  malformed('garbage', 'an answer that is not HTTP is a 502 that says so', 'this is not HTTP\r\n\r\n'),
  malformed(
    'bad-length',
    'an answer with a length of letters is a 502 that says so',
    'HTTP/1.1 200 OK\r\nContent-Length: seven\r\n\r\n',
  ),
  malformed('nothing', 'an upstream that closes without an answer is a 502 that says so', ''),
  {
    id: 'late',
    name: 'an upstream that never answers is a 504',
    limitMs: 75_000,
    async run(trial) {
      trial.upstream.handle('late', (request) => void request.resume())
      const { status } = await trial.request(get(trial.path()))
      must(status === 504, `the status is ${status}`)
    },
  },
  {
    id: 'two-lengths',
    name: 'a request with two lengths is refused',
    async run(trial) {
      let arrived = false
      trial.upstream.handle('two-lengths', (_request, response) => {
        arrived = true
        response.end('ok')
      })
      const lengths = ['Content-Length: 4', 'Transfer-Encoding: chunked']
      const { status } = await trial.request(`${requestText('POST', trial.path(), lengths)}0\r\n\r\n`)
      must(!arrived, 'it is passed on')
      must(status === 400, `the status is ${status}`)
    },
  },
  {
    id: 'expect',
    name: 'Expect: 100-continue waits for the upstream',
    async run(trial) {
      trial.upstream.handle('expect', (request, response, expects) => {
        setTimeout(() => {
          if (expects) response.writeContinue()
          request.resume().on('end', () => response.end(expects ? 'continued' : 'unexpected'))
        }, 100)
      })
      const client = await trial.open()
      client.send(
        requestText('POST', trial.path(), [
          'Expect: 100-continue',
          'Content-Length: 4',
          'Content-Type: text/plain',
        ]),
      )
      await within(client.until('HTTP/1.1 100'), 2000, 'no 100 comes')
      client.send('body')
      const { status, body } = await client.response('POST')
      must(status === 200, `the status is ${status}`)
      must(body.toString() === 'continued', 'the upstream never sees the expectation')
    },
  },
  {
    id: 'expect-refused',
    name: 'Expect: 100-continue that the upstream refuses',
    async run(trial) {
      trial.upstream.handle('expect-refused', (_request, response) => {
        response.writeHead(413, { 'content-length': 0, connection: 'close' }).end()
      })
      const client = await trial.open()
      client.send(
        requestText('POST', trial.path(), [
          ...['Expect: 100-continue', 'Content-Length: 4', 'Content-Type: text/plain'],
        ]),
      )
      await within(client.until('HTTP/1.1 '), 3000, 'nothing comes before the body')
      const status = await Promise.race([
        client.response('POST').then(({ status, interim }) => (interim.length > 0 ? 100 : status)),
        wait(500, 100),
      ])
      must(status !== 100, 'a 100 comes although the upstream refuses')
      must(status === 413, `the status is ${status}`)
    },
  },
]

function malformed(id: string, name: string, answer: string): Check {
  return {
    id,
    name,
    async run(trial) {
      trial.upstream.handle(id, (request) => void request.socket.end(answer))
      const { status, head, body } = await trial.request(get(trial.path()))
      must(status === 502, `the status is ${status}`)
      const named = /[A-Z][A-Z]+_[A-Z_]+|ECONN\w+|[A-Z][a-z]+(?:[A-Z][a-z]+)+/
      must(
        named.test(body.toString() + head.replaceAll(/^[\w-]+:/gm, '')),
        `it does not say why: ${body.toString().slice(0, 60)}`,
      )
    },
  }
}
