import { listIn } from './item-place.ts'
import type { Sample } from './sample.ts'
import { isReserved } from './segment-evidence.ts'
import { leavesOf } from './values.ts'

type Leaves = ReturnType<typeof leavesOf>

/**
 * Makes what says whether a word in a path is another name of an item: all answers about it repeat the word, and are like
 * those about values at that place.
 * @param values the exchanges whose paths have a value there
 * @param depth where it is
 */
export function itemNames(
  values: readonly Sample[],
  depth: number,
): (word: string, samples: readonly Sample[]) => boolean {
  const answersIn = (samples: readonly Sample[]): readonly Leaves[] =>
    samples
      .filter(
        ({ method, status, segments }) => method === 'GET' && status < 300 && segments.length === depth + 1,
      )
      .map(({ response }) => leavesOf(response))
  const [fullest] = answersIn(values).toSorted((a, b) => b.size - a.size)
  return (word, samples) => {
    const own = fullest === undefined || isReserved(word) ? [] : answersIn(samples)
    return own.length > 0 && own.every((leaves) => holds(leaves, word) && areLike(leaves, fullest))
  }
}

// What lists have is of many items.
function holds(leaves: Leaves, value: string): boolean {
  return [...leaves].some(([path, values]) => !path.includes('[') && values.includes(value))
}

function areLike(some: Leaves, others: Leaves | undefined): boolean {
  const shared = [...some.keys()].filter((path) => others?.has(path) === true).length
  return shared > 1 && shared * 2 >= Math.max(some.size, others?.size ?? 0)
}

/** Whether a path that ends in a segment has a list, or takes what is new. */
export function isCollection(samples: readonly Sample[], depth: number): boolean {
  return samples.some(
    ({ method, segments, status, response }) =>
      segments.length === depth + 1 && status < 300 && (method === 'POST' || listIn(response) !== undefined),
  )
}
