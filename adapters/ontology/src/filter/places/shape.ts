import { textOf } from '../../values/read.ts'
import { isGeometry, isPosition, type Position } from '../../values/places.ts'

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

export type Segment = readonly [Position, Position]

/** The straight pieces of a shape's lines and edges. */
export const segmentsOf = ({ lines, areas }: Shape): readonly Segment[] =>
  [...lines, ...areas.flat()].flatMap((line) =>
    line.slice(1).map((end, index): Segment => [line[index] ?? end, end]),
  )
