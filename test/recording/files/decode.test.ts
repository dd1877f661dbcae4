import * as zlib from 'node:zlib'
import { expect, it } from 'vitest'
import { CHECKED_BYTES, decode, decodeChunks } from '../../../src/recording/files/decode.ts'

const text = Buffer.from('hello '.repeat(100))

it.for([
  ['gzip', zlib.gzipSync(text)],
  ['X-GZip', zlib.gzipSync(text)],
  ['deflate', zlib.deflateSync(text)],
  ['deflate', zlib.deflateRawSync(text)],
  ['br', zlib.brotliCompressSync(text)],
  ['deflate, gzip', zlib.gzipSync(zlib.deflateSync(text))],
] as const)('takes %s off', async ([coding, bytes]) => {
  expect(await decode(bytes, coding)).toEqual({ bytes: text, codings: coding.toLowerCase() })
})

// `{"a":1,"text":"xxx…"}` with 300 letters, as the command zstd writes it; Node 20 can only read it.
const ZSTD = Buffer.from('KLUv/QRYzQAAkHsiYSI6MSwidGV4dCI6IngifQEAUFSwBLjS8Mk=', 'base64')
const LONG = Buffer.from(JSON.stringify({ a: 1, text: 'x'.repeat(300) }))

it('takes zstd off, at once and as it comes', async () => {
  expect(await decode(ZSTD, 'zstd')).toEqual({ bytes: LONG, codings: 'zstd' })
  const chunks = [
    { time: 1, bytes: 20 },
    { time: 2, bytes: ZSTD.length - 20 },
  ]
  const decoded = await decodeChunks(ZSTD, 'zstd', chunks)
  expect(decoded.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(LONG.length)
})

it('refuses zstd that would take much memory', async () => {
  const large = Buffer.from(ZSTD)
  // The window that the frame says it needs (RFC 8878, section 3.1.1.1.2): 2 TiB.
  large[5] = 0xf8
  expect(await decode(large, 'zstd')).toEqual({ problem: 'not valid zstd' })
})

it.for(['', 'identity', ' , ', 'none', 'UTF-8', 'binary, identity'])(
  'leaves bytes encoded as %j as they are',
  async (coding) => {
    expect(await decode(text, coding)).toEqual({ bytes: text, codings: undefined })
  },
)

it('leaves an empty body as it is, whatever its coding', async () => {
  expect(await decode(Buffer.alloc(0), 'gzip')).toEqual({ bytes: Buffer.alloc(0), codings: undefined })
})

it.for([
  ['gzip', text, 'not valid gzip'],
  ['gzip', zlib.gzipSync(text).subarray(0, 20), 'not valid gzip'],
  ['deflate', Buffer.from([0xff]), 'not valid deflate'],
  ['zstd', text, 'not valid zstd'],
  ['zstd', ZSTD.subarray(0, 30), 'not valid zstd'],
  ['compress', text, "encoded as 'compress', which is not known"],
  ['gzip, gzip, gzip, gzip, gzip', text, 'encoded 5 times'],
] as const)('says what is wrong with %s', async ([coding, bytes, problem]) => {
  expect(await decode(bytes, coding)).toEqual({ problem })
})

it('stops a decompression bomb at the limit', async () => {
  const bomb = zlib.gzipSync(Buffer.alloc(CHECKED_BYTES + 1))

  expect(await decode(bomb, 'gzip')).toEqual({ problem: 'larger than 8388608 bytes', isTooLarge: true })
})

it.for([
  ['gzip', () => zlib.createGzip()],
  ['deflate', () => zlib.createDeflateRaw()],
  ['br', () => zlib.createBrotliCompress()],
] as const)(
  'reports what of a body in %s could be read when, and reads one without its end',
  async ([coding, create]) => {
    const stream = create()
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    const arrived: { time: number; bytes: number }[] = []
    for (const [time, words] of ['first ', 'and second'].entries()) {
      stream.write(words)
      await new Promise<void>((flushed) => stream.flush(flushed))
      const before = arrived.reduce((sum, { bytes }) => sum + bytes, 0)
      arrived.push({ time, bytes: Buffer.concat(pieces).length - before })
    }
    const cut = Buffer.concat(pieces)

    expect(await decode(cut, coding)).toHaveProperty('problem')
    expect(await decode(cut, coding, true)).toMatchObject({ bytes: Buffer.from('first and second') })
    expect(await decodeChunks(cut, coding, arrived)).toEqual([
      { time: 0, bytes: 6 },
      { time: 1, bytes: 10 },
    ])
  },
)
