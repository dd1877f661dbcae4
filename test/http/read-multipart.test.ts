import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { MAX_BODY_BYTES } from '../../src/http/read-body.ts'
import { MAX_UPLOAD_BYTES, readParts, readFile } from '../../src/http/read-multipart.ts'
import { createHash } from 'node:crypto'

const TYPE = 'multipart/form-data; boundary=b'

function part(head: string, content: string | Buffer = 'x'): Buffer {
  return Buffer.concat([Buffer.from(`--b\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')])
}

function body(...parts: readonly Buffer[]): Readable {
  return Readable.from([...parts, Buffer.from('--b--\r\n')])
}

const named = 'Content-Disposition: form-data; name="n"'
const sha256 = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'

describe('the parts of a multipart body', () => {
  it.for([
    [named, { contentType: 'text/plain', content: 'x' }],
    [`${named}\r\nContent-Type: application/json`, { contentType: 'application/json', content: 'x' }],
    [
      `${named}; filename="dir/a.json"\r\nContent-Type: application/json`,
      {
        contentType: 'application/json',
        content: { contentType: 'application/json', filename: 'a.json', size: 1, sha256 },
      },
    ],
    [
      `${named}\r\nContent-Type: image/png`,
      { contentType: 'image/png', content: { contentType: 'image/png', size: 1, sha256 } },
    ],
  ] as const)('are, for %s, %j', async ([head, expected]) => {
    expect(await readParts(body(part(head)), TYPE)).toEqual([{ name: 'n', ...expected }])
  })

  it('are texts in their own charset', async () => {
    const head = `${named}\r\nContent-Type: text/plain; charset=iso-8859-1`
    expect(await readParts(body(part(head, Buffer.from('ö', 'latin1'))), TYPE)).toMatchObject([
      { content: 'ö' },
    ])
  })

  it('keep their order, files among texts', async () => {
    const file = part(`${named}; filename="f"`, 'y'.repeat(100_000))
    const parts = await readParts(body(part(named), file, part(named, 'z'), file), TYPE)
    expect(parts.map(({ content }) => (typeof content === 'string' ? content : content.size))).toEqual([
      'x',
      100_000,
      'z',
      100_000,
    ])
  })

  it('without a name are passed over', async () => {
    const file = 'Content-Disposition: form-data; filename="f"'
    expect(await readParts(body(part('Content-Disposition: form-data'), part(file)), TYPE)).toEqual([])
  })

  it('may be none', async () => {
    expect(await readParts(Readable.from([Buffer.from('--b--\r\n')]), TYPE)).toEqual([])
  })

  it('are refused where texts are over 1 MiB together', async () => {
    const half = part(named, 'x'.repeat(MAX_BODY_BYTES / 2 + 1))
    await expect(readParts(body(half, half), TYPE)).rejects.toMatchObject({ statusCode: 413 })
  })

  it('are refused where files are over their limit together, before they end', async () => {
    const chunk = Buffer.alloc(1024 * 1024)
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from(`--b\r\n${named}; filename="f"\r\n\r\n`)
      for (;;) yield chunk
    }
    const refused = readParts(Readable.from(endless()), TYPE)
    await expect(refused).rejects.toMatchObject({
      message: expect.stringContaining(String(MAX_UPLOAD_BYTES)),
    })
  })

  it.for([
    ['multipart/form-data', '--b--', 'Boundary not found'],
    [TYPE, 'nothing', 'Unexpected end'],
    [TYPE, `--b\r\n${named}\r\n\r\nx`, 'Unexpected end'],
    [TYPE, `--b\r\n${named}; filename="f"\r\n\r\nx`, ''],
  ] as const)('of %s are refused in %j', async ([type, text, why]) => {
    const refused = readParts(Readable.from([Buffer.from(text)]), type)
    await expect(refused).rejects.toMatchObject({
      issues: [{ type: 'multipart_invalid', loc: ['body'], msg: expect.stringContaining(why) }],
    })
  })

  it('are at most 1000', async () => {
    const parts = Array.from({ length: 1000 }, () => part(named))
    expect(await readParts(body(...parts), TYPE)).toHaveLength(1000)
    await expect(readParts(body(...parts, part(named)), TYPE)).rejects.toMatchObject({ statusCode: 422 })
  })
})

it('describes a file by its bytes', async () => {
  const chunks = [Buffer.from('ab'), Buffer.from('c')]
  const file = await readFile(Readable.from(chunks), { contentType: 'a/b', filename: 'f' })
  const sha256 = createHash('sha256').update('abc').digest('hex')
  expect(file).toEqual({ contentType: 'a/b', filename: 'f', size: 3, sha256 })
})

it('counts what several files may have together', async () => {
  const left = { bytes: 3 }
  await readFile(Readable.from([Buffer.from('ab')]), { contentType: 'a/b' }, left)
  expect(left.bytes).toBe(1)
  const refused = readFile(Readable.from([Buffer.from('ab')]), { contentType: 'a/b' }, left)
  await expect(refused).rejects.toMatchObject({ statusCode: 413 })
})
