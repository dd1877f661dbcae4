import { PassThrough } from 'node:stream'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rewriteBody } from '../../src/http/rewrite-body.ts'
import { createUrlMap } from '../../src/http/url-map.ts'

const map = createUrlMap([{ from: 'http://up:8000', to: 'http://gate.local:1' }])
const TEXT = '<a href="http://up:8000/ä">“http://up:8000”</a> http://up:80001'
const REWRITTEN = '<a href="http://gate.local:1/ä">“http://gate.local:1”</a> http://up:80001'

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le')
const big = (text: string): Buffer => wide(text).swap16()

async function rewritten(pieces: readonly Buffer[], headers: readonly string[]): Promise<Buffer | undefined> {
  const output = new PassThrough()
  const input = rewriteBody({ status: 200, headers: [...headers] }, { headers: {} }, map)?.open?.(output)
  if (input === undefined) return undefined
  for (const piece of pieces) input.write(piece)
  input.end()
  return Buffer.concat(await output.toArray())
}

describe('a body', () => {
  it.for([
    ['text/html', Buffer.from, Buffer.from],
    [
      'text/html; charset=iso-8859-1',
      (text: string) => Buffer.from(text, 'latin1'),
      (text: string) => Buffer.from(text, 'latin1'),
    ],
    ['application/xml; charset=UTF-16', wide, wide],
    ['application/xml; charset=utf-16be', big, big],
    ['text/plain', (text: string) => wide(`\ufeff${text}`), (text: string) => wide(`\ufeff${text}`)],
    ['text/plain', (text: string) => big(`\ufeff${text}`), (text: string) => big(`\ufeff${text}`)],
  ] as const)('of type %s is rewritten, in whatever pieces it comes', async ([type, encode, expected]) => {
    const bytes = encode(TEXT)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 }), async (lengths) => {
        let at = 0
        const pieces = lengths.map((length) => bytes.subarray(at, (at += length)))
        const whole = await rewritten([...pieces, bytes.subarray(at)], ['content-type', type])
        expect(whole).toEqual(expected(REWRITTEN))
      }),
      { numRuns: 40 },
    )
  })

  it.for([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['BR', brotliCompressSync],
    ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
    // No compression, as RFC 8878, section 3.1.1 has it: a frame of one raw block.
    ['zstd', (text: string) => zstdRaw(Buffer.from(text))],
  ] as const)('with the coding %s is given without it', async ([coding, encode]) => {
    const headers = ['Content-Type', 'text/html', 'Content-Encoding', coding]
    expect((await rewritten([encode(TEXT)], headers))?.toString()).toBe(REWRITTEN)
  })

  it.for([
    ['text/html', 'x-unknown'],
    ['image/png', 'identity'],
    ['application/octet-stream', 'identity'],
  ])('of type %s with the coding %s is left alone', async ([type = '', coding = '']) => {
    expect(
      await rewritten([Buffer.from(TEXT)], ['content-type', type, 'content-encoding', coding]),
    ).toBeUndefined()
  })

  it('that is not what its coding says breaks off', async () => {
    const output = new PassThrough().on('error', () => undefined)
    const headers = ['content-type', 'text/html', 'content-encoding', 'gzip']
    rewriteBody({ status: 200, headers }, { headers: {} }, map)?.open?.(output).end('not gzip')
    await new Promise((resolve) => output.once('close', resolve))
    expect(output.readableEnded).toBe(false)
  })
})

function zstdRaw(bytes: Buffer): Buffer {
  const header = (bytes.length << 3) | 1
  const block = Buffer.from([header & 0xff, (header >> 8) & 0xff, (header >> 16) & 0xff])
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, bytes.length]), block, bytes])
}
