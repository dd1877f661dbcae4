import { REFERENCES } from './composites.ts'
import type { DataType, TypeName } from './data-type.ts'
import { type Comparable, isRecord, type Kind } from './kind.ts'
import { NUMBERS } from './numbers.ts'
import { PLACES } from './places.ts'
import { TEXTS } from './texts.ts'

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
