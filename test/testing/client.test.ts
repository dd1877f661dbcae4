import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { FromInput } from '../../src/engine/links/from-input.ts'
import { SimAPI } from '../../src/api.ts'
import { list } from '../../src/engine/schema/list.ts'
import { createClient } from '../../src/testing/client.ts'

const Named = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', ...FromInput('name') } },
}

interface Echo {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

async function readEcho(response: Promise<Response>): Promise<Echo> {
  return (await (await response).json()) as Echo
}

function echoApp() {
  const app = Fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.all('/echo', async ({ raw }, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of raw as AsyncIterable<Buffer>) chunks.push(chunk)
    return reply.send({
      method: raw.method,
      url: raw.url,
      headers: raw.headers,
      body: Buffer.concat(chunks).toString(),
    })
  })
  return app
}

describe('createClient', () => {
  it('answers with the WHATWG Response of this platform', async () => {
    const client = createClient(new SimAPI({ seed: 1 }).get('/users', { input: Named, output: Named }))
    const response = await client.fetch('/users?name=Ada')
    expect(response).toBeInstanceOf(Response)
    expect([response.status, response.ok, response.statusText]).toEqual([200, true, 'OK'])
    expect(response.url).toBe('http://localhost/users?name=Ada')
    expect(response.headers.get('content-type')).toMatch('application/json')
    expect(await response.json()).toEqual({ name: 'Ada' })
    await client.close()
  })

  it('has state apart from clients of other sessions of the app', async () => {
    const api = new SimAPI({ seed: 1, stateful: true })
    api.post('/users', { input: Named, output: Named }).get('/users', { output: list(Named) })
    const app = api.asWebApp()
    const [mine, theirs] = [createClient(app, { session: 'mine' }), createClient(app, { session: 'theirs' })]
    await mine.post('/users', { json: { name: 'Ada' } })
    expect(await (await mine.get('/users')).json()).toEqual([{ name: 'Ada' }])
    expect(await (await theirs.get('/users')).json()).toEqual([])
    await app.close()
  })

  it('takes paths, URLs and Requests', async () => {
    const client = createClient(echoApp())
    const request = new Request('http://api.example/echo', {
      method: 'PUT',
      body: 'text',
      headers: { 'x-a': '1' },
    })
    for (const input of ['/echo', 'http://api.example/echo', new URL('http://api.example/echo')]) {
      expect(await readEcho(client.fetch(input))).toMatchObject({
        method: 'GET',
        url: '/echo',
        body: '',
      })
    }
    const { method, headers, body } = await readEcho(client.fetch(request))
    expect([method, body, headers['x-a'], headers['host']]).toEqual(['PUT', 'text', '1', 'api.example'])
  })

  it('sends query, JSON and headers by method name', async () => {
    const client = createClient(echoApp())
    const request = {
      query: { a: 'é&', n: 2, list: ['x', 'y'], none: undefined },
      json: { z: 1 },
      headers: { 'x-b': '2' },
    }
    for (const method of ['post', 'put', 'patch', 'delete'] as const) {
      const sent = await readEcho(client[method]('/echo?first=1', request))
      expect(sent).toMatchObject({
        method: method.toUpperCase(),
        body: '{"z":1}',
        headers: { 'x-b': '2', 'content-length': '7' },
      })
      expect(sent.url).toBe('/echo?first=1&a=%C3%A9%26&n=2&list=x&list=y')
      expect(sent.headers['content-type']).toBe('application/json')
    }
    expect(await readEcho(client.get('/echo'))).toMatchObject({ method: 'GET', url: '/echo' })
  })

  it.for([
    ['a form', new URLSearchParams({ a: 'b c' }), 'a=b+c'],
    ['bytes', new TextEncoder().encode('bytes'), 'bytes'],
    ['a blob', new Blob(['blob']), 'blob'],
    ['an empty text', '', ''],
  ] as const)('sends %s as fetch does', async ([_kind, body, text]) => {
    const sent = await readEcho(createClient(echoApp()).fetch('/echo', { method: 'POST', body }))
    expect(sent.body).toBe(text)
    expect(sent.headers['content-length']).toBe(String(text.length))
  })

  it('streams bodies in chunks', async () => {
    const body = new ReadableStream({
      start(controller) {
        for (const part of ['one ', 'two']) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    })
    const sent = await readEcho(createClient(echoApp()).fetch('/echo', { method: 'POST', body }))
    expect([sent.body, sent.headers['transfer-encoding']]).toEqual(['one two', 'chunked'])
  })

  it('gives the first part of an answer before the last is written', async () => {
    const app = Fastify()
    let finish = (): void => undefined
    app.get('/', (_request, reply) => {
      reply.hijack()
      reply.raw.write('first ')
      finish = () => reply.raw.end('last')
    })
    const response = await createClient(app).get('/')
    const reader = response.body!.getReader()
    expect(Buffer.from((await reader.read()).value ?? '').toString()).toBe('first ')
    finish()
    expect(Buffer.from((await reader.read()).value ?? '').toString()).toBe('last')
  })

  it.for([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ] as const)('has no body for %s with status %i', async ([method, status]) => {
    const app = Fastify()
    app.get('/', (_request, reply) => reply.code(status).send(status === 200 ? 'text' : undefined))
    const response = await createClient(app).fetch('/', { method })
    expect([response.status, response.body, await response.text()]).toEqual([status, null, ''])
  })

  it('keeps every cookie that is set', async () => {
    const app = Fastify()
    app.get('/', (_request, reply) =>
      reply.header('set-cookie', ['a=1', 'b=2; Path=/']).header('x-n', 7).send('x'),
    )
    const { headers } = await createClient(app).get('/')
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2; Path=/'])
    expect(headers.get('x-n')).toBe('7')
  })

  it('fails when the connection breaks, and when the caller aborts', async () => {
    const app = Fastify()
    app.get('/broken', (_request, reply) => {
      reply.hijack()
      reply.raw.destroy()
    })
    app.get('/slow', () => new Promise(() => undefined))
    const client = createClient(app)
    await expect(client.get('/broken')).rejects.toThrow('destroyed')
    const abort = new AbortController()
    const slow = client.fetch('/slow', { signal: abort.signal })
    abort.abort()
    await expect(slow).rejects.toThrow('aborted')
    await expect(client.fetch('/slow', { signal: abort.signal })).rejects.toThrow('aborted')
  })

  it('breaks off an answer that is aborted while it is read', async () => {
    const app = Fastify()
    app.get('/', (_request, reply) => {
      reply.hijack()
      reply.raw.write('first')
    })
    const abort = new AbortController()
    const response = await createClient(app).fetch('/', { signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(response.text()).rejects.toThrow('enough')
  })

  it('closes the app when it is closed or disposed of', async () => {
    for (const close of ['close', Symbol.asyncDispose] as const) {
      const app = Fastify()
      let closed = false
      app.addHook('onClose', async () => void (closed = true))
      await createClient(app)[close]()
      expect(closed).toBe(true)
    }
  })
})
