import { difference, type Geom } from 'polyclip-ts'
import { isGeometry, isPosition, type Position } from '../values/places.ts'
import { textOf } from '../values/value.ts'

type Ring = readonly Position[]

/** A geometry taken apart: single points, lines, and areas of an outer ring with holes. */
export interface Shape {
  readonly points: readonly Position[]
  readonly lines: readonly Ring[]
  readonly areas: readonly (readonly Ring[])[]
}

const EMPTY: Shape = { points: [], lines: [], areas: [] }

const join = (shapes: readonly Shape[]): Shape => ({
  points: shapes.flatMap(({ points }) => points),
  lines: shapes.flatMap(({ lines }) => lines),
  areas: shapes.flatMap(({ areas }) => areas),
})

const PARTS: Readonly<Record<string, (coordinates: never) => Shape>> = {
  Point: (at: Position) => ({ ...EMPTY, points: [at] }),
  MultiPoint: (points: readonly Position[]) => ({ ...EMPTY, points }),
  LineString: (line: Ring) => ({ ...EMPTY, lines: [line] }),
  MultiLineString: (lines: readonly Ring[]) => ({ ...EMPTY, lines }),
  Polygon: (area: readonly Ring[]) => ({ ...EMPTY, areas: [area] }),
  MultiPolygon: (areas: readonly (readonly Ring[])[]) => ({ ...EMPTY, areas }),
}

const DEPTHS: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
}

const isNested = (value: unknown, depth: number): boolean =>
  depth === 0 ? isPosition(value) : Array.isArray(value) && value.every((part) => isNested(part, depth - 1))

/** The shape of a GeoJSON geometry; undefined for anything else. */
export const shapeOf = (value: unknown): Shape | undefined => {
  if (!isGeometry(value)) return undefined
  const type = textOf(value['type'])
  if (type === 'GeometryCollection') {
    const parts = (value['geometries'] as readonly unknown[]).map(shapeOf)
    return join(parts.filter((part) => part !== undefined))
  }
  const { coordinates } = value
  return isNested(coordinates, DEPTHS[type] ?? 0) ? PARTS[type]?.(coordinates as never) : undefined
}

/** The shape of a box; one across the 180th meridian is two. */
export const boxShape = ([left, top]: Position, [right, bottom]: Position): Shape => {
  if (left > right)
    return join([boxShape([left, top], [180, bottom]), boxShape([-180, top], [right, bottom])])
  return {
    ...EMPTY,
    areas: [
      [
        [
          [left, top],
          [right, top],
          [right, bottom],
          [left, bottom],
          [left, top],
        ],
      ],
    ],
  }
}

/** Every position that a shape names. */
export const positionsOf = ({ points, lines, areas }: Shape): readonly Position[] => [
  ...points,
  ...lines.flat(),
  ...areas.flat(2),
]

type Segment = readonly [Position, Position]

/** The straight pieces of a shape's lines and edges. */
const segmentsOf = ({ lines, areas }: Shape): readonly Segment[] =>
  [...lines, ...areas.flat()].flatMap((line) =>
    line.slice(1).map((end, index): Segment => [line[index] ?? end, end]),
  )

/** On which side of a line a position lies: left, right, or 0 for on it. */
const side = ([from, to]: Segment, at: Position): number =>
  Math.sign((to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0]))

const isBetween = ([from, to]: Segment, at: Position): boolean =>
  at[0] >= Math.min(from[0], to[0]) &&
  at[0] <= Math.max(from[0], to[0]) &&
  at[1] >= Math.min(from[1], to[1]) &&
  at[1] <= Math.max(from[1], to[1])

const isOn = (segment: Segment, at: Position): boolean => side(segment, at) === 0 && isBetween(segment, at)

/** Whether two pieces cross each other, each on both sides of the other. */
const cross = (left: Segment, right: Segment): boolean =>
  side(left, right[0]) * side(left, right[1]) < 0 && side(right, left[0]) * side(right, left[1]) < 0

const touch = (left: Segment, right: Segment): boolean =>
  cross(left, right) || left.some((at) => isOn(right, at)) || right.some((at) => isOn(left, at))

const edgesOf = (ring: readonly Position[]): Segment[] =>
  ring.slice(1).map((end, index): Segment => [ring[index] ?? end, end])

const isInRing = (ring: readonly Position[], [x, y]: Position): boolean => {
  let isInside = false
  for (const [[fromX, fromY], [toX, toY]] of edgesOf(ring)) {
    if (fromY > y !== toY > y && x < ((toX - fromX) * (y - fromY)) / (toY - fromY) + fromX)
      isInside = !isInside
  }
  return isInside
}

/** Whether a position lies in an area of a shape; an edge is part of its area. */
const isInAreas = ({ areas }: Shape, at: Position): boolean =>
  areas.some(([outer = [], ...holes]) => {
    const isOnEdge = [outer, ...holes].some((ring) => edgesOf(ring).some((edge) => isOn(edge, at)))
    return isOnEdge || (isInRing(outer, at) && !holes.some((hole) => isInRing(hole, at)))
  })

/** Whether two shapes share any position. */
export const intersects = (left: Shape, right: Shape): boolean => {
  const [leftSegments, rightSegments] = [segmentsOf(left), segmentsOf(right)]
  return (
    positionsOf(left).some((at) => isInAreas(right, at)) ||
    positionsOf(right).some((at) => isInAreas(left, at)) ||
    leftSegments.some((each) => rightSegments.some((other) => touch(each, other))) ||
    left.points.some((at) => rightSegments.some((segment) => isOn(segment, at))) ||
    right.points.some((at) => leftSegments.some((segment) => isOn(segment, at))) ||
    left.points.some((at) => right.points.some((other) => at[0] === other[0] && at[1] === other[1]))
  )
}

/** Whether all of the first shape lies in the areas of the second. */
export const isWithin = (inner: Shape, outer: Shape): boolean => {
  const edges = segmentsOf({ points: [], lines: [], areas: outer.areas })
  const lines = segmentsOf({ points: [], lines: inner.lines, areas: [] })
  return (
    positionsOf(inner).length > 0 &&
    positionsOf(inner).every((at) => isInAreas(outer, at)) &&
    !lines.some((segment) => edges.some((edge) => cross(segment, edge))) &&
    (inner.areas.length === 0 || difference(inner.areas as Geom, outer.areas as Geom).length === 0)
  )
}

const EARTH_RADIUS_METERS = 6_371_008.8

/** The distance of two positions along the globe. */
export const metersBetween = ([fromX, fromY]: Position, [toX, toY]: Position): number => {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const height = Math.sin(radians(toY - fromY) / 2) ** 2
  const width = Math.sin(radians(toX - fromX) / 2) ** 2
  const arc = height + Math.cos(radians(fromY)) * Math.cos(radians(toY)) * width
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(arc)))
}
