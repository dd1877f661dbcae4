import { isSafe } from '../../message.ts'
import type { RequestHead } from '../match/match.ts'
import { lastWrites, parentOf, type LastWrites, type Places, type Write } from './writes.ts'

/** A recorded request, as far as it may have waited for a write. */
interface TimedRequest {
  readonly head: RequestHead
  /** In milliseconds since 1970. */
  readonly startedAt: number
  /** How long its answer took. */
  readonly ms: number
}

/** What a recorded request waited for. */
export interface Waiting {
  /** Whether a write on what concerns its resource came while the request waited, as with long polling. */
  readonly awaits: boolean
  /** Where none did, the place of the last write beside its resource, if that came meanwhile; -1 where none did. */
  besides: number
}

/** A recorded request that may have to wait. */
interface WaitingRequest extends TimedRequest, Waiting {
  readonly resource: string
}

/** A recorded request that changed something. */
interface WriteRequest extends TimedRequest {
  readonly at: number
  readonly write: Write | undefined
}

/** So many answers are looked at that may have come before that to the write which they waited for. */
const MAX_EARLIER = 32

/** Shorter waits may be of a server that is slow. */
const MIN_POLL_MS = 500
/** How many times as long as what it waited for. */
const LONGER_THAN_CAUSE = 10

/** Finds out which requests of a recording are long polls. */
export class LongPolls {
  readonly #polled = new Set<string>()

  /**
   * @param resource that of the request
   * @param before the last writes that concern it
   * @param entries what was recorded before
   * @param writes all writes before, by their places among these
   */
  note(
    request: TimedRequest,
    resource: string,
    before: LastWrites,
    entries: readonly TimedRequest[],
    writes: Places,
  ): Waiting {
    const [last] = Object.values(before)
      .flatMap((place: number) => entries[place] ?? [])
      .toSorted((one, other) => other.startedAt - one.startedAt)
    const awaits = last !== undefined && last.startedAt > request.startedAt
    const { below } = lastWrites(writes, parentOf(resource))
    const beside = awaits ? undefined : entries[below]
    const besides = beside !== undefined && beside.startedAt > request.startedAt ? below : -1
    const cause = awaits ? last : entries[besides]
    if (cause !== undefined && isLongPoll(request, cause)) this.#polled.add(pollOf(request.head))
    return { awaits, besides }
  }

  /**
   * Notes a write: servers may answer who waits for it before they answer who makes it.
   * @param entries what was recorded before
   */
  noteWrite(made: WriteRequest, entries: readonly WaitingRequest[]): void {
    for (const entry of entries.slice(-MAX_EARLIER)) {
      const isMeanwhile = entry.startedAt < made.startedAt && entry.startedAt + entry.ms >= made.startedAt
      if (!isMeanwhile || entry.awaits || entry.besides !== -1) continue
      const parent = `${parentOf(entry.resource)}/`
      if (made.write?.resources.some((each) => each.startsWith(parent)) !== true) continue
      entry.besides = made.at
      if (isLongPoll(entry, made)) this.#polled.add(pollOf(entry.head))
    }
  }

  /** Whether requests of this method and path were long polls: far longer than the writes that they waited for. */
  has(head: RequestHead): boolean {
    return this.#polled.has(pollOf(head))
  }
}

// Most of the time was before what it waited for, which took far less.
function isLongPoll({ startedAt, ms }: TimedRequest, cause: TimedRequest): boolean {
  const isLate = cause.startedAt - startedAt > ms / 2
  return isLate && ms >= MIN_POLL_MS && ms >= cause.ms * LONGER_THAN_CAUSE
}

function pollOf({ method, host, path }: RequestHead): string {
  return `${method} ${host} ${path}`
}

/** Whether a request is to be held until what it waited for is written. */
export function isWaiting(
  { awaits, besides, head }: Waiting & Pick<TimedRequest, 'head'>,
  isPoll: boolean,
): boolean {
  return isPoll ? awaits || besides !== -1 : awaits && isSafe(head.method)
}
