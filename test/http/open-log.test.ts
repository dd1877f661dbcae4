import fc from 'fast-check'
import { symbols } from 'pino'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { LineBuffer } from '../../src/http/line-buffer.ts'
import { lineWriter, openLog } from '../../src/http/open-log.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', 'a\nb', '\u001b[31m', 'é', '\u202e', '\ud800'),
)
const thousandths = fc.integer().map((value) => value / 1000)
const plain = fc.oneof(text, fc.double(), thousandths, fc.integer(), fc.boolean(), fc.constant(undefined))
const fields = fc.oneof(
  fc.dictionary(text, plain, { noNullPrototype: true }),
  fc.dictionary(text, fc.oneof(plain, fc.jsonValue()), { noNullPrototype: true }),
)

it('has any fields as one line of JSON, which a terminal may get', () => {
  const log = openLog({ format: 'json' })
  const lines: string[] = []
  const buffer = new LineBuffer((bytes) => lines.push(...bytes.toString().split(/(?<=\n)/)))
  Object.assign(log, { [symbols.streamSym]: buffer })
  const child = log.child({ app: 'own' })
  const write = lineWriter(log, 'info')
  const writers = [write?.bind(undefined, {}), log.info.bind(log), child.info.bind(child)]
  fc.assert(
    fc.property(fields, text, fc.integer({ min: 0, max: 2 }), (given, message, index) => {
      const { level: _level, time: _time, msg: _msg, err: _err, app: _app, ...rest } = given
      writers[index]?.(rest, message)
      buffer.flush()
      const [line = '', ...more] = lines.splice(0)
      expect(more).toEqual([])
      expect(line).toMatch(/^[^\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]*\n$/u)
      // JSON is YAML, and JSON.parse of Node 24 takes some names with escapes for others.
      const { time, ...read } = parse(line) as Record<string, unknown>
      expect(Date.now() - Number(time)).toBeLessThan(60_000)
      const whole = { level: 'info', ...(index === 2 && { app: 'own' }), ...rest, msg: message }
      expect(read).toEqual(parse(JSON.stringify(whole)))
    }),
    { numRuns: 500 },
  )
})

it('keeps the order of lines of any length, and each whole', () => {
  const pieces: Buffer[] = []
  const buffer = new LineBuffer((bytes) => pieces.push(bytes))
  const expected: string[] = []
  const parts = {
    start: Buffer.from('{"é":1'),
    fields: Buffer.from(`,"f":"${'x'.repeat(500)}"`),
    end: Buffer.from('}\n'),
  }
  for (let index = 0; index < 1_000; index++) {
    const long = `${'é'.repeat((index * 997) % (index % 100 === 0 ? 300_000 : 3_000))}\n`
    buffer.write(long)
    const isWritten = buffer.writeFields(parts, { index, tenth: index / 8, text: 'y'.repeat(index % 130) })
    expect(isWritten).toBe(index % 130 <= 128)
    expected.push(long)
    if (isWritten)
      expected.push(
        `${parts.start.toString()}${parts.fields.toString()},"index":${index},"tenth":${index / 8},"text":"${'y'.repeat(index % 130)}"}\n`,
      )
  }
  buffer.flush()
  expect(Buffer.concat(pieces).equals(Buffer.from(expected.join('')))).toBe(true)
  expect(pieces.every((piece) => piece.at(-1) === 10)).toBe(true)
})
