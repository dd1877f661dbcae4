import type { Item } from '../../calls/objects.ts'
import { pointOf, pointsOf, pointKey } from './points.ts'
import { selected, type Series } from './select.ts'
import { type Policy, shown } from './show.ts'
import { type Change, type Source, type Statement, Unknown } from './statement.ts'
import { nanosecondsIn, writtenTime } from './times.ts'

/** What a server has, by ids. */
export interface Store {
  readonly databases: ItemMap
  readonly points: ItemMap
  readonly users: ItemMap
}

type ItemMap = Pick<Map<string, Item>, 'get' | 'set' | 'has' | 'delete' | 'values' | 'keys'>

/** How a statement was requested. */
interface Around {
  readonly database: string
  /** Nanoseconds since 1970. */
  readonly now: bigint
  readonly epoch: string | undefined
  /** Whether only to read is allowed. */
  readonly isRead: boolean
}

interface Result {
  readonly series?: readonly Series[]
  readonly error?: string
  readonly messages?: readonly { readonly level: string; readonly text: string }[]
}

/** The policy of a new database. */
export const FIRST_POLICY: Policy = {
  ...{ name: 'autogen', duration: '0s', shard: '168h0m0s', copies: 1, isDefault: true },
}

/** Runs a statement, and gives what its result says. @throws Unknown for what is not known here */
export function run(statement: Statement, store: Store, around: Around): Result {
  if (isChange(statement)) return changed(statement, store, around)
  const database = (statement.kind === 'show' ? statement.on : undefined) ?? around.database
  const isOfServer =
    statement.kind === 'show' && (statement.what === 'databases' || statement.what === 'users')
  if (!isOfServer && database === '') return { error: 'database name required' }
  if (!isOfServer && !store.databases.has(database)) return { error: `database not found: ${database}` }
  const other = 'from' in statement ? statement.from.find((each) => isMissing(each, store)) : undefined
  if (other?.database !== undefined) return { error: `database not found: ${other.database}` }
  const points = [...store.points.values()].map(pointOf)
  if (statement.kind === 'remove') {
    for (const point of pointsOf(points, database, statement.from, statement.where))
      store.points.delete(pointKey(point))
    return {}
  }
  const series =
    statement.kind === 'select'
      ? selected(statement, points, database, around.now, (time) => writtenTime(time, around.epoch))
      : shown(statement, points, database, {
          databases: new Map(
            [...store.databases.values()].map((each) => [String(each['id']), each['policies'] as Policy[]]),
          ),
          users: new Map(
            [...store.users.values()].map((each) => [String(each['id']), each['isAdmin'] === true]),
          ),
        })
  return series.length === 0 ? {} : { series }
}

function isMissing({ database }: Source, { databases }: Store): boolean {
  return database !== undefined && !databases.has(database)
}

function isChange(statement: Statement): statement is Change {
  return statement.kind === 'create' || statement.kind === 'drop'
}

function changed(
  { kind, what, name, on = '', settings }: Change,
  { databases, points, users }: Store,
  { database, isRead }: Around,
): Result {
  const command = `${kind} ${what === 'policy' ? 'retention policy' : what}`.toUpperCase()
  const text = `deprecated use of '${command}' in a read only context, please use a POST request instead`
  const messages = [{ level: 'warning', text }]
  const done = isRead ? { messages } : {}
  if (what === 'policy') {
    const own = databases.get(on)
    if (own === undefined) return { error: `database not found: ${on}` }
    const others = (own['policies'] as readonly Policy[]).filter((each) => each.name !== name)
    const policies = kind === 'drop' ? others : withPolicy(others, name, settings)
    databases.set(on, { ...own, policies })
    return done
  }
  if (what === 'database') {
    if (kind === 'create' && !databases.has(name)) databases.set(name, { id: name, policies: [FIRST_POLICY] })
    if (kind === 'drop') {
      databases.delete(name)
      removeWhere(points, (point) => point['database'] === name)
    }
    return done
  }
  if (what === 'user') {
    if (kind === 'drop' && !users.delete(name)) return { error: 'user not found' }
    if (kind === 'create') users.set(name, { id: name, isAdmin: settings['all'] !== undefined })
    return done
  }
  if (kind === 'create') throw new Unknown()
  if (!databases.has(database)) return { error: `database not found: ${database}` }
  removeWhere(points, (point) => point['database'] === database && point['name'] === name)
  return done
}

function removeWhere(items: ItemMap, isRemoved: (item: Item) => boolean): void {
  for (const item of [...items.values()]) if (isRemoved(item)) items.delete(String(item['id']))
}

function withPolicy(
  others: readonly Policy[],
  name: string,
  settings: Readonly<Record<string, string>>,
): readonly Policy[] {
  const duration = settings['duration'] ?? ''
  const isEndless = /^inf$/i.test(duration) || duration === '0s'
  const kept = isEndless ? 0n : nanosecondsIn(duration)
  const isDefault = settings['default'] !== undefined
  const policy = {
    ...{ name, duration: hoursOf(kept), shard: shardOf(kept) },
    ...{ copies: Number(settings['replication'] ?? 1), isDefault },
  }
  return [...others.map((each) => (isDefault ? { ...each, isDefault: false } : each)), policy]
}

const HOUR = 3_600_000_000_000n
const DAY = 24n * HOUR

function hoursOf(duration: bigint): string {
  return duration === 0n ? '0s' : `${duration / HOUR}h0m0s`
}

// How long parts of what is kept are, by how long that is.
function shardOf(duration: bigint): string {
  if (duration !== 0n && duration < 2n * DAY) return '1h0m0s'
  return duration !== 0n && duration <= 180n * DAY ? '24h0m0s' : '168h0m0s'
}
