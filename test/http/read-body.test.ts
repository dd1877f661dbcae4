import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rewindableBody } from '../../src/http/read-body.ts'

/** What comes of a request with this body when a server handles it. */
async function whenSent<Result>(
  body: Buffer,
  handle: (request: IncomingMessage) => Promise<Result>,
): Promise<Result> {
  let result: Promise<Result> | undefined
  const server = createServer((request, response) => {
    result = handle(request)
    void result.finally(() => response.end())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: new Uint8Array(body) })
  if (result === undefined) throw new Error('the request did not arrive')
  return result
}

describe('rewindableBody', () => {
  it('gives a short body, and the whole of it again', async () => {
    const body = Buffer.from('hello')
    const seen = await whenSent(body, async (request) => {
      const peeked = rewindableBody(request)
      const first = await peeked.read(100)
      const stream = peeked.rewind()
      return [first?.toString(), stream && (await buffer(stream)).toString()]
    })
    expect(seen).toEqual(['hello', 'hello'])
  })

  it('gives nothing of a long body, but the whole of it again', async () => {
    const body = Buffer.alloc(1_000_000, 'x')
    const seen = await whenSent(body, async (request) => {
      const peeked = rewindableBody(request)
      const first = await peeked.read(10)
      const stream = peeked.rewind()
      return [first, stream && (await buffer(stream)).equals(body)]
    })
    expect(seen).toEqual([undefined, true])
  })

  it('leaves the request alone until it is read', async () => {
    const seen = await whenSent(Buffer.from('hello'), async (request) => {
      const again = rewindableBody(request).rewind()
      return [again, (await buffer(request)).toString()]
    })
    expect(seen).toEqual([undefined, 'hello'])
  })
})
