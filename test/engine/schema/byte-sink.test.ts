import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteSink } from '../../../src/engine/schema/byte-sink.ts'

const textOf = (sink: ByteSink): string => Buffer.from(sink.take(), 'latin1').toString()

describe('a byte sink', () => {
  it('writes any JSON value as JSON has it', () => {
    const sink = new ByteSink()
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        sink.value(value)
        expect(textOf(sink)).toBe(JSON.stringify(value))
      }),
    )
  })

  it('writes any text and any number as JSON has them', () => {
    const sink = new ByteSink()
    const number = fc.oneof(
      fc.integer(),
      fc.double(),
      fc.maxSafeInteger(),
      fc.constantFrom(-0, 2 ** 31, -(2 ** 31)),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), number, (text, value) => {
        sink.text(text)
        sink.number(value)
        expect(textOf(sink)).toBe(JSON.stringify(text) + JSON.stringify(value))
      }),
      { numRuns: 2000 },
    )
  })

  it('grows with what is written, and goes back to its first size afterwards', () => {
    const sink = new ByteSink()
    const first = sink.bytes.length
    const long = 'ä'.repeat(2_000_000)
    sink.text('x'.repeat(first))
    sink.text(long)
    expect(sink.bytes.length).toBeGreaterThan(4_000_000)
    expect(textOf(sink)).toBe(JSON.stringify('x'.repeat(first)) + JSON.stringify(long))
    expect(sink.bytes.length).toBe(first)
  })

  it('is empty after it was cleared', () => {
    const sink = new ByteSink()
    sink.plain('[1')
    sink.clear()
    sink.raw(Buffer.from('"a"'))
    sink.byte(0x2c)
    expect(textOf(sink)).toBe('"a",')
  })
})
