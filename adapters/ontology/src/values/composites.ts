import type { DataType } from './data-type.ts'
import { isRecord, type Kind } from './kind.ts'

const hasText = (value: unknown, key: string): boolean =>
  isRecord(value) && typeof value[key] === 'string' && value[key] !== ''

const isVector = (value: unknown, { dimension }: DataType): boolean =>
  Array.isArray(value) &&
  (dimension === undefined || value.length === dimension) &&
  value.every((part) => typeof part === 'number')

/** The kinds whose values are references to something kept elsewhere, and vectors. */
export const REFERENCES: Readonly<
  Record<'attachment' | 'mediaReference' | 'timeseries' | 'geotimeSeriesReference' | 'vector', Kind>
> = {
  attachment: { expected: 'attachment: an object with a `rid`', accepts: (value) => hasText(value, 'rid') },
  mediaReference: { expected: 'mediaReference: an object', accepts: isRecord },
  timeseries: {
    expected: 'timeseries: a series id, or an object',
    accepts: (value) => isRecord(value) || (typeof value === 'string' && value !== ''),
  },
  geotimeSeriesReference: { expected: 'geotimeSeriesReference: an object', accepts: isRecord },
  vector: { expected: 'vector: as many numbers as its dimension says', accepts: isVector },
}
