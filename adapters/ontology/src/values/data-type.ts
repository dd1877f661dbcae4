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
