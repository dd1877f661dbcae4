import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { SimAPI } from '../../../../src/api.ts'
import { fixturesFrom } from '../../../../src/loaders/fixtures/from-recording.ts'
import { loadApi } from '../../../../src/loaders/load-target.ts'
import { type Parts, writeRecording } from '../../samples.ts'

const OCI = 'application/vnd.oci.image.manifest.v1+json'
const sha = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

interface Sent {
  readonly type?: string
  readonly accept?: string
  readonly body?: string
}

/** An exchange with a registry of images. */
function exchange(
  request: string,
  { type, accept, body }: Sent,
  status: number,
  responseBody?: string,
  headers: Readonly<Record<string, string>> = {},
): Parts {
  const [method = '', path = ''] = request.split(' ')
  const sent = {
    ...(type !== undefined && { 'content-type': type }),
    ...(accept !== undefined && { accept }),
  }
  const given = {
    ...(responseBody?.startsWith('{') === true && { 'content-type': 'application/json' }),
    ...headers,
  }
  return {
    ...{ method, url: `http://registry.test${path}`, status },
    requestHeaders: Object.entries(sent),
    responseHeaders: Object.entries(given),
    ...(body !== undefined && { requestBody: body }),
    ...(responseBody !== undefined && { responseBody }),
  }
}

const [ONE, TWO] = ['{"layers":[1]}', '{"layers":[2]}']
const put = (repository: string, tag: string, body: string): Parts =>
  exchange(`PUT /v2/${repository}/manifests/${tag}`, { type: OCI, body }, 201, undefined, {
    'docker-content-digest': sha(body),
  })
const refused = (code: string, detail?: object): string => JSON.stringify({ errors: [{ code, detail }] })
const begun = (id: string): Parts =>
  exchange('POST /v2/a/b/blobs/uploads/', {}, 202, undefined, {
    'docker-upload-uuid': id,
    location: `/v2/a/b/blobs/uploads/${id}`,
  })

const RECORDED = [
  begun('6d6a2f9e-0c5e-4a6b-8d26-0a3b1c0b7a11'),
  exchange('DELETE /v2/a/b/blobs/uploads/6d6a2f9e-0c5e-4a6b-8d26-0a3b1c0b7a11', {}, 204),
  begun('1b3c7d5e-9f1a-4b2c-8d3e-4f5a6b7c8d9e'),
  put('a/b', '1.0', ONE),
  put('a/b', 'next', TWO),
  put('tools', 'next', TWO),
  exchange('GET /v2/a/b/manifests/1.0', { accept: OCI }, 200, ONE, { 'content-type': OCI }),
  exchange('GET /v2/a/b/manifests/next', { accept: `${OCI};q=0.5, */*` }, 200, TWO, { 'content-type': OCI }),
  exchange('GET /v2/a/b/manifests/1.0', { accept: '*/*' }, 404, refused('MANIFEST_UNKNOWN', { Tag: '1.0' })),
  exchange('GET /v2/a/b/manifests/none', { accept: OCI }, 404, refused('MANIFEST_UNKNOWN', { Tag: 'none' })),
  exchange(
    `GET /v2/a/b/manifests/${sha('x')}`,
    { accept: OCI },
    404,
    refused('MANIFEST_UNKNOWN', { Revision: sha('x') }),
  ),
  exchange('PUT /v2/a/b/manifests/bad', { type: OCI, body: '{"layers' }, 400, refused('MANIFEST_INVALID')),
  exchange('GET /v2/a/b/tags/list?n=1', {}, 200, '{"name":"a/b","tags":["1.0","next"]}'),
  exchange('GET /v2/_catalog?n=1', {}, 200, '{"repositories":["a/b"]}', {
    link: '</v2/_catalog?last=a%2Fb&n=1>; rel="next"',
  }),
  exchange('GET /v2/_catalog', {}, 200, '{"repositories":["a/b","tools"]}'),
  exchange('DELETE /v2/a/b/manifests/1.0', {}, 405, refused('UNSUPPORTED')),
  exchange(`DELETE /v2/a/b/manifests/${sha(ONE)}`, {}, 202),
]

let directory: string
let app: ReturnType<SimAPI['asWebApp']>
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sim-files-'))
  const recording = await writeRecording(join(directory, 'recorded'), ...RECORDED)
  await fixturesFrom(recording, directory)
  const { api } = await loadApi(join(directory, 'routes.yaml'), 'served')
  app = api.asWebApp()
  const headers = { 'content-type': OCI }
  for (const [path, payload] of [
    ['x/y/z', '[3]'],
    ['x/y/z', '[4]'],
    ['z', '[3]'],
  ] as const)
    await app.inject({ method: 'PUT', url: `/v2/${path}/manifests/v${payload[1]}`, headers, payload })
})
afterAll(async () => {
  await app.close()
  await rm(directory, { recursive: true, force: true })
})

