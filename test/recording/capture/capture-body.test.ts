import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { captureBody } from '../../../src/recording/capture/capture-body.ts'

const text = Buffer.from('{"a":1}')
const gzipped = gzipSync(text)

it('decodes a body and keeps its size on the wire', async () => {
  const captured = await captureBody({ wireSize: gzipped.length, bytes: gzipped }, [
    ['Content-Encoding', 'gzip'],
  ])

  expect(captured).toEqual({ wireSize: gzipped.length, bytes: text, codings: 'gzip' })
})

it('passes a body in a file on', async () => {
  const taken = { wireSize: 40_000, sha256: 'a'.repeat(64) }

  expect(await captureBody(taken, [['content-encoding', 'gzip']])).toEqual(taken)
})

it.for([
  ['gzip', 'not valid gzip'],
  ['compress', "encoded as 'compress', which is not known"],
] as const)('leaves out JSON that is wrongly encoded as %s', async ([coding, problem]) => {
  const headers = [
    ['content-type', 'application/json'],
    ['content-encoding', coding],
  ] as const

  expect(await captureBody({ wireSize: 7, bytes: text }, headers)).toEqual({
    wireSize: 7,
    omitted: `${problem}, so it could not be checked for secrets`,
  })
})

it('leaves out what was too large to keep', async () => {
  expect(await captureBody({ wireSize: 9_000_000 }, [])).toEqual({
    wireSize: 9_000_000,
    omitted: 'larger than 8388608 bytes, so it could not be checked for secrets',
  })
})

it('keeps a binary body that cannot be decoded as it came', async () => {
  const headers = [
    ['content-type', 'image/png'],
    ['content-encoding', 'compress'],
  ] as const

  expect(await captureBody({ wireSize: 7, bytes: text }, headers)).toEqual({ wireSize: 7, bytes: text })
})
