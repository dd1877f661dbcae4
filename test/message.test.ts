import { expect, it } from 'vitest'
import { joinSmall, MANY_CHUNKS } from '../src/message.ts'

function add(chunks: Buffer[], chunk: Buffer): void {
  if (chunks.push(chunk) % MANY_CHUNKS === 0) joinSmall(chunks)
}

it('puts small chunks together, and leaves large ones as they are', () => {
  const chunks: Buffer[] = []
  const sent = Buffer.from(Array.from({ length: 20_000 }, (_, at) => at % 251))
  for (const byte of sent) add(chunks, Buffer.from([byte]))
  expect(chunks.length).toBeLessThan(600)
  expect(Buffer.concat(chunks)).toEqual(sent)
  const large = Buffer.alloc(5000, 1)
  for (let at = 0; at < 600; at++) add(chunks, large)
  expect(chunks.filter((chunk) => chunk === large)).toHaveLength(600)
  expect(Buffer.concat(chunks).subarray(0, sent.length)).toEqual(sent)
})
