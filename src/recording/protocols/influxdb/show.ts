import { compareTexts, groupBy } from '../../../grouping.ts'
import { type Point, pointsOf, seriesKey } from './points.ts'
import type { Series } from './select.ts'
import type { Show } from './statement.ts'

/** How long points of a database are kept. */
export interface Policy {
  readonly name: string
  readonly duration: string
  readonly shard: string
  readonly copies: number
  readonly isDefault: boolean
}

/** What there is besides points. */
export interface Known {
  readonly databases: ReadonlyMap<string, readonly Policy[]>
  readonly users: ReadonlyMap<string, boolean>
}

/** What a `SHOW` statement lists. */
export function shown(show: Show, all: readonly Point[], database: string, known: Known): readonly Series[] {
  const { what, from, where, keys = () => true } = show
  const points = pointsOf(all, database, from, where)
  const byName = [...groupBy(points, ({ name }) => name)].toSorted(([a], [b]) => compareTexts(a, b))
  const perMeasurement = (
    columns: readonly string[],
    rowsOf: (points: readonly Point[]) => readonly (readonly unknown[])[],
  ): readonly Series[] =>
    byName.flatMap(([name, own]) => {
      const values = part(show, rowsOf(own))
      return values.length === 0 ? [] : [{ name, columns, values }]
    })
  switch (what) {
    case 'databases':
      return [
        {
          name: 'databases',
          ...withoutName(
            ['name'],
            [...known.databases.keys()].map((name) => [name]),
          ),
        },
      ]
    case 'users':
      return [withoutName(['user', 'admin'], [...known.users])]
    case 'retention policies':
      return [
        withoutName(
          ['name', 'duration', 'shardGroupDuration', 'replicaN', 'default'],
          (known.databases.get(database) ?? []).map(({ name, duration, shard, copies, isDefault }) => [
            ...[name, duration, shard, copies, isDefault],
          ]),
        ),
      ]
    case 'measurements': {
      const values = part(
        show,
        byName.map(([name]) => [name]),
      )
      return values.length === 0 ? [] : [{ name: 'measurements', columns: ['name'], values }]
    }
    case 'series': {
      const values = part(
        show,
        sorted(points.map(seriesKey)).map((key) => [key]),
      )
      return values.length === 0 ? [] : [withoutName(['key'], values)]
    }
    case 'tag keys':
      return perMeasurement(['tagKey'], (own) =>
        sorted(own.flatMap(({ tags }) => Object.keys(tags))).map((key) => [key]),
      )
    case 'field keys':
      return perMeasurement(['fieldKey', 'fieldType'], (own) => {
        const types = new Map(own.flatMap((point) => Object.entries(point.types)))
        return sorted([...types.keys()]).map((key) => [key, types.get(key)])
      })
    default:
      return perMeasurement(['key', 'value'], (own) => {
        const pairs = own.flatMap(({ tags }) => Object.entries(tags).filter(([key]) => keys(key)))
        return sorted(pairs.map((pair) => JSON.stringify(pair))).map((pair) => JSON.parse(pair) as unknown[])
      })
  }
}

// Such lists have no name in an answer.
function withoutName(columns: readonly string[], values: readonly (readonly unknown[])[]): Series {
  return { columns, ...(values.length > 0 && { values }) }
}

function part(
  { limit = 0, offset = 0 }: Show,
  values: readonly (readonly unknown[])[],
): readonly (readonly unknown[])[] {
  return limit > 0 ? values.slice(offset, offset + limit) : values.slice(offset)
}

function sorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted()
}
