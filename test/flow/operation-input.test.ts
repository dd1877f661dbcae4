import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { request } from 'undici'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RequestBody } from '../../src/engine/operation.ts'
import { MAX_BODY_BYTES } from '../../src/http/read-body.ts'
import { MAX_UPLOAD_BYTES } from '../../src/http/read-multipart.ts'
import { bodyOf, parameter } from '../openapi/serve/reading.ts'
import type { Served } from './kit.ts'
import { described, serveInput } from './operation-app.ts'
import { lastRequest, rawAnswerIfAny } from './raw-client.ts'

const Pet = {
  type: 'object',
  required: ['name'],
  properties: {
    id: { type: 'string', readOnly: true },
    name: { type: 'string', minLength: 1 },
    age: { type: 'integer', default: 3 },
    tags: { type: 'array', items: { type: 'string' } },
    photo: { type: 'string', format: 'binary' },
    owner: { type: 'object', properties: { name: { type: 'string' }, vip: { type: 'boolean' } } },
  },
}
const mediaTypes = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/xml',
  'text/*',
  'application/octet-stream',
]
const anyForm: RequestBody = {
  required: true,
  content: new Map(
    mediaTypes.map((type) => [
      type,
      { model: type === 'text/*' ? { type: 'string' } : type.endsWith('stream') ? {} : Pet, examples: [] },
    ]),
  ),
}

