import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import type { FileOptions } from '../../src/engine/file-option.ts'
import type { Method } from '../../src/engine/route.ts'

const PARTS = { in: '/store?uploads', key: '{id}' }
const ROUTES: Readonly<Record<string, FileOptions>> = {
  'PUT /files/{path*}': { action: 'put', keeps: ['x-meta-*'], types: { css: 'text/css' } },
  'GET /files/{path*}': { action: 'get' },
  'DELETE /files/{path*}': { action: 'delete' },
  'GET /files': { action: 'list', list: { prefix: '{prefix}', max: '{max}', after: ['{after}'] } },
  'POST /copies/{name}': { action: 'put', in: '/files', from: '{header.source}' },
  'PUT /once/{name}': { action: 'put', replaces: false },
  'PUT /checked/{digest}': { action: 'put', verify: [{ given: '{digest}', is: 'sha256:{sha256}' }] },
  'POST /uploads': { action: 'begin' },
  'PATCH /uploads/{id}': { action: 'append', verify: [{ given: '{header.offset}', is: '{offset}' }] },
  'HEAD /uploads/{id}': { action: 'status' },
  'GET /uploads/{id}': { action: 'get' },
  'DELETE /uploads/{id}': { action: 'abort' },
  'POST /store/{name}': { action: 'begin', upload: { in: PARTS.in } },
  'PUT /store/{name}/{id}/{number}': { action: 'part', in: '/store', key: '{number}', upload: PARTS },
  'PUT /store/{name}/{id}': {
    ...{ action: 'complete', in: '/store', key: '{name}', upload: PARTS },
    etag: '"{parts.md5}-{parts.count}"',
  },
  'GET /store/{name}': { action: 'get' },
}

let app: ReturnType<SimAPI['asWebApp']>
beforeEach(() => {
  const api = new SimAPI({ seed: 1 })
  for (const [key, file] of Object.entries(ROUTES)) {
    const [method, path = ''] = key.split(' ')
    api.route(method as Method, path, { file })
  }
  app = api.asWebApp()
})
afterEach(() => app.close())

type Response = Awaited<ReturnType<typeof app.inject>>
type Sent = [
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  headers?: Record<string, string>,
  payload?: Buffer | string,
]

async function ask(...[method, url, headers = {}, payload]: Sent): Promise<Response> {
  return app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
}

const BYTES = Buffer.from([0, 255, 10, 13, 128, 7])
const md5 = (bytes: Buffer | string): string => createHash('md5').update(bytes).digest('hex')
const ETAG = `"${md5(BYTES)}"`
const BINARY = { 'content-type': 'application/x-own', 'x-meta-owner': 'ada', 'x-other': 'no' }

