/** A value of a request that should be a text; anything else is as good as none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The texts of a list of a request. */
export const textsOf = (values: readonly unknown[]): string[] => values.map(textOf)

/** The entry of a table under a key that a request names: never one that all objects have. */
export const entryOf = <Value>(table: Readonly<Record<string, Value>>, key: unknown): Value | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined

/** The names of the types a property may have. */
export const TYPE_NAMES = [
  'string',
  'integer',
  'short',
  'byte',
  'long',
  'float',
  'double',
  'decimal',
  'boolean',
  'date',
  'timestamp',
  'array',
  'struct',
  'geopoint',
  'geoshape',
  'attachment',
  'mediaReference',
  'timeseries',
  'geotimeSeriesReference',
  'marking',
  'cipherText',
  'vector',
] as const

export type TypeName = (typeof TYPE_NAMES)[number]

/** The type of a property's values. Only arrays have `subType`, only structs have `fields`. */
export interface DataType {
  readonly type: TypeName
  readonly subType?: DataType
  readonly fields?: ReadonlyMap<string, DataType>
  readonly precision?: number
  readonly scale?: number
  readonly dimension?: number
  readonly itemType?: 'string' | 'double'
}

/** The type of one value of a property: an array's elements, or the property's own type. */
export const elementType = (type: DataType): DataType => type.subType ?? type

/** The type as the service words it in messages. */
export const typeText = (type: DataType): string =>
  type.subType === undefined ? type.type : `array<${typeText(type.subType)}>`

/** A form of a value that `<` orders and `===` compares. */
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
