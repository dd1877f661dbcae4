import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { sendRaw, serveInput, type Served } from './operation-app.ts'

describe('what the gateway forwards without reading it', () => {
  let upstream: ReturnType<typeof createServer>
  let gateway: Served

  beforeAll(async () => {
    upstream = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const type = request.headers['content-type'] ?? 'none'
        response.end(`${request.method} ${type} ${Buffer.concat(chunks).toString()}`)
      })
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const { port } = upstream.address() as AddressInfo
    gateway = await serveInput([], { upstream: `http://127.0.0.1:${port}` })
  })

  afterAll(async () => {
    await gateway.close()
    upstream.close()
  })

  it.for([
    ['QUERY', [], '', 'none'],
    ['QUERY', [], 'select', 'none'],
    ['QUERY', ['content-type: text/sql'], 'select', 'text/sql'],
    ['POST', [], 'bytes', 'none'],
    ['POST', ['content-type:'], 'bytes', 'none'],
    ['POST', ['content-type: nonsense'], 'bytes', 'nonsense'],
    ['PUT', ['content-type: a/b; c'], 'bytes', 'a/b; c'],
    ['PATCH', ['content-type: */*'], 'bytes', '*/*'],
    ['DELETE', [], 'bytes', 'none'],
    ['PROPFIND', [], 'bytes', 'none'],
    ['M-SEARCH', [], '', 'none'],
  ] as const)('is %s with %j and the body %j', async ([method, headers, body, type]) => {
    const head = [`${method} /x HTTP/1.1`, 'host: x', 'connection: close', `content-length: ${body.length}`]
    const answer = await sendRaw(gateway.port, [...head, ...headers, '', body].join('\r\n'))
    expect(answer).toContain('HTTP/1.1 200')
    expect(answer).toMatch(new RegExp(`${method} ?(${escape(type)})? ${body}`))
  })

  it('is a chunked body without a content type', async () => {
    const head = ['POST /x HTTP/1.1', 'host: x', 'connection: close', 'transfer-encoding: chunked', '', '']
    const answer = await sendRaw(gateway.port, head.join('\r\n'), '2\r\nhi\r\n0\r\n\r\n')
    expect(answer).toContain('POST none hi')
  })

  it('is refused for a declared route only by the route itself', async () => {
    const app = new SimAPI({ seed: 1 }).post('/x', {}).asWebApp()
    const { statusCode } = await app.inject({ method: 'POST', url: '/x', payload: Buffer.from('{}') })
    expect(statusCode).toBe(200)
  })
})

function escape(text: string): string {
  return text.replace(/[*/]/g, '\\$&')
}
