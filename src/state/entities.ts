import { isObject } from '../engine/schema/schema.ts'
import type { Headers } from '../message.ts'
import { decodeSegment, encodeSegment, plainPath } from '../routing/path-template.ts'
import { createRecent } from './counters.ts'

/** What became of what requests are about, by the requests that changed it. */
export interface Entity {
  /** `new` where no request has changed it yet. */
  readonly state: 'new' | 'there' | 'gone'
  /** The operation that changed it last, where several share one path. */
  readonly by?: string | undefined
  /** The body that was last sent to it, as JSON or a text; by operation, where several share one path. */
  readonly sent?: unknown
  /** What was answered, as JSON, to its last change, and to the one that made it where that is another. */
  readonly answered?: unknown
  readonly made?: unknown
  /** How often it was written since it was made; absent after the first time. */
  readonly writes?: number | undefined
  /** The opaque part of the ETag that it was given last (RFC 9110, section 8.8.3). */
  readonly etag?: string
  /** Whether what a request demands of it holds: that it is there or not, with which ETag. */
  readonly condition?: 'met' | 'failed'
}

/** What became of the paths that requests have changed. */
export interface Entities {
  /**
   * @param path or what else names it, the parent before its children
   * @param headers of a request, which may have conditions
   */
  at(path: string, headers?: Headers): Entity
  /** Takes a change that succeeded in. @param location where what was made is, if the answer says it */
  note(change: EntityChange): void
  reset(): void
}

/** A change of what a path names. */
export interface EntityChange {
  readonly method: string
  readonly path: string
  /** The operation, where several share one path. */
  readonly by?: string | undefined
  readonly sent: unknown
  readonly answered: unknown
  readonly location?: string | undefined
  /** Where it was copied or moved to. */
  readonly destination?: string | undefined
  /** The ETag of the answer. */
  readonly etag?: string | undefined
}

/** What no request has changed yet. */
export const UNTOUCHED: Entity = { state: 'new' }

/** Nothing was changed yet. */
export function createEntities(): Entities {
  const known = createRecent<Entity>()
  /** The paths that some known one is below: each was used as lately as what is below it. */
  const parents = createRecent<true>()
  let hasGone = false
  const add = (path: string, entity: Entity): void => {
    known.add(path, entity)
    hasGone ||= entity.state === 'gone'
    for (const above of pathsAbove(path)) parents.add(above, true)
  }
  const below = (path: string): readonly (readonly [string, Entity])[] =>
    parents.peek(path) === undefined
      ? []
      : [...known.entries()].filter(([each]) => each.startsWith(`${path}/`))
  const goneAbove = (path: string): boolean =>
    hasGone &&
    pathsAbove(path)
      .slice(1)
      .some((above) => known.peek(above)?.state === 'gone')
  const at = (given: string): Entity => {
    const path = plain(given)
    return known.peek(path) ?? (goneAbove(path) ? { state: 'gone' } : UNTOUCHED)
  }
  return {
    at(path, headers) {
      const entity = at(path)
      const condition = headers && conditionOf(headers, entity)
      return condition === undefined ? entity : { ...entity, condition }
    },
    note({ method, path: given, by, sent, answered, location, destination, etag }) {
      const path = plain(given)
      if (destination !== undefined) {
        const to = plain(destination)
        for (const [each, entity] of below(path)) add(to + each.slice(path.length), entity)
        add(to, { ...at(path), state: 'there' })
      }
      if (method === 'DELETE' || method === 'MOVE') {
        for (const [each] of below(path)) known.delete(each)
        add(path, { state: 'gone', ...(by !== undefined && { by, sent: known.peek(path)?.sent }) })
      }
      if (KEEPING.test(method)) return
      const made = plain(location ?? path)
      const before = known.peek(made)
      const older = before?.state === 'there' ? before : undefined
      const merged =
        method === 'PATCH' && isObject(older?.sent) && isObject(sent) ? { ...older.sent, ...sent } : sent
      const writes = older === undefined ? 1 : (older.writes ?? 1) + 1
      add(made, {
        state: 'there',
        sent: by === undefined ? merged : { ...(older?.sent as object | undefined), [by]: sent },
        answered,
        ...(by !== undefined && { by }),
        ...(writes > 1 && { writes, made: older?.made ?? older?.answered }),
        ...(etag !== undefined && { etag: opaque(etag) }),
      })
    },
    reset() {
      known.clear()
      parents.clear()
    },
  }
}

const MAX_ABOVE = 100

// All that a path is below of, from the top, but for those that lie deeper than what APIs name.
function pathsAbove(path: string): readonly string[] {
  const above: string[] = []
  for (let end = path.indexOf('/'); end !== -1 && above.length < MAX_ABOVE; end = path.indexOf('/', end + 1))
    above.push(path.slice(0, end))
  return above
}

/** Methods after which what they were used on is as it was, or gone. */
const KEEPING = /^(DELETE|MOVE|COPY|LOCK|UNLOCK|PROPPATCH)$/

function conditionOf(headers: Headers, { state, etag }: Entity): Entity['condition'] {
  const holds = (value: string): boolean =>
    value.trim() === '*' ? state === 'there' : value.split(',').some((each) => opaque(each) === etag)
  const [match, noneMatch] = [headers['if-match'], headers['if-none-match']].map((value) =>
    value === undefined ? undefined : String(value),
  )
  if (match === undefined && noneMatch === undefined) return undefined
  const isMet = (match === undefined || holds(match)) && (noneMatch === undefined || !holds(noneMatch))
  return isMet ? 'met' : 'failed'
}

function opaque(etag: string): string {
  return etag.trim().replaceAll(/^(W\/)?"|"$/g, '')
}

// A slash at the end means nothing, nor does which signs are percent-encoded that need not be (RFC 3986, section 6.2.2.2).
function plain(path: string): string {
  const open = path.length > 1 ? path.replace(/(?<!\/)\/+$/, '') : path
  return open.includes('%')
    ? open
        .split('/')
        .map((segment) => encodeSegment(decodeSegment(segment)))
        .join('/')
    : open
}

/** A request that succeeded, as the change it made. */
export function entityChange(change: {
  readonly method: string
  readonly url: string
  readonly sent: unknown
  readonly answered: unknown
  readonly location: string | undefined
  /** The header of that name of a COPY or MOVE. */
  readonly destination?: string | undefined
  readonly etag?: string | undefined
}): EntityChange {
  const { method, url, sent, answered, location, etag } = change
  const path = plainPath(url.split('?')[0] ?? '')
  const destination = /^(COPY|MOVE)$/.test(method) ? pathOf(change.destination) : undefined
  const made = pathOf(location) ?? madeBelow(path, method, answered)
  return { method, path, sent, answered, location: made, destination, etag }
}

function pathOf(location: string | undefined): string | undefined {
  if (location === undefined || !URL.canParse(location, 'http://any')) return undefined
  return plainPath(new URL(location, 'http://any').pathname)
}

function madeBelow(path: string, method: string, answered: unknown): string | undefined {
  if (method !== 'POST' || !isObject(answered)) return undefined
  const { id } = answered
  return typeof id === 'string' || typeof id === 'number' ? `${path}/${encodeURIComponent(id)}` : undefined
}
