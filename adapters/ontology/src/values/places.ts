import { isRecord, type Kind, textOf } from './value.ts'

/** A longitude and a latitude. */
export type Position = readonly [number, number]

const GEOMETRIES = ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon']

export const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.every((part) => typeof part === 'number') &&
  Math.abs(Number(value[0])) <= 180 &&
  Math.abs(Number(value[1])) <= 90

export const isPoint = (value: unknown): value is { type: 'Point'; coordinates: Position } =>
  isRecord(value) && value['type'] === 'Point' && isPosition(value['coordinates'])

const MAX_LEVELS = 8

const arePositions = (value: unknown, levels = MAX_LEVELS): boolean =>
  isPosition(value) ||
  (levels > 0 &&
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((part) => arePositions(part, levels - 1)))

/** A GeoJSON geometry; a collection's members are geometries themselves. */
export const isGeometry = (value: unknown, levels = MAX_LEVELS): value is Record<string, unknown> => {
  if (!isRecord(value) || levels === 0) return false
  if (value['type'] === 'GeometryCollection') {
    return (
      Array.isArray(value['geometries']) && value['geometries'].every((part) => isGeometry(part, levels - 1))
    )
  }
  return GEOMETRIES.includes(textOf(value['type'])) && arePositions(value['coordinates'])
}

/** The kinds that lie somewhere on the globe. */
export const PLACES: Readonly<Record<'geopoint' | 'geoshape', Kind>> = {
  geopoint: {
    expected: 'geopoint: a GeoJSON point, longitude first',
    accepts: isPoint,
    isPlace: true,
  },
  geoshape: {
    expected: 'geoshape: a GeoJSON geometry',
    accepts: (value) => isGeometry(value),
    isPlace: true,
  },
}
