import type { FieldFinder } from './find-field.ts'
import type { Order } from './list-orders.ts'

/** Words for what was made or changed last. */
const LAST = /\b(newest|latest|most recent(ly)?)\b/i
const FIRST = /\bfirst\b/i
/** Words for an order by time in which that comes first, and words for a time. */
const REVERSE = /\breverse[ -]?chronological/i
const DESCENDING = /\bdescending\b/i
const BY_TIME = /\b(creat|updat|modif|dates?\b|time|chronological)/i
const CHANGED = /\b(updat|modif|chang)/i

/**
 * The order of a list that a sentence of its description gives it: that what was made last, or changed last, comes
 * first. `undefined` where none says so.
 */
export function describedOrder(description: string, finder: FieldFinder): Order | undefined {
  const sentence = description.split(/[.!?\n](?=\s|$)/).find(saysLastFirst)
  if (sentence === undefined) return undefined
  const named = [...sentence.matchAll(/`(\w+)`/g)].flatMap(([, name = '']) => finder.field(name) ?? [])
  const changed = CHANGED.test(sentence) ? finder.moment('updated') : undefined
  const field = named[0] ?? changed ?? finder.moment('')
  return field === undefined ? undefined : { field, isDescending: true }
}

function saysLastFirst(sentence: string): boolean {
  const isByTime = DESCENDING.test(sentence) && BY_TIME.test(sentence)
  return isByTime || REVERSE.test(sentence) || (LAST.test(sentence) && FIRST.test(sentence))
}