it.for([
  ['takes a type that is accepted by its name', 'GET /v2/x/y/z/manifests/v3', { accept: OCI }, 200, '[3]'],
  ['takes no other', 'GET /v2/x/y/z/manifests/v3', { accept: '*/*' }, 404, '"Tag":"v3"'],
  ['says of tags what it said of them', 'GET /v2/x/y/z/manifests/v9', { accept: OCI }, 404, '"Tag":"v9"'],
  ['and of digests', `GET /v2/x/y/z/manifests/${sha('9')}`, { accept: OCI }, 404, `"Revision":"${sha('9')}"`],
  [
    'refuses what is not JSON',
    'PUT /v2/x/y/z/manifests/v5',
    { type: OCI, body: '{"n":' },
    400,
    'MANIFEST_INVALID',
  ],
  ['does not heed what was not', 'GET /v2/x/y/z/tags/list?n=1', {}, 200, '["v3","v4"]'],
  ['refuses to delete tags', 'DELETE /v2/x/y/z/manifests/v3', {}, 405, 'UNSUPPORTED'],
  ['deletes digests', `DELETE /v2/x/y/z/manifests/${sha('[4]')}`, {}, 202, ''],
] as const)('a registry %s', async ([, request, given, status, text]) => {
  const { type, accept, body }: Sent = given
  const [method, url] = request.split(' ') as ['GET' | 'PUT' | 'DELETE', string]
  const headers = {
    ...(type !== undefined && { 'content-type': type }),
    ...(accept !== undefined && { accept }),
  }
  const answer = await app.inject({ method, url, headers, ...(body !== undefined && { payload: body }) })
  expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(text)])
})

it('gives a header where there is what it says', async () => {
  const page = (query: string) => app.inject(`/v2/_catalog?${query}`).then(({ headers }) => headers['link'])
  expect(await page('n=1')).toBe('</v2/_catalog?last=x%2Fy%2Fz&n=1>; rel="next"')
  expect(await page('n=9')).toBeUndefined()
})

it('gives each upload an id of its own', async () => {
  const begin = async (): Promise<string> =>
    String((await app.inject({ method: 'POST', url: '/v2/x/y/z/blobs/uploads/' })).headers['location'])
  const first = await begin()
  expect(first).toMatch(/^\/v2\/x\/y\/z\/blobs\/uploads\/[\da-f-]{36}$/)
  expect((await app.inject({ method: 'DELETE', url: first })).statusCode).toBe(204)
  expect(await begin()).not.toBe(first)
})

it('knows buckets that were there before, by URLs that are signed anew for each request', async () => {
  const signed = (key: string, at: number): string =>
    `/photos/${key}?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20261120T10000${at}Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=${String(at).repeat(64)}`
  const type = 'text/plain'
  const etag = (body: string): string => `"${createHash('md5').update(body).digest('hex')}"`
  const missing = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>None</Message></Error>'
  const give = (key: string, body: string, at: number): Parts[] => [
    exchange(`PUT ${signed(key, at)}`, { type, body }, 200, undefined, { etag: etag(body) }),
    exchange(`GET ${signed(key, at + 1)}`, {}, 200, body, { etag: etag(body), 'content-type': type }),
  ]
  const recorded = [
    exchange(`GET ${signed('none', 0)}`, {}, 404, missing, { 'content-type': 'application/xml' }),
    ...give('a.txt', 'one', 1),
    ...give('b.txt', 'two', 3),
  ]
  const own = await mkdtemp(join(tmpdir(), 'sim-files-'))
  onTestFinished(() => rm(own, { recursive: true, force: true }))
  const { proof } = await fixturesFrom(await writeRecording(join(own, 'recorded'), ...recorded), own)
  expect(proof.map(({ asRecorded }) => asRecorded)).toEqual([0, 0])
  const { api } = await loadApi(join(own, 'routes.yaml'), 'served')
  const served = api.asWebApp()
  onTestFinished(() => served.close())
  const put = (bucket: string) =>
    served.inject({ method: 'PUT', url: `/${bucket}/c.txt`, headers: { 'content-type': type }, payload: '3' })
  expect((await put('photos')).statusCode).toBe(200)
  expect((await served.inject(signed('c.txt', 9))).body).toBe('3')
  expect((await put('others')).statusCode).toBe(404)
})