describe('stored files', () => {
  beforeEach(async () => void (await ask('PUT', '/files/a/b.bin', BINARY, BYTES)))

  it('are given as they were sent, with their type and the headers that are kept', async () => {
    const { statusCode, headers, rawPayload } = await ask('GET', '/files/a/b.bin')
    expect([statusCode, rawPayload]).toEqual([200, BYTES])
    expect(headers).toMatchObject({
      ...{ 'content-type': 'application/x-own', 'content-length': '6', etag: ETAG },
      'x-meta-owner': 'ada',
    })
    expect(headers).not.toHaveProperty('x-other')
  })

  it.for<[string, ...Sent, number, object]>([
    ['a HEAD', 'HEAD', '/files/a/b.bin', {}, '', 200, { 'content-length': '6' }],
    ['what has not changed', 'GET', '/files/a/b.bin', { 'if-none-match': ETAG }, '', 304, { etag: ETAG }],
    ['what is not as it was', 'GET', '/files/a/b.bin', { 'if-match': '"x"' }, '', 412, {}],
    ['a part', 'GET', '/files/a/b.bin', { range: 'bytes=1-2' }, '', 206, { 'content-range': 'bytes 1-2/6' }],
    [
      'no such part',
      'GET',
      '/files/a/b.bin',
      { range: 'bytes=6-' },
      '',
      416,
      { 'content-range': 'bytes */6' },
    ],
    ['what is not there', 'GET', '/files/none', {}, '', 404, {}],
    ['one that is there already', 'PUT', '/files/a/b.bin', { 'if-none-match': '*' }, 'x', 412, {}],
    ['a deletion of nothing', 'DELETE', '/files/none', {}, '', 404, {}],
    ['a copy of nothing', 'POST', '/copies/c', { source: '/files/none' }, '', 404, {}],
    ['another than was announced', 'PUT', '/checked/sha256:00', {}, 'x', 400, {}],
  ])('answer a request for %s', async ([, method, url, headers, payload, status, wanted]) => {
    const answer = await ask(method, url, headers, payload === '' ? undefined : payload)
    expect([answer.statusCode, answer.headers]).toMatchObject([status, wanted])
  })

  it('are replaced, copied and deleted', async () => {
    expect((await ask('POST', '/copies/c', { source: '/files/a/b.bin' })).statusCode).toBe(201)
    expect((await ask('PUT', '/files/a/b.bin', {}, 'new')).statusCode).toBe(204)
    expect((await ask('GET', '/files/a/b.bin')).body).toBe('new')
    expect((await ask('DELETE', '/files/a/b.bin')).statusCode).toBe(204)
    expect((await ask('GET', '/files/a/b.bin')).statusCode).toBe(404)
    expect((await ask('GET', '/files/c')).rawPayload).toEqual(BYTES)
  })

  it('have a type by the ending of their names, and are kept where they may not be replaced', async () => {
    await ask('PUT', '/files/x.css', {}, 'p {}')
    expect((await ask('GET', '/files/x.css')).headers['content-type']).toBe('text/css')
    await ask('PUT', '/once/a', {}, 'one')
    expect((await ask('PUT', '/once/a', {}, 'two')).statusCode).toBe(409)
  })

  it('are listed in the order of their names, by prefix and in pages', async () => {
    for (const name of ['b', 'a/c', 'a/a']) await ask('PUT', `/files/${name}`, {}, name)
    const names = async (query: string): Promise<unknown> =>
      (await ask('GET', `/files${query}`)).json<{ name: string }[]>().map(({ name }) => name)
    expect(await names('')).toEqual(['a/a', 'a/b.bin', 'a/c', 'b'])
    expect(await names('?prefix=a/&max=2')).toEqual(['a/a', 'a/b.bin'])
    expect(await names('?prefix=a/&max=2&after=a/b.bin')).toEqual(['a/c'])
  })

  it('are those of a session', async () => {
    expect((await ask('GET', '/files/a/b.bin', { 'x-sim-session': 'other' })).statusCode).toBe(404)
  })
})

describe('uploads in parts', () => {
  it('grow at their end, where the client knows it, and are what was sent', async () => {
    const { headers } = await ask('POST', '/uploads', {}, '')
    const url = String(headers.location)
    expect((await ask('PATCH', url, { offset: '0' }, 'abc')).headers['upload-offset']).toBe('3')
    expect((await ask('PATCH', url, { offset: '0' }, 'abc')).statusCode).toBe(400)
    await ask('PATCH', url, { offset: '3' }, BYTES)
    expect((await ask('HEAD', url)).headers['upload-offset']).toBe('9')
    expect((await ask('GET', url)).rawPayload).toEqual(Buffer.concat([Buffer.from('abc'), BYTES]))
    expect((await ask('DELETE', url)).statusCode).toBe(204)
    expect((await ask('PATCH', url, {}, 'x')).statusCode).toBe(404)
  })

  it('are joined by their numbers', async () => {
    const url = String((await ask('POST', '/store/big')).headers.location)
    expect((await ask('PUT', `${url}/10`, {}, 'end')).headers.etag).toBe(`"${md5('end')}"`)
    await ask('PUT', `${url}/2`, {}, 'begin ')
    expect((await ask('GET', '/store/big')).statusCode).toBe(404)
    const sums = Buffer.from(md5('begin ') + md5('end'), 'hex')
    expect((await ask('PUT', url)).headers.etag).toBe(`"${md5(sums)}-2"`)
    expect((await ask('GET', '/store/big')).body).toBe('begin end')
    expect((await ask('PUT', url)).statusCode).toBe(404)
  })
})

it('says what is wrong with its options', () => {
  const declare = (file: unknown) => () => new SimAPI().put('/a/{b}', { file: file as FileOptions })
  expect(declare({ action: 'store' })).toThrow(/PUT \/a\/\{b\}.*file/)
  expect(declare('put')).toThrow(/options of files, such as/)
})
