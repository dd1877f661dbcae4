import { expect, it } from 'vitest'
import { addChunk } from '../src/message.ts'

it('puts small chunks together, and leaves large ones as they are', () => {
  const chunks: Buffer[] = []
  const sent = Buffer.from(Array.from({ length: 20_000 }, (_, at) => at % 251))
  for (const byte of sent) addChunk(chunks, Buffer.from([byte]))
  expect(chunks.length).toBeLessThan(600)
  expect(Buffer.concat(chunks)).toEqual(sent)
  const large = Buffer.alloc(5000, 1)
  for (let at = 0; at < 600; at++) addChunk(chunks, large)
  expect(chunks.filter((chunk) => chunk === large)).toHaveLength(600)
  expect(Buffer.concat(chunks).subarray(0, sent.length)).toEqual(sent)
})
