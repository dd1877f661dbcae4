import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { FromInput } from '../../src/engine/links/from-input.ts'
import { list } from '../../src/engine/schema/list.ts'
import { fetchFrom, post, serve } from './kit.ts'
import { rawAnswer } from './raw-client.ts'

const REQUESTS = 2000
const BATCH = 100

const Input = Type.Object({
  name: Type.String({ minLength: 2, maxLength: 20 }),
  age: Type.Integer({ minimum: 0, maximum: 150 }),
  tags: Type.Array(Type.String(), { maxItems: 3 }),
})
const User = Type.Object({ id: Type.Integer(), name: Type.String(FromInput('name')) })

async function start() {
  const api = new SimAPI({ seed: 1, stateful: true })
  api.get('/search', {
    input: Type.Object({ n: Type.Integer({ minimum: 1, maximum: 9 }) }),
    output: list(User),
  })
  api.post('/users', { input: Input, output: User }).get('/users/{id}', { output: User })
  api.put('/users/{id}', { input: Input, output: User }).patch('/users/{id}', { input: Input, output: User })
  return serve(api.asWebApp())
}

const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    '%00',
    '%ff',
    '%',
    '..%2f..%2f',
    '\ud800',
    '1e999',
    '-0',
    'NaN',
  ),
)
const wrongValue = fc.oneof(
  ...[null, [], {}, 1e308, -1, true, 'x'.repeat(100_000)].map((value) => fc.constant(value)),
)
// Each has at least one field that cannot be, so that none of them is a good request by chance.
const wrongObject = fc
  .record({
    name: wrongValue,
    age: fc.oneof(wrongValue, hostileText),
    tags: fc.oneof(wrongValue, hostileText),
  })
  .map((body) => JSON.stringify({ ...body, name: 1 }))
const polluting = fc.constantFrom(
  '{"__proto__":{"polluted":1},"name":"ab","age":1,"tags":[]}',
  '{"name":"ab","age":1,"tags":[],"constructor":{"prototype":{"polluted":1}}}',
  '{"name":"ab","age":1,"tags":[{"__proto__":{"polluted":1}}]}',
)
const nested = fc
  .tuple(fc.integer({ min: 201, max: 50_000 }), fc.constantFrom('[', '{"a":'))
  .map(([depth, open]) => open.repeat(depth) + (open === '[' ? ']' : '}').repeat(depth))
const notJson = fc.oneof(
  hostileText.map((text) => `{${text}`),
  fc.constantFrom(
    '{"name":',
    "{'name':'ab'}",
    '{"name":"ab"}}',
    '\ufeff{}',
    '{"a":1,}',
    '[1',
    'undefined',
    '"',
    '\u0000',
  ),
  fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => `[${String.fromCharCode(...bytes)}`),
)
const encodings = fc.constantFrom(
  'utf-16',
  'gzip',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  '\u00e9',
  'application/xml',
)

const badBody = fc.record({
  method: fc.constantFrom('POST' as const, 'PUT' as const, 'PATCH' as const),
  body: fc.oneof(wrongObject, polluting, nested, notJson),
  type: fc.oneof(
    { weight: 9, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: encodings },
  ),
})
const badQuery = hostileText
  .map((text) => encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/g, 'x')))
  .filter((text) => !/^[1-9]$/.test(decodeURIComponent(text).trim()))
const badTarget = fc.oneof(
  badQuery.map((text) => `/search?n=${text}`),
  fc.constantFrom(
    '/search',
    '/search?n=%',
    '/search?n=1&n=99',
    '/search?n[a]=1',
    '/search?__proto__=1',
    '/search?n=99999999999999999999',
  ),
  fc.constantFrom(
    '/users/%',
    '/users/%ff',
    '/users/__proto__',
    '/users/constructor',
    '/users/..%2f..%2fetc',
    `/users/${'9'.repeat(5000)}`,
  ),
  fc.constantFrom('/nowhere', '//', '/%2e%2e/', '/users//', '/users/1/2', '/\u00e9'),
)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

describe('malformed requests', () => {
  it(`get only 4xx with a JSON body, ${REQUESTS} of them, and leave nothing behind`, async () => {
    const { url } = await start()
    // As bytes from the start: a text that is written out only when it is sent would look like a leak.
    const bodies = fc
      .sample(badBody, { numRuns: REQUESTS / 2, seed: 1 })
      .map(({ body, ...others }) => ({ ...others, body: Buffer.from(body) }))
    const targets = fc.sample(badTarget, { numRuns: REQUESTS / 2, seed: 1 })
    const sent = new Map<number, number>()

    const send = async (path: string, init: RequestInit): Promise<void> => {
      const response = await fetch(url + path, init)
      const answer: unknown = await response.json()
      const what = `${init.method ?? 'GET'} ${path}: ${response.status} ${JSON.stringify(answer).slice(0, 200)}`
      expect(what).toMatch(/: 4\d\d \{.*"detail":/s)
      sent.set(response.status, (sent.get(response.status) ?? 0) + 1)
    }
    const bodyRequests = bodies.map(({ method, body, type }) => () => {
      const init = {
        method,
        body,
        headers: { 'content-type': Buffer.from(type).toString('latin1') },
      }
      return send(method === 'POST' ? '/users' : '/users/1', init)
    })
    const work = [...bodyRequests, ...targets.map((path) => () => send(path, {}))]
    const memoryAfter: number[] = []
    for (let start = 0; start < work.length; start += BATCH) {
      await Promise.all(work.slice(start, start + BATCH).map((request) => request()))
      // Garbage that was not collected yet is not a leak.
      collectGarbage()
      memoryAfter.push(process.memoryUsage().heapUsed)
    }

    expect([...sent.values()].reduce((sum, count) => sum + count, 0)).toBe(REQUESTS)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    // Garbage comes and goes; what the last tenth holds beyond the first tenth's peak would be a leak.
    const [early, late] = [Math.max(...memoryAfter.slice(0, 5)), Math.min(...memoryAfter.slice(-5))]
    expect(late - early).toBeLessThan(16 * 1024 * 1024)
    expect((await fetchFrom(`${url}/search?n=3`)).status).toBe(200)
  })

  it('get 413 for a body over the limit', async () => {
    const { url } = await start()
    const { status, body } = await post(`${url}/users`, { name: 'x'.repeat(1024 * 1024 + 1) })
    expect([status, body]).toEqual([413, expect.objectContaining({ error: 'BodyTooLarge' })])
  })

  it.for<[what: string, text: string, status?: number]>([
    ['a line that cannot be a request line', 'HELLO\r\n\r\n'],
    // RFC 9110, section 15.6.6: a major version that is not spoken has a status of its own.
    ['a version that is not spoken', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n', 505],
    ['a header without a name', 'GET / HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n'],
    ['two lengths', 'POST /users HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}'],
    ['a bad chunk', 'POST /users HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
  ])('get a refusal and a closed connection for %s', async ([, text, status = 400]) => {
    const { port } = await start()
    expect(await rawAnswer(port, text)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })
})
