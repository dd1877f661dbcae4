import { describe, expect, it } from 'vitest'
import { WorkspaceMockContext } from '../../src/mock.ts'
import { ask } from '../client.ts'

const fixture = { version: 1 }

/** A multipart body as the Python client's HTTP library writes it. */
function multipart(fields: Readonly<Record<string, string>>, file: Readonly<Record<string, Buffer>>) {
  const boundary = '0123456789abcdef0123456789abcdef'
  const parts = [
    ...Object.entries(fields).map(([name, value]) => [`name="${name}"`, Buffer.from(value)] as const),
    ...Object.entries(file).map(([name, bytes]) => [`name="${name}"; filename="${name}"`, bytes] as const),
  ].map(([disposition, bytes]) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    ]),
  )
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  return { method: 'POST', headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body }
}

describe('DBFS, requested over a socket as other clients do', () => {
  it('takes a block of 1 MiB, whose request has 1,398,129 bytes', async () => {
    await using mock = await WorkspaceMockContext.start({ fixture })
    const send = (path: string, body: unknown): Promise<Response> =>
      fetch(`${mock.baseUrl}/api/2.0/dbfs/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
    const { handle } = (await (await send('create', { path: '/block', overwrite: true })).json()) as {
      handle: number
    }
    const data = Buffer.alloc(1024 * 1024, 'z').toString('base64')
    const text = `{"data": "${data}", "handle": ${handle}}`
    const padded = text.padEnd(1_398_129)

    const response = await send('add-block', padded)

    expect(Buffer.byteLength(padded)).toBe(1_398_129)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({})
  })

  it('takes a file of several megabytes by a multipart put, byte for byte', async () => {
    await using mock = await WorkspaceMockContext.start({ fixture })
    const bytes = Buffer.from(Array.from({ length: 3 * 1024 * 1024 }, (_, index) => (index * 7) % 256))

    const response = await fetch(
      `${mock.baseUrl}/api/2.0/dbfs/put`,
      multipart({ path: '/up/load.bin', overwrite: 'true' }, { contents: bytes }),
    )

    expect(response.status).toBe(200)
    expect((await ask(mock, 'GET', '/api/2.0/dbfs/get-status?path=/up/load.bin')).body).toMatchObject({
      file_size: bytes.length,
    })
    const offset = 2 * 1024 * 1024
    const { body } = await ask(
      mock,
      'GET',
      `/api/2.0/dbfs/read?path=%2Fup%2Fload.bin&offset=${offset}&length=1048576`,
    )
    expect(Buffer.from((body as { data: string }).data, 'base64').equals(bytes.subarray(offset))).toBe(true)
  })

  it('asks a multipart put for a path', async () => {
    using mock = new WorkspaceMockContext({ fixture })
    const response = await mock.fetch('/api/2.0/dbfs/put', multipart({}, { contents: Buffer.from('x') }))
    expect(await response.json()).toEqual({
      error_code: 'INVALID_PARAMETER_VALUE',
      message: 'Missing required field: path',
    })
  })

  it.for([
    { why: 'a body cut off', type: 'multipart/form-data; boundary=abc', body: '--abc\r\nContent-Dispo' },
    { why: 'no boundary', type: 'multipart/form-data', body: 'x' },
    { why: 'text that is not base64', type: 'application/json', body: '{"path":"/a","contents":"%%%"}' },
    { why: 'contents that are not a text', type: 'application/json', body: '{"path":"/a","contents":5}' },
    { why: 'a list for a body', type: 'application/json', body: '[]' },
  ])('refuses $why as malformed', async ({ type, body }) => {
    using mock = new WorkspaceMockContext({ fixture })
    const response = await mock.fetch('/api/2.0/dbfs/put', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error_code: 'MALFORMED_REQUEST' })
  })

  it.for(['relative', '', '/a/../b', '/./a', `/${'a'.repeat(5000)}`])('refuses the path %j', async (path) => {
    using mock = new WorkspaceMockContext({ fixture })
    const { status, body } = await ask(mock, 'POST', '/api/2.0/dbfs/mkdirs', { path })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error_code: 'INVALID_PARAMETER_VALUE' })
  })

  it('keeps names apart that other stores would run together', async () => {
    using mock = new WorkspaceMockContext({ fixture })
    const names = ['__proto__', 'constructor', 'A', 'a', 'ä', 'a\u0308', '%2F', ' ', '日本']
    for (const name of names)
      await ask(mock, 'POST', '/api/2.0/dbfs/put', {
        path: `/d/${name}`,
        contents: Buffer.from(name).toString('base64'),
      })
    const { body } = await ask(mock, 'GET', '/api/2.0/dbfs/list?path=/d')
    expect((body as { files: { path: string }[] }).files.map(({ path }) => path.slice('/d/'.length))).toEqual(
      names.toSorted((a, b) => (a < b ? -1 : 1)),
    )
  })

  it('goes on with open streams after a snapshot', async () => {
    using mock = new WorkspaceMockContext({ fixture })
    const post = (name: string, body: object) => ask(mock, 'POST', `/api/2.0/dbfs/${name}`, body)
    const { handle } = (await post('create', { path: '/a' })).body as { handle: number }
    await post('add-block', { handle, data: 'b25l' })

    const snapshot = JSON.parse(JSON.stringify(mock.adapter.snapshot())) as never
    await post('delete', { path: '/a' })
    mock.adapter.restore(snapshot)
    await post('add-block', { handle, data: 'dHdv' })

    expect((await post('create', { path: '/b' })).body).toEqual({ handle: handle + 1 })
    expect((await ask(mock, 'GET', '/api/2.0/dbfs/read?path=/a')).body).toEqual({
      bytes_read: 6,
      data: 'b25ldHdv',
    })
  })

  it.for([
    { why: 'one path twice', dbfs: [{ path: '/a' }, { path: '//a/' }] },
    { why: 'a file below a file', dbfs: [{ path: '/a' }, { path: '/a/b' }] },
    { why: 'a path with ..', dbfs: [{ path: '/a/../b' }] },
    { why: 'the root', dbfs: [{ path: '/', directory: true }] },
    { why: 'text and base64', dbfs: [{ path: '/a', text: '', base64: '' }] },
    { why: 'a directory that holds text', dbfs: [{ path: '/a', directory: true, text: 'x' }] },
    { why: 'base64 that is none', dbfs: [{ path: '/a', base64: '%' }] },
  ])('is not begun by a fixture with $why', ({ dbfs }) => {
    expect(() => new WorkspaceMockContext({ fixture: { version: 1, dbfs } }).state).toThrow(/dbfs/)
  })
})
