import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { CONTENT_CODINGS } from '../../src/http/content-codings.ts'

const zstd = CONTENT_CODINGS.get('zstd')
if (zstd === undefined) throw new Error('There is no zstd')

const BLOCK = 128 * 1024
const LIMITS = { maxOutputLength: 1024 * 1024, isPartial: false }
/** The head of a frame with a window of this logarithm (RFC 8878, section 3.1.1.1). */
const head = (windowLog: number): Buffer => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3])
/** Blocks of one byte, repeated `size` times or as it is. */
function blocks(count: number, size: number, type = 1): Buffer {
  const all = Buffer.alloc(count * 4, 'a')
  for (let at = 0; at < count; at++)
    all.writeUIntLE(size * 8 + type * 2 + (at + 1 < count ? 0 : 1), at * 4, 3)
  return all
}
const SKIPPED = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9])

it('gives no more of a bomb than is read', async () => {
  const decoder = await zstd.createDecoder()
  decoder.end(Buffer.concat([head(20), blocks(400, BLOCK)]))
  for (let turn = 0; turn < 50; turn++) await setImmediate()
  expect(decoder.readableLength).toBeGreaterThan(0)
  expect(decoder.readableLength).toBeLessThan(4 * BLOCK)
  let size = 0
  for await (const piece of decoder) size += (piece as Buffer).length
  expect(size).toBe(400 * BLOCK)
})

it('looks at the window of each frame', async () => {
  const small = Buffer.concat([head(10), blocks(1, 5)])
  const single = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 1])
  for (const large of [head(24), single]) {
    const bytes = Buffer.concat([small, SKIPPED, large, blocks(1, 5)])
    await expect(zstd.decode(bytes, LIMITS)).rejects.toThrow('window is too large')
  }
  const both = Buffer.concat([small, SKIPPED, head(23), blocks(2, 3)])
  expect(String(await zstd.decode(both, LIMITS))).toBe('a'.repeat(11))
  await expect(zstd.decode(both.subarray(0, -1), LIMITS)).rejects.toThrow('unexpected EOF')
})

it('reads what comes byte by byte', async () => {
  const decoder = await zstd.createDecoder()
  for (const byte of Buffer.concat([head(10), blocks(3, 1, 0), SKIPPED, head(10), blocks(2, 40)]))
    decoder.write(Buffer.from([byte]))
  decoder.end()
  let text = ''
  for await (const piece of decoder) text += String(piece)
  expect(text).toBe('a'.repeat(83))
})

it('holds up nobody, however large the window of its many small blocks', async () => {
  const seen: string[] = []
  const held = zstd.decode(Buffer.concat([head(23), blocks(2000, 1, 0)]), LIMITS).then((bytes) => {
    seen.push('decoded')
    return bytes
  })
  for (let turn = 0; turn < 5; turn++) await setImmediate()
  expect(seen).toEqual([])
  expect(String(await held)).toBe('a'.repeat(2000))
})
