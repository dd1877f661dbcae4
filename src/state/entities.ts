import { createRecent } from './counters.ts'

/** What became of what a path names, by the requests that changed it. */
export interface Entity {
  /** `new` where no request has changed it yet. */
  readonly state: 'new' | 'there' | 'gone'
  /** The JSON body that was last sent to it, and what was answered. */
  readonly sent?: unknown
  readonly answered?: unknown
}

/** What became of the paths that requests have changed. */
export interface Entities {
  at(path: string): Entity
  /** Takes a change that succeeded in. @param location where what was made is, if the answer says it */
  note(change: EntityChange): void
  reset(): void
}

/** A change of what a path names. */
export interface EntityChange {
  readonly method: string
  readonly path: string
  readonly sent: unknown
  readonly answered: unknown
  readonly location?: string | undefined
}

const UNTOUCHED: Entity = { state: 'new' }

/** Nothing was changed yet. */
export function createEntities(): Entities {
  const known = createRecent<Entity>()
  const goneAbove = (path: string): boolean => {
    const segments = path.split('/')
    return segments.some(
      (_, end) => end > 1 && known.peek(segments.slice(0, end).join('/'))?.state === 'gone',
    )
  }
  return {
    at: (path) => known.peek(path) ?? (goneAbove(path) ? { state: 'gone' } : UNTOUCHED),
    note({ method, path, sent, answered, location }) {
      if (method === 'DELETE') {
        for (const [each] of known.entries()) if (each.startsWith(`${path}/`)) known.delete(each)
        known.add(path, { state: 'gone' })
        return
      }
      const made = location ?? path
      const before = known.peek(made)
      const merged =
        method === 'PATCH' && isRecord(before?.sent) && isRecord(sent) ? { ...before.sent, ...sent } : sent
      known.add(made, { state: 'there', sent: merged, answered })
    },
    reset: () => known.clear(),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** A request that succeeded, as the change it made. */
export function entityChange(change: {
  readonly method: string
  readonly url: string
  readonly sent: unknown
  readonly answered: unknown
  readonly location: string | undefined
}): EntityChange {
  const { method, url, sent, answered, location } = change
  const path = url.split('?')[0] ?? ''
  return { method, path, sent, answered, location: pathOf(location) ?? madeBelow(path, method, answered) }
}

function pathOf(location: string | undefined): string | undefined {
  if (location === undefined || !URL.canParse(location, 'http://any')) return undefined
  return new URL(location, 'http://any').pathname
}

function madeBelow(path: string, method: string, answered: unknown): string | undefined {
  if (method !== 'POST' || !isRecord(answered)) return undefined
  const { id } = answered
  return typeof id === 'string' || typeof id === 'number' ? `${path}/${encodeURIComponent(id)}` : undefined
}
