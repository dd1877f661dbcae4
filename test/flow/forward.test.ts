import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import Type from 'typebox'
import { request } from 'undici'
import { beforeAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { FromInput } from '../../src/engine/links/from-input.ts'
import { list } from '../../src/engine/schema/list.ts'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import { collect, pseudonymOf } from '../recording/samples.ts'
import { fetchFrom, openFolder, send, startGateway, type Served } from './kit.ts'
import { startRestUpstream, type RestUpstream } from './rest-upstream.ts'

const User = Type.Object({ name: Type.String(FromInput('name')), email: Type.String({ format: 'email' }) })

describe('a gateway in front of a REST server', () => {
  let upstream: RestUpstream
  let gateway: Served
  let url: string
  const directory = openFolder().path

  beforeAll(async () => {
    upstream = await startRestUpstream()
    const api = new SimAPI({ seed: 42 })
    api.get('/users', { input: Type.Object({ name: Type.String() }), output: list(User), listCount: 2 })
    gateway = await startGateway({ engine: api.engine(), upstream: upstream.url, record: directory })
    url = gateway.url
  })

  it('answers a declared route from the engine', async () => {
    const { status, body } = await fetchFrom(`${url}/users?name=Ada`)
    expect(status).toBe(200)
    const users: { name: string; email: string }[] = body
    expect(users.map(({ name }) => name)).toEqual(['Ada', 'Ada'])
    expect(users[0]?.email).not.toBe(users[1]?.email)
    expect(upstream.requests).not.toContain('GET /users?name=Ada')
  })

  it('forwards an undeclared route', async () => {
    const { status, body } = await fetchFrom(`${url}/posts/7`)
    expect([status, body]).toEqual([200, { id: 7, title: 'Post number 7' }])
  })

  it('passes a 304 for a known ETag', async () => {
    const etag = (await fetchFrom(`${url}/posts/3`)).headers.get('etag')
    expect(etag).toEqual(expect.any(String))
    const second = await request(`${url}/posts/3`, { headers: { 'if-none-match': String(etag) } })
    expect([second.statusCode, second.headers['etag'], await second.body.text()]).toEqual([304, etag, ''])
  })

  it('passes a gzip body as it is', async () => {
    const { headers, body } = await request(`${url}/posts`, { headers: { 'accept-encoding': 'gzip' } })
    expect(headers['content-encoding']).toBe('gzip')
    const posts: unknown = JSON.parse(gunzipSync(Buffer.from(await body.arrayBuffer())).toString())
    expect(posts).toHaveLength(40)
  })

  it('passes 10 MiB of noise unchanged', async () => {
    const { body } = await request(`${url}/noise.bin`)
    expect(sha256(Buffer.from(await body.arrayBuffer()))).toBe(sha256(upstream.noise))
  })

  it('passes HEAD with its headers and without a body', async () => {
    const { status, headers, text } = await send('HEAD', `${url}/noise.bin`)
    expect([status, headers.get('content-length'), text]).toEqual([200, '10485760', ''])
  })

  it('passes a streamed request body', async () => {
    const { statusCode, body } = await request(`${url}/comments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Readable.from(['{"text":', '"one by one"', '}']),
    })
    expect([statusCode, await body.json()]).toEqual([201, { id: 1, text: 'one by one' }])
  })

  it('passes the upstream’s own 404', async () => {
    const { status, body } = await fetchFrom(`${url}/nowhere`)
    expect([status, body]).toEqual([404, {}])
  })

  it('has recorded exactly the forwarded exchanges, secrets redacted', async () => {
    const authorization = 'Bearer planted-secret'
    await fetchFrom(`${url}/posts/9?access_token=planted-secret`, { authorization })
    await gateway.app.close()

    const exchanges = await collect(readExchanges(directory))
    const named = exchanges.map(({ request: sent }) => `${sent.method} ${sent.url.replace(upstream.url, '')}`)
    const pseudonym = await pseudonymOf('planted-secret')
    const reached = upstream.requests.map((line) => line.replace('planted-secret', pseudonym))
    expect(named.map(decodeURIComponent).toSorted()).toEqual([...reached].toSorted())
    expect(JSON.stringify(exchanges)).not.toContain('planted-secret')

    const noise = exchanges.find(
      ({ request: sent }) => sent.method === 'GET' && sent.url.endsWith('noise.bin'),
    )
    expect(noise?.response.content).toMatchObject({
      _bodySha256: sha256(upstream.noise),
      size: upstream.noise.length,
    })
    const posts = exchanges.find(({ request: sent }) => sent.url.endsWith('/posts'))
    expect(JSON.parse(posts?.response.content.text ?? '')).toHaveLength(40)
  })
})

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