describe('a described operation', () => {
  let served: Served

  beforeAll(async () => {
    served = await serveInput([
      described('GET', '/pets/{petId}', {
        parameters: [
          parameter({ name: 'petId', in: 'path', model: { type: 'integer' } }),
          parameter({ name: 'limit', in: 'query', model: { type: 'integer', maximum: 100, default: 10 } }),
          parameter({ name: 'fields', in: 'query', explode: false, model: { type: 'array', items: {} } }),
          parameter({
            name: 'filter',
            in: 'query',
            style: 'deepObject',
            explode: true,
            model: {
              type: 'object',
              properties: { age: { type: 'object', properties: { gt: { type: 'integer' } } } },
            },
          }),
          parameter({ name: 'X-Tenant', in: 'header', required: true, model: { type: 'integer' } }),
          parameter({ name: 'sid', in: 'cookie', required: true }),
        ],
      }),
      described('POST', '/pets', { body: anyForm }),
      described('PUT', '/pets/{id}', {
        parameters: [parameter({ name: 'id', in: 'path' })],
        body: bodyOf('application/json', Pet, { required: false }),
      }),
      described('POST', '/notes', { body: bodyOf('text/plain', { type: 'integer' }) }),
    ])
  })

  async function send(path: string, options: Parameters<typeof request>[1] = {}) {
    const { statusCode, headers, body } = await request(`${served.url}${path}`, options)
    return { status: statusCode, headers, body: (await body.json()) as Record<string, unknown> }
  }
  async function post(type: string | undefined, body: string | Buffer) {
    return send('/pets', {
      method: 'POST',
      body,
      ...(type !== undefined && { headers: { 'content-type': type } }),
    })
  }

  it('reads parameters of every place into one input', async () => {
    const headers = { 'x-tenant': '7', cookie: 'a=b; sid=s%20t' }
    const search = 'limit=5&fields=a,b%2Cc&filter[age][gt]=3&unknown=1'
    expect((await send(`/pets/12?${search}`, { headers })).body).toEqual({
      petId: 12,
      limit: 5,
      fields: ['a', 'b,c'],
      filter: { age: { gt: 3 } },
      'X-Tenant': 7,
      sid: 's t',
    })
    expect((await send('/pets/12', { headers })).body).toMatchObject({ petId: 12, limit: 10 })
  })

  it('names each parameter that does not fit, in its place', async () => {
    const { status, body } = await send('/pets/x?limit=101&filter[age][gt]=many', {
      headers: { 'x-tenant': 'y' },
    })
    expect(status).toBe(422)
    const detail = body['detail'] as { type: string; loc: unknown }[]
    expect(detail.map(({ type, loc }) => [type, loc])).toEqual([
      ['missing', ['cookie', 'sid']],
      ['type_error', ['header', 'X-Tenant']],
      ['less_than_equal', ['query', 'limit']],
      ['type_error', ['query', 'filter', 'age', 'gt']],
      ['type_error', ['path', 'petId']],
    ])
  })

  const rex = { name: 'Rex', age: 4, tags: ['a', 'b'], owner: { name: 'Ö', vip: true } }
  const form = 'name=Rex&age=4&tags=a&tags=b&owner[name]=%C3%96&owner[vip]=true'
  const xml =
    '<pet><name>Rex</name><age>4</age><tags>a</tags><tags>b</tags><owner><name>&#214;</name><vip>true</vip></owner></pet>'

  it.for([
    ['application/json', JSON.stringify(rex)],
    ['APPLICATION/JSON ; Charset="utf-8"', JSON.stringify(rex)],
    ['application/json; charset=latin1', Buffer.from(JSON.stringify(rex), 'latin1')],
    ['application/json; charset=utf-16le', Buffer.from(JSON.stringify(rex), 'utf16le')],
    ['application/json', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(rex))])],
    [undefined, JSON.stringify(rex)],
    ['application/x-www-form-urlencoded', form],
    ['application/xml', xml],
    ['application/xml; charset=iso-8859-1', Buffer.from(xml.replace('&#214;', 'Ö'), 'latin1')],
    ['multipart/form-data; boundary=b', multipart({ ...rex, tags: 'a' }, ['tags', 'b'])],
  ] as const)('reads a body of %s', async ([type, body]) => {
    expect((await post(type, body)).body).toEqual(rex)
  })

  it.for([
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', Buffer.from],
  ] as const)('reads a body in the encoding %s', async ([encoding, encode]) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    const options = { method: 'POST', headers } as const
    expect((await send('/pets', { ...options, body: encode(JSON.stringify(rex)) })).body).toEqual(rex)
    const large = encode(JSON.stringify({ name: 'x'.repeat(MAX_BODY_BYTES) }))
    expect((await send('/pets', { ...options, body: large })).status).toBe(413)
    if (encoding === 'identity') return
    for (const body of [Buffer.from('no'), encode('{}').subarray(0, 3)]) {
      const answer = await send('/pets', { ...options, body })
      expect([answer.status, answer.body]).toMatchObject([422, { detail: [{ type: 'content_encoding' }] }])
    }
  })

  it('refuses an encoding that it does not know', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'zstd' }
    const answer = await send('/pets', { method: 'POST', headers, body: 'x' })
    expect([answer.status, answer.headers['accept-encoding']]).toEqual([415, 'gzip, deflate, br'])
  })

  it('reads what clients write of their own forms', async () => {
    const fields: readonly (readonly [string, string])[] = [
      ['name', 'Ré x&='],
      ['tags', 'a'],
      ['tags', 'b,c'],
    ]
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    form.append('photo', new Blob([Buffer.alloc(10)], { type: 'image/png' }), 'é.png')
    const bodies = [form, new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]))]
    const read = await Promise.all(
      bodies.map(async (body) => (await fetch(`${served.url}/pets`, { method: 'POST', body })).json()),
    )
    const pet = { name: 'Ré x&=', tags: ['a', 'b,c'], age: 3 }
    expect(read).toEqual([{ ...pet, photo: 'é.png' }, pet])
  })

  it('takes readOnly fields for not sent, and fills in defaults', async () => {
    const { status, body } = await post('application/json', JSON.stringify({ id: 7, name: 'Rex', extra: 1 }))
    expect([status, body]).toEqual([200, { name: 'Rex', age: 3 }])
  })

  it('lets the path win over the body', async () => {
    const payload = { method: 'PUT', body: '{"id":"other","name":"Rex"}' } as const
    expect((await send('/pets/9', payload)).body).toEqual({ id: '9', name: 'Rex', age: 3 })
    expect((await send('/pets/9', { method: 'PUT' })).body).toEqual({ id: '9' })
  })

  it('reads plain text by its model', async () => {
    const headers = { 'content-type': 'text/plain; charset=latin1' }
    expect((await send('/notes', { method: 'POST', body: '12', headers })).body).toEqual({ body: 12 })
    const { status, body } = await send('/notes', { method: 'POST', body: 'zwölf', headers })
    expect([status, body]).toMatchObject([422, { detail: [{ type: 'type_error', loc: ['body'] }] }])
    expect((await post('text/html', 'hi')).body).toEqual({ body: 'hi' })
  })

  it('does not interpret bytes', async () => {
    const { body } = await post('application/octet-stream', Buffer.from([0, 1, 2]))
    expect(body).toEqual({
      body: {
        contentType: 'application/octet-stream',
        size: 3,
        sha256: 'ae4b3280e56e2faf83f414a6e3dabe9d5fbe18976544c05fed121accb85b53fc',
      },
    })
  })

  it('refuses a content type that is not declared with 415, naming those that are', async () => {
    const { status, headers, body } = await post('image/png', 'x')
    expect([status, headers['accept']]).toEqual([415, mediaTypes.join(', ')])
    expect(body['detail']).toContain("'image/png'")
    for (const type of mediaTypes) expect(body['detail']).toContain(type)
    expect((await post('application/json; charset=klingon', '{}')).status).toBe(415)
  })

  it('requires a body that is declared so', async () => {
    const { status, body } = await send('/pets', { method: 'POST' })
    expect([status, body]).toMatchObject([422, { detail: [{ type: 'missing', loc: ['body'] }] }])
    expect((await post('application/json', '')).status).toBe(422)
    const empty = await post('application/x-www-form-urlencoded', '')
    expect(empty.body).toMatchObject({ detail: [{ type: 'missing', loc: ['body', 'name'] }] })
  })

  it.for([
    ['application/json', '{', 'json_invalid'],
    ['application/json', '{"__proto__": 1}', 'json_invalid'],
    ['application/json', '['.repeat(1000), 'json_invalid'],
    ['application/json', '{"name":""}', 'string_too_short'],
    ['application/xml', '<a><b></a>', 'xml_invalid'],
    ['application/xml', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'xml_invalid'],
    ['multipart/form-data', 'x', 'multipart_invalid'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
      'multipart_invalid',
    ],
  ] as const)('refuses %s of %j', async ([type, text, issue]) => {
    const { status, body } = await post(type, text)
    expect([status, body]).toMatchObject([422, { detail: [{ type: issue }] }])
  })

  it('refuses a body over 1 MiB with 413', async () => {
    const text = JSON.stringify({ name: 'x'.repeat(MAX_BODY_BYTES) })
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      expect((await post(type, text)).status).toBe(413)
    }
    expect((await post('multipart/form-data; boundary=b', multipart({ name: text }))).status).toBe(413)
  })

  it('answers on after a body it did not read to its end', async () => {
    const large = Buffer.alloc(20 * MAX_BODY_BYTES, 'x')
    for (let i = 0; i < 3; i++) {
      expect((await post('application/json', large)).status).toBe(413)
      expect((await post('application/json', '{"name":"Rex"}')).status).toBe(200)
      expect((await post('image/png', large)).status).toBe(415)
      const parts = Array.from({ length: 1001 }, (): [string, string] => ['a', 'b'])
      const malformed = multipart({}, ...parts, ['large', large.toString()])
      expect((await post('multipart/form-data; boundary=b', malformed)).status).toBe(422)
    }
  })

  it('takes files over 1 MiB, and keeps none of their bytes', async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nRex\r\n--b\r\n'
    const file =
      'Content-Disposition: form-data; name="photo"; filename="rex.png"\r\nContent-Type: image/png\r\n\r\n'
    const body = Buffer.concat([
      Buffer.from(head + file),
      Buffer.alloc(4 * MAX_BODY_BYTES),
      Buffer.from('\r\n--b--\r\n'),
    ])
    expect((await post('multipart/form-data; boundary=b', body)).body).toEqual({
      name: 'Rex',
      age: 3,
      photo: 'rex.png',
    })
  })

  it('refuses bytes over their limit with 413, before they are all there', async () => {
    const type = 'application/octet-stream'
    const headers = [`content-type: ${type}`, `content-length: ${2 * MAX_UPLOAD_BYTES}`]
    const chunk = Buffer.alloc(8 * MAX_BODY_BYTES)
    const count = Math.ceil(MAX_UPLOAD_BYTES / chunk.length) + 1
    const chunks = Array.from({ length: count }, () => chunk)
    const answer = await rawAnswerIfAny(served.port, lastRequest('POST /pets', 'x', ...headers), ...chunks)
    expect(answer).toContain('413')
  })
})

function multipart(
  fields: Readonly<Record<string, string | number | object>>,
  ...more: readonly (readonly [string, string])[]
): string {
  const parts = [...Object.entries(fields), ...more].map(([name, value]) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
  })
  return `${parts.join('')}--b--\r\n`
}
