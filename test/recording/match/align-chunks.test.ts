import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { alignChunks } from '../../../src/recording/match/align-chunks.ts'

const HIDDEN = 'redacted-0123456789abcdef'

function align(before: string, after: string, sizes: readonly number[]): number[] {
  const chunks = sizes.map((bytes, time) => ({ time, bytes }))
  return alignChunks(Buffer.from(before), Buffer.from(after), chunks).map(({ bytes }) => bytes)
}

it('moves the ends of chunks by what was hidden before them', () => {
  expect(align('a=secret&b=1', `a=${HIDDEN}&b=1`, [8, 4])).toEqual([2 + HIDDEN.length, 4])
  expect(align('a=1&b=secret', `a=1&b=${HIDDEN}`, [4, 8])).toEqual([4, 2 + HIDDEN.length])
})

it('leaves a pseudonym in one chunk where its secret came in two', () => {
  expect(align('a=secret&b=1', `a=${HIDDEN}&b=1`, [4, 8])).toEqual([2 + HIDDEN.length, 4])
})

it('goes by length where the text was written anew', () => {
  expect(align('{"a":"x\\/y"}', `{"b":"${HIDDEN}"}`, [6, 6])).toEqual([17, 16])
})

it('gives every byte to a chunk, in the order of time', () => {
  const piece = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(null))
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.integer({ min: 1, max: 20 })), (pieces, sizes) => {
      const before = Buffer.from(pieces.map((text) => text ?? 'secret').join(''))
      const after = Buffer.from(pieces.map((text) => text ?? HIDDEN).join(''))
      let left = before.length
      const chunks = sizes.flatMap((size, time) => {
        const bytes = Math.min(size, left)
        left -= bytes
        return bytes === 0 ? [] : [{ time, bytes }]
      })
      if (left > 0) chunks.push({ time: sizes.length, bytes: left })
      const aligned = alignChunks(before, after, chunks)
      const sum = aligned.reduce((total, { bytes }) => total + bytes, 0)
      expect(sum).toBe(chunks.length === 0 ? 0 : after.length)
      expect(aligned.every(({ bytes }) => bytes > 0)).toBe(true)
    }),
  )
})
