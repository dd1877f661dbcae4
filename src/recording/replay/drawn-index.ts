import { entryOf } from '../../grouping.ts'
import { type Drawn, drawnIn, type DrawingRequest } from './drawn-tokens.ts'
import { freshParameters, type IsFresh } from './volatile.ts'

/** Finds recorded requests by what their clients drew. */
export interface DrawnIndex<Entry extends DrawingRequest> {
  /** What a recorded request has of what clients draw. */
  drawnOf(entry: Entry): Drawn | undefined
  /** What another request has of it. */
  drawnIn(sent: DrawingRequest): Drawn | undefined
  /**
   * Those that are equal but for what their clients drew, in the order they came; if there are any, only those whose URLs
   * have the same secrets, such as that of a connection.
   */
  around(sent: Drawn): readonly Entry[]
  /** The first of which the request has a token that clients draw. */
  firstWith(token: string): Entry | undefined
}

/** @param all what was recorded until now: an array that only grows, or another one when the recording was replaced */
export function createDrawnIndex<Entry extends DrawingRequest>(
  all: () => readonly Entry[],
): DrawnIndex<Entry> {
  let read: readonly Entry[] = []
  let count = 0
  let isFresh: IsFresh = () => false
  let drawn = new Map<Entry, Drawn>()
  let byAround = new Map<string, Entry[]>()
  let byToken = new Map<string, Entry>()

  const own = (sent: DrawingRequest): Drawn | undefined =>
    drawnIn(sent, (name, value) => isFresh(sent.head.path, name, value))
  // Which parameters are drawn for each request shows only when there are several.
  const update = (): void => {
    if (all() === read && all().length === count) return
    read = all()
    count = read.length
    isFresh = freshParameters(read.map(({ head }) => head))
    drawn = new Map()
    byAround = new Map()
    byToken = new Map()
    // What lasts is recorded after what came later.
    for (const entry of read.toSorted((one, other) => one.startedAt - other.startedAt || 0)) {
      const found = own(entry)
      if (found === undefined) continue
      drawn.set(entry, found)
      entryOf(byAround, found.around, (): Entry[] => []).push(entry)
      for (const token of found.tokens) if (!byToken.has(token)) byToken.set(token, entry)
    }
  }
  return {
    drawnOf(entry) {
      update()
      return drawn.get(entry)
    },
    drawnIn(sent) {
      update()
      return own(sent)
    },
    around(sent) {
      update()
      const alike = byAround.get(sent.around) ?? []
      const own = alike.filter((entry) => drawn.get(entry)?.secrets === sent.secrets)
      return own.length > 0 ? own : alike
    },
    firstWith(token) {
      update()
      return byToken.get(token)
    },
  }
}
