import type { Kind } from './kind.ts'

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
export const NUMBERS: Readonly<
  Record<'integer' | 'short' | 'byte' | 'long' | 'float' | 'double' | 'decimal', Kind>
> = {
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
}
