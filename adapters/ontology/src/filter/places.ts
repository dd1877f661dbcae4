import { invalidArgument } from '../errors.ts'
import { fieldOf } from '../ontology/scope.ts'
import { kindOf } from '../values/kinds.ts'
import { isPoint } from '../values/places.ts'
import { elementType, entryOf, isRecord } from '../values/value.ts'
import {
  boxShape,
  intersects,
  isWithin,
  metersBetween,
  positionsOf,
  type Shape,
  shapeOf,
} from './geometry.ts'
import { type Clause, notSupported, type Operator, someValue } from './operator.ts'

const METERS: Readonly<Record<string, number>> = {
  MILLIMETERS: 0.001,
  CENTIMETERS: 0.01,
  METERS: 1,
  KILOMETERS: 1000,
  INCHES: 0.0254,
  FEET: 0.3048,
  YARDS: 0.9144,
  MILES: 1609.344,
  NAUTICAL_MILES: 1852,
}

type Relation = (found: Shape, given: Shape) => boolean

const disjoint: Relation = (found, given) => !intersects(found, given)

const boxOf = (value: unknown): Shape => {
  if (!isRecord(value) || !isPoint(value['topLeft']) || !isPoint(value['bottomRight'])) {
    throw invalidArgument('a bounding box has `topLeft` and `bottomRight`, both GeoJSON points')
  }
  return boxShape(value['topLeft'].coordinates, value['bottomRight'].coordinates)
}

const polygonOf = (value: unknown): Shape => {
  const shape = isRecord(value) && value['type'] === 'Polygon' ? shapeOf(value) : undefined
  if (shape === undefined) throw invalidArgument('the value is a GeoJSON polygon')
  return shape
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const geometryOf = (geometry: unknown): Shape => {
  if (isRecord(geometry) && geometry['type'] === 'envelope') return boxOf(geometry)
  const { geoJson } = isRecord(geometry) ? geometry : {}
  const shape = shapeOf(typeof geoJson === 'string' ? parse(geoJson) : geoJson)
  if (shape === undefined)
    throw invalidArgument('the geometry is an `envelope`, or a `geoJson` with a GeoJSON geometry')
  return shape
}

const byShape = (read: (clause: Clause) => Shape, relationOf: (clause: Clause) => Relation): Operator => {
  return (clause, { scope }) => {
    const field = fieldOf(scope, clause)
    if (kindOf(elementType(field.type)).isPlace !== true) throw notSupported(clause, field)
    const given = read(clause)
    const relation = relationOf(clause)
    return someValue(field, (value) => {
      const found = shapeOf(value)
      return found !== undefined && relation(found, given)
    })
  }
}

const box = (relation: Relation): Operator =>
  byShape(
    ({ value }) => boxOf(value),
    () => relation,
  )
const polygon = (relation: Relation): Operator =>
  byShape(
    ({ value }) => polygonOf(value),
    () => relation,
  )

const MODES: Readonly<Record<string, Relation>> = {
  INTERSECTS: intersects,
  DISJOINT: disjoint,
  WITHIN: isWithin,
  CONTAINS: (found, given) => isWithin(given, found),
}

const modeOf = ({ spatialFilterMode }: Clause): Relation => {
  const relation = entryOf(MODES, spatialFilterMode)
  if (relation === undefined)
    throw invalidArgument(`\`spatialFilterMode\` is one of ${Object.keys(MODES).join(', ')}`)
  return relation
}

const withinDistanceOf: Operator = (clause, { scope }) => {
  const field = fieldOf(scope, clause)
  if (kindOf(elementType(field.type)).isPlace !== true) throw notSupported(clause, field)
  const { center, distance } = isRecord(clause['value']) ? clause['value'] : {}
  const { value, unit } = isRecord(distance) ? distance : {}
  const meters = entryOf(METERS, unit)
  if (!isPoint(center) || typeof value !== 'number' || meters === undefined) {
    throw invalidArgument(
      `it needs a \`center\` and a \`distance\` in one of ${Object.keys(METERS).join(', ')}`,
    )
  }
  const limit = value * meters
  return someValue(field, (found) => {
    const positions = positionsOf(shapeOf(found) ?? { points: [], lines: [], areas: [] })
    return positions.length > 0 && positions.every((at) => metersBetween(at, center.coordinates) <= limit)
  })
}

/** The clauses over places. */
export const PLACE_OPERATORS: Readonly<Record<string, Operator>> = {
  withinBoundingBox: box(isWithin),
  intersectsBoundingBox: box(intersects),
  doesNotIntersectBoundingBox: box(disjoint),
  withinPolygon: polygon(isWithin),
  intersectsPolygon: polygon(intersects),
  doesNotIntersectPolygon: polygon(disjoint),
  withinDistanceOf,
  geoShapeV2: byShape(({ geometry }) => geometryOf(geometry), modeOf),
}
