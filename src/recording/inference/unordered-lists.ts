import { isObject } from '../../engine/schema/schema.ts'
import { compareTexts } from '../../grouping.ts'
import type { Sample } from './sample.ts'
import { isScalar } from './values.ts'

/** Members deeper than this are not looked for. */
const MAX_DEPTH = 3

/**
 * Finds the names of lists that a server keeps as sets: the answer to a request that sent one has the same values in
 * another order, which is not that of the values either.
 */
export function findUnorderedLists(samples: readonly Sample[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { body, response } of samples) {
    const sent = listsIn(body)
    const shown = sent.length === 0 ? [] : listsIn(response)
    for (const [name, list] of sent)
      for (const [other, entries] of shown) if (name === other && isReordered(list, entries)) found.add(name)
  }
  return found
}

type Named = readonly [name: string, list: readonly unknown[]]

function listsIn(value: unknown, depth = 0): readonly Named[] {
  if (!isObject(value) || depth > MAX_DEPTH) return []
  return Object.entries(value).flatMap(([name, part]): readonly Named[] =>
    !Array.isArray(part) ? listsIn(part, depth + 1) : part.every(isScalar) ? [[name, part]] : [],
  )
}

function isReordered(sent: readonly unknown[], shown: readonly unknown[]): boolean {
  const [given, found] = [sent.map(String), shown.map(String)]
  if (given.length !== found.length || new Set(given).size < given.length) return false
  const sorted = given.toSorted(compareTexts)
  const isOf = (list: readonly string[], order: readonly string[]): boolean =>
    list.every((each, at) => each === order[at])
  return isOf(found.toSorted(compareTexts), sorted) && !isOf(found, given) && !isOf(found, sorted)
}
