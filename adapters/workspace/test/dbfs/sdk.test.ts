import { describe } from 'vitest'
import { all, clientTest, failureOf, refusal } from '../client.ts'

const fixture = { version: 1, dbfs: [{ path: '/data/a.txt', text: 'alpha' }] }
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64')

const it = clientTest({ fixture })

describe('DBFS, used by the real client', () => {
  it('writes a file block by block, and reads it part by part', async ({ client: { dbfs }, expect }) => {
    const { handle } = await dbfs.create({ path: '/new/deep/file.bin' })
    await dbfs.addBlock({ handle: handle as number, data: base64('first ') })
    await dbfs.addBlock({ handle: handle as number, data: base64('second') })
    await dbfs.close({ handle: handle as number })

    expect(await dbfs.read({ path: '/new/deep/file.bin' })).toEqual({
      bytes_read: 12,
      data: base64('first second'),
    })
    expect(await dbfs.read({ path: '/new/deep/file.bin', offset: 6, length: 3 })).toEqual({
      bytes_read: 3,
      data: base64('sec'),
    })
    expect(await dbfs.read({ path: '/new/deep/file.bin', offset: 100 })).toEqual({ bytes_read: 0, data: '' })
    expect(await failureOf(dbfs.addBlock({ handle: handle as number, data: '' }))).toEqual(
      refusal(404, 'RESOURCE_DOES_NOT_EXIST', `No stream is open by handle ${handle}.`),
    )
  })

  it('puts, lists, moves and deletes files and directories', async ({ client: { dbfs }, expect }) => {
    const now = Date.parse('2026-01-01T00:00:00Z')

    await dbfs.put({ path: '/data/z.txt', contents: base64('omega') })
    await dbfs.mkdirs({ path: '/data/inner' })
    expect(await all(dbfs.list({ path: 'dbfs:/data/' }))).toEqual([
      { path: '/data/a.txt', is_dir: false, file_size: 5, modification_time: now },
      { path: '/data/inner', is_dir: true, file_size: 0, modification_time: now },
      { path: '/data/z.txt', is_dir: false, file_size: 5, modification_time: now },
    ])
    expect(await all(dbfs.list({ path: '/data/a.txt' }))).toHaveLength(1)
    expect(await all(dbfs.list({ path: '/data/inner' }))).toEqual([])

    await dbfs.move({ source_path: '/data', destination_path: '/moved/data' })
    expect(await dbfs.getStatus({ path: '/moved/data/z.txt' })).toMatchObject({ is_dir: false, file_size: 5 })
    expect(await failureOf(dbfs.getStatus({ path: '/data' }))).toEqual(
      refusal(404, 'RESOURCE_DOES_NOT_EXIST', 'No file or directory exists on path /data.'),
    )

    expect(await failureOf(dbfs.delete({ path: '/moved' }))).toMatchObject({
      errorCode: 'IO_ERROR',
      statusCode: 400,
    })
    await dbfs.delete({ path: '/moved', recursive: true })
    await dbfs.delete({ path: '/moved' })
    expect(await all(dbfs.list({ path: '/' }))).toEqual([])
  })

  it('overwrites only on request, and never a directory', async ({ client: { dbfs }, expect }) => {
    const taken = (path: string) =>
      refusal(
        400,
        'RESOURCE_ALREADY_EXISTS',
        `A file or directory already exists at the input path dbfs:${path}.`,
      )

    expect(await failureOf(dbfs.create({ path: '/data/a.txt' }))).toEqual(taken('/data/a.txt'))
    expect(await failureOf(dbfs.put({ path: '/data/a.txt', contents: '' }))).toEqual(taken('/data/a.txt'))
    expect(await failureOf(dbfs.put({ path: '/data', contents: '', overwrite: true }))).toEqual(
      taken('/data'),
    )
    expect(await failureOf(dbfs.put({ path: '/data/a.txt/b', contents: '' }))).toEqual(taken('/data/a.txt'))
    expect(await failureOf(dbfs.mkdirs({ path: '/data/a.txt/b' }))).toEqual(taken('/data/a.txt'))
    expect(
      await failureOf(dbfs.move({ source_path: '/data', destination_path: '/data/a.txt' })),
    ).toMatchObject({ errorCode: 'INVALID_PARAMETER_VALUE' })

    await dbfs.put({ path: '/data/a.txt', contents: base64('beta'), overwrite: true })
    expect(await dbfs.read({ path: '/data/a.txt' })).toEqual({ bytes_read: 4, data: base64('beta') })
  })

  it('refuses reads and blocks that are too large, and takes those that just fit', async ({
    client: { dbfs },
    expect,
  }) => {
    const mebibyte = 1024 * 1024
    const full = base64(Buffer.alloc(mebibyte, 7))

    const { handle } = await dbfs.create({ path: '/big' })
    await dbfs.addBlock({ handle: handle as number, data: full })
    expect(await dbfs.getStatus({ path: '/big' })).toMatchObject({ file_size: mebibyte })
    expect((await dbfs.read({ path: '/big' })).bytes_read).toBe(mebibyte / 2)
    expect((await dbfs.read({ path: '/big', length: mebibyte })).bytes_read).toBe(mebibyte)

    const tooBig = base64(Buffer.alloc(mebibyte + 1))
    expect(await failureOf(dbfs.addBlock({ handle: handle as number, data: tooBig }))).toMatchObject({
      errorCode: 'MAX_BLOCK_SIZE_EXCEEDED',
      statusCode: 400,
    })
    expect(await failureOf(dbfs.put({ path: '/other', contents: tooBig }))).toMatchObject({
      errorCode: 'MAX_BLOCK_SIZE_EXCEEDED',
    })
    expect(await failureOf(dbfs.read({ path: '/big', length: mebibyte + 1 }))).toMatchObject({
      errorCode: 'MAX_READ_SIZE_EXCEEDED',
      statusCode: 400,
    })
    for (const request of [{ path: '/big', offset: -1 }, { path: '/big', length: -1 }, { path: '/data' }])
      expect(await failureOf(dbfs.read(request))).toMatchObject({ errorCode: 'INVALID_PARAMETER_VALUE' })
  })

  it('closes a stream that was idle for ten minutes, and one whose file is gone', async ({
    mock,
    client: { dbfs },
    expect,
  }) => {
    const open = async (path: string): Promise<number> => (await dbfs.create({ path })).handle as number
    const [idle, used, orphan] = [await open('/idle'), await open('/used'), await open('/orphan')]

    mock.adapter.clock.advance(10 * 60_000)
    await dbfs.addBlock({ handle: used, data: base64('x') })
    mock.adapter.clock.advance(1)
    await dbfs.addBlock({ handle: used, data: base64('y') })
    await dbfs.delete({ path: '/orphan' })

    for (const handle of [idle, orphan, 4711])
      expect(await failureOf(dbfs.close({ handle }))).toMatchObject({ errorCode: 'RESOURCE_DOES_NOT_EXIST' })
    expect(await dbfs.getStatus({ path: '/used' })).toMatchObject({
      file_size: 2,
      modification_time: Date.parse('2026-01-01T00:10:00.001Z'),
    })
  })
})
