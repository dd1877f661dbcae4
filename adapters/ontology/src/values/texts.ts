import type { Kind } from './kind.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/

const text = (name: string): Kind => ({
  expected: `${name}: text`,
  accepts: (value) => typeof value === 'string',
  comparable: String,
  parse: (given) => given,
  isKey: true,
  isText: true,
})

/** A day of the calendar: February has no 30th. */
export const isDate = (value: unknown): value is string =>
  typeof value === 'string' &&
  DATE.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value)

export const isTimestamp = (value: unknown): value is string =>
  typeof value === 'string' &&
  TIMESTAMP.test(value) &&
  isDate(value.slice(0, 10)) &&
  !Number.isNaN(Date.parse(value))

const inUtc = (value: unknown): string =>
  String(value).endsWith('Z') ? String(value) : new Date(String(value)).toISOString()

/** The kinds that travel as text, and `boolean`. */
export const TEXTS: Readonly<
  Record<'string' | 'marking' | 'cipherText' | 'boolean' | 'date' | 'timestamp', Kind>
> = {
  string: text('string'),
  marking: text('marking'),
  cipherText: text('cipherText'),
  boolean: {
    expected: 'boolean: true or false',
    accepts: (value) => typeof value === 'boolean',
    comparable: Number,
    parse: (given) => (given === 'true' ? true : given === 'false' ? false : undefined),
  },
  date: {
    expected: 'date: a day such as 2026-01-31',
    accepts: isDate,
    comparable: String,
    parse: (given) => (isDate(given) ? given : undefined),
    isKey: true,
    isInstant: true,
  },
  timestamp: {
    expected: 'timestamp: an instant such as 2026-01-31T12:00:00Z',
    accepts: isTimestamp,
    comparable: (value) => Date.parse(String(value)),
    parse: (given) => (isTimestamp(given) ? inUtc(given) : undefined),
    encode: inUtc,
    isKey: true,
    isInstant: true,
  },
}
