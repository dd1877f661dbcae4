import fc from 'fast-check'
import { symbols } from 'pino'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
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
  Object.assign(log, { [symbols.streamSym]: { write: (line: string) => lines.push(line) } })
  const child = log.child({ app: 'own' })
  const write = lineWriter(log, 'info')
  const writers = [write?.bind(undefined, {}), log.info.bind(log), child.info.bind(child)]
  fc.assert(
    fc.property(fields, text, fc.integer({ min: 0, max: 2 }), (given, message, index) => {
      const { level: _level, time: _time, msg: _msg, err: _err, app: _app, ...rest } = given
      writers[index]?.(rest, message)
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
