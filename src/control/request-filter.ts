import { readExpression } from '../collections/filter-expression.ts'
import { InputInvalid } from '../errors.ts'
import { createGlob } from '../routing/glob.ts'
import type { JournalEntry, JournalRecord } from '../state/journal.ts'
import { snakeKeys, type ControlRequest } from './operation.ts'

/** Which requests of the journal are meant; without a condition, all of the session. */
export interface RequestFilter {
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly mode?: string
  readonly violated?: boolean
  readonly since?: number
  readonly session?: string
  /** An expression over the fields of an entry, by their names in JSON. */
  readonly filter?: string
}

/** Whether a request is meant. */
export type FitsRequest = (record: JournalRecord) => boolean

/**
 * Compiles a filter. What an entry has to be made for is looked at last.
 * @param own the key of the session that the request is about
 * @throws InputInvalid for an expression that cannot be read
 */
export function createRequestFilter(given: RequestFilter, own: string): FitsRequest {
  const { method, path, status, mode, violated, since = 0, session = own, filter } = given
  const upper = method?.toUpperCase()
  const ofEntry: ((entry: JournalEntry) => boolean)[] = []
  if (path !== undefined) {
    const isPath = createGlob(path)
    ofEntry.push((entry) => isPath(entry.path))
  }
  if (filter !== undefined) ofEntry.push(expressionOf(filter))
  return (record) => {
    const fits =
      record.id > since &&
      (session === '*' || record.session.key === session) &&
      (upper === undefined || record.method === upper) &&
      (status === undefined || record.status === status) &&
      (mode === undefined || record.mode === mode) &&
      (violated === undefined || (record.notes?.violations.length ?? 0) > 0 === violated)
    if (!fits || ofEntry.length === 0) return fits
    const entry = record.toEntry()
    return ofEntry.every((holds) => holds(entry))
  }
}

function expressionOf(text: string): (entry: JournalEntry) => boolean {
  const expression = readExpression(text)
  if (expression === undefined) {
    const msg = `Not an expression such as status ge 400 and contains(path,'users')`
    throw new InputInvalid([{ type: 'filter', loc: ['query', 'filter'], msg, input: text }])
  }
  return (entry) => {
    const read = snakeKeys(entry)
    return expression.passes((field) => valueAt(read, field))
  }
}

function valueAt(value: unknown, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>(
      (at, key) =>
        at !== null && typeof at === 'object' && Object.hasOwn(at, key)
          ? (at as Record<string, unknown>)[key]
          : undefined,
      value,
    )
}

/** The requests that are meant, the newest first. */
export function findRecords(
  filter: RequestFilter,
  { session, sessions }: ControlRequest,
  limit = Infinity,
): readonly JournalRecord[] {
  const chosen = filter.session === undefined ? [session] : sessions.all()
  const fits = createRequestFilter(filter, session.key)
  const found = chosen.flatMap(({ journal }) => journal.records().filter(fits))
  // Each session of a shared state counts its own.
  const byTime = session.isShared && chosen.length > 1
  return found.toSorted((a, b) => (byTime ? b.arrivedMs - a.arrivedMs : b.id - a.id)).slice(0, limit)
}
