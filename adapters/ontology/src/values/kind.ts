import type { DataType } from './data-type.ts'

/** A form of a value that `<` orders and `===` tells apart. */
export type Comparable = number | string | bigint

/** What one type of value is like. Each type answers for itself, so that nothing else switches over types. */
export interface Kind {
  /** What a value must be, in words that end a sentence such as "must be ...". */
  readonly expected: string
  accepts(value: unknown, type: DataType): boolean
  /** Absent for values that have no order and no equality, such as shapes. */
  readonly comparable?: (value: unknown) => Comparable
  /** A value from the text of a path or of a filter; undefined where the text is none. */
  readonly parse?: (text: string) => unknown
  /** The JSON sent for a value, where it is not the value itself. */
  readonly encode?: (value: unknown, type: DataType) => unknown
  readonly isKey?: boolean
  readonly isNumber?: boolean
  readonly isText?: boolean
  readonly isInstant?: boolean
  readonly isPlace?: boolean
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
