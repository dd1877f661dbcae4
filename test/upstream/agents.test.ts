import { createServer as createTlsServer } from 'node:tls'
import { createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createIssuer } from '../../src/http/certificates.ts'
import { listen, openFolder, startGateway, trusting, upstreamAuthority } from '../flow/kit.ts'

const BODY = 'x'.repeat(70_000)

/** Answers in a framing (RFC 9112, section 6.3), and ends the connection at once. */
function answerAndEnd(socket: Socket): void {
  socket.on('error', () => undefined)
  socket.once('data', (request: Buffer) => {
    const framing = /length|chunked/.exec(request.toString())?.[0]
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n'
    if (framing === 'length') socket.end(`${head}Content-Length: ${BODY.length}\r\n\r\n${BODY}`)
    else if (framing === undefined) socket.end(`${head}\r\n${BODY}`)
    else {
      const size = BODY.length.toString(16)
      socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n${size}\r\n${BODY}\r\n0\r\n\r\n`)
    }
  })
}

it.for(['http', 'https'])(
  'passes on what an upstream sends by %s before it ends the connection',
  async (scheme) => {
    const tls = scheme === 'https'
    const server = tls
      ? createTlsServer(await (await createIssuer(await upstreamAuthority()))('localhost'), answerAndEnd)
      : createServer(answerAndEnd)
    const { port } = await listen(server)
    const { url } = await startGateway({
      upstream: `${scheme}://localhost:${port}`,
      ...(tls && { reach: await trusting() }),
      // What is recorded is not taken at once, so that the reading of an answer stops and goes on.
      modes: { mode: 'record' },
      record: openFolder().path,
    })
    const paths = Array.from({ length: 60 }, (_, index) => ['end', 'length', 'chunked'][index % 3])
    const bodies = await Promise.all(paths.map(async (path) => (await fetch(`${url}/${path}`)).text()))
    expect(bodies.filter((body) => body !== BODY)).toEqual([])
  },
)

it('breaks an answer off whose end is that of the connection, where that was reset', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhalf`)
      setTimeout(() => socket.resetAndDestroy(), 50)
    })
  })
  const { port } = await listen(server)
  const { url } = await startGateway({ upstream: `http://127.0.0.1:${port}` })
  await expect((await fetch(url)).text()).rejects.toThrow('terminated')
})
