import { PLACES } from './places.ts'
import { type Comparable, type DataType, isRecord, type Kind, type TypeName } from './value.ts'

const WHOLE = /^-?\d+$/
const DECIMAL = /^-?\d+(\.\d+)?$/
const SCALE = 30

const ranged = (name: string, bits: number): Kind => {
  const limit = 2 ** (bits - 1)
  return {
    expected: `${name}: a whole number from ${-limit} to ${limit - 1}`,
    accepts: (value) => Number.isInteger(value) && Number(value) >= -limit && Number(value) < limit,
    comparable: Number,
    parse: (text) => (WHOLE.test(text) ? Number(text) : undefined),
    isKey: true,
    isNumber: true,
  }
}

const fraction = (name: string): Kind => ({
  expected: `${name}: a number`,
  accepts: (value) => typeof value === 'number' && Number.isFinite(value),
  comparable: Number,
  parse: (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text)),
  isKey: true,
  isNumber: true,
})

const isLong = (value: unknown): boolean =>
  Number.isSafeInteger(value) ||
  (typeof value === 'string' && WHOLE.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value))

/** A decimal's digits as a whole number of fixed scale, so that all its digits count when compared. */
const scaled = (value: unknown): bigint => {
  const [whole = '0', part = ''] = String(value).split('.')
  return BigInt(`${whole}${part.slice(0, SCALE).padEnd(SCALE, '0')}`)
}

const isDecimal = (value: unknown): boolean =>
  typeof value === 'number' ? DECIMAL.test(String(value)) : typeof value === 'string' && DECIMAL.test(value)

/** The kinds of numbers. Those that a JSON number cannot hold travel as text. */
const NUMBERS = {
  integer: ranged('integer', 32),
  short: ranged('short', 16),
  byte: ranged('byte', 8),
  float: fraction('float'),
  double: fraction('double'),
  long: {
    expected: 'long: a whole number of 64 bits; as text where it is above 2^53',
    accepts: isLong,
    comparable: (value) => BigInt(value as string | number),
    parse: (text) => (isLong(text) ? BigInt(text).toString() : undefined),
    encode: (value) => BigInt(value as string | number).toString(),
    isKey: true,
    isNumber: true,
  },
  decimal: {
    expected: 'decimal: a number, or its digits as text',
    accepts: isDecimal,
    comparable: scaled,
    parse: (text) => (isDecimal(text) ? text : undefined),
    encode: String,
    isNumber: true,
  },
} satisfies Readonly<Record<string, Kind>>

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
const isDate = (value: unknown): value is string =>
  typeof value === 'string' &&
  DATE.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value)

const isTimestamp = (value: unknown): value is string =>
  typeof value === 'string' &&
  TIMESTAMP.test(value) &&
  isDate(value.slice(0, 10)) &&
  !Number.isNaN(Date.parse(value))

const inUtc = (value: unknown): string =>
  String(value).endsWith('Z') ? String(value) : new Date(String(value)).toISOString()

/** The kinds that travel as text, and `boolean`. */
const TEXTS = {
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
} satisfies Readonly<Record<string, Kind>>

const hasText = (value: unknown, key: string): boolean =>
  isRecord(value) && typeof value[key] === 'string' && value[key] !== ''

const isVector = (value: unknown, { dimension }: DataType): boolean =>
  Array.isArray(value) &&
  (dimension === undefined || value.length === dimension) &&
  value.every((part) => typeof part === 'number')

/** The kinds whose values are references to something kept elsewhere, and vectors. */
const REFERENCES = {
  attachment: { expected: 'attachment: an object with a `rid`', accepts: (value) => hasText(value, 'rid') },
  mediaReference: { expected: 'mediaReference: an object', accepts: isRecord },
  timeseries: {
    expected: 'timeseries: a series id, or an object',
    accepts: (value) => isRecord(value) || (typeof value === 'string' && value !== ''),
  },
  geotimeSeriesReference: { expected: 'geotimeSeriesReference: an object', accepts: isRecord },
  vector: { expected: 'vector: as many numbers as its dimension says', accepts: isVector },
} satisfies Readonly<Record<string, Kind>>

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const array: Kind = {
  expected: 'array: a list',
  accepts: (value, { subType }) =>
    Array.isArray(value) && value.every((item) => subType !== undefined && accepts(item, subType)),
  encode: (value, { subType }) =>
    subType === undefined ? value : (value as unknown[]).map((item) => encode(item, subType)),
}

const struct: Kind = {
  expected: 'struct: an object with the fields its type names',
  accepts: (value, { fields }) =>
    isRecord(value) &&
    Object.entries(value).every(([name, part]) => {
      const type = fields?.get(name)
      return type !== undefined && (isAbsent(part) || accepts(part, type))
    }),
  encode: (value, { fields }) =>
    Object.fromEntries(
      Object.entries(value as Record<string, unknown>)
        .filter(([, part]) => !isAbsent(part))
        .map(([name, part]) => [name, encodeField(part, fields?.get(name))]),
    ),
}

const KINDS: Readonly<Record<TypeName, Kind>> = {
  ...NUMBERS,
  ...TEXTS,
  ...PLACES,
  ...REFERENCES,
  array,
  struct,
}

const encodeField = (value: unknown, type: DataType | undefined): unknown =>
  type === undefined ? value : encode(value, type)

/** What values of that type are like. */
export const kindOf = (type: DataType): Kind => KINDS[type.type]

/** Whether a value is one of that type. */
export const accepts = (value: unknown, type: DataType): boolean => kindOf(type).accepts(value, type)

/** The JSON that the service sends for a value. */
export const encode = (value: unknown, type: DataType): unknown => kindOf(type).encode?.(value, type) ?? value

/** What a value must be to fit, in words. */
export const expected = (type: DataType): string =>
  type.subType === undefined ? kindOf(type).expected : `array: a list, each ${expected(type.subType)}`

/** Orders two comparable values. */
export const compare = (left: Comparable, right: Comparable): number =>
  left < right ? -1 : left > right ? 1 : 0
