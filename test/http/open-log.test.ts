import fc from 'fast-check'
import { symbols } from 'pino'
import { expect, it } from 'vitest'
import { openLog } from '../../src/http/open-log.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', 'a\nb', '\u001b[31m', 'é', '\u202e', '\ud800'),
)
const plain = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(undefined))
const fields = fc.oneof(
  fc.dictionary(text, plain, { noNullPrototype: true }),
  fc.dictionary(text, fc.oneof(plain, fc.jsonValue()), { noNullPrototype: true }),
)

it('has any fields as one line of JSON, which a terminal may get', () => {
  const log = openLog({ format: 'json' })
  const lines: string[] = []
  Object.assign(log, { [symbols.streamSym]: { write: (line: string) => lines.push(line) } })
  const child = log.child({ app: 'own' })
  fc.assert(
    fc.property(fields, text, fc.boolean(), (given, message, isChild) => {
      const { level: _level, time: _time, msg: _msg, err: _err, app: _app, ...rest } = given
      ;(isChild ? child : log).info(rest, message)
      const [line = '', ...more] = lines.splice(0)
      expect(more).toEqual([])
      expect(line).toMatch(/^[^\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]*\n$/u)
      const { time, ...read } = JSON.parse(line) as Record<string, unknown>
      expect(Date.now() - Number(time)).toBeLessThan(60_000)
      const whole = { level: 'info', ...(isChild && { app: 'own' }), ...rest, msg: message }
      expect(read).toEqual(JSON.parse(JSON.stringify(whole)))
    }),
    { numRuns: 500 },
  )
})
