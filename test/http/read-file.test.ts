import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readFile } from '../../src/http/read-file.ts'

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
