import { ModelNotGenerable } from '../../../errors.ts'
import { greatestOf } from '../../../statistics.ts'

/** Items that a collection begins with, where nothing says how many; fewer where they would be more bytes than that. */
const DEFAULT_COUNT = 20

// Of samples: items that name others are up to half as long again, and an answer is to stay below 64 KiB.
const MAX_LIST_BYTES = 40 * 1024
/** Items that are made to see how long they are. */
const SAMPLES = ['0', '1', '2']

/** How many items a collection begins with, by how long some are; none where nothing fits their model. */
export function usualCountOf(make: (sample: string) => unknown): number {
  const lengths = SAMPLES.flatMap((sample) => lengthOf(make, sample) ?? [])
  if (lengths.length === 0) return 0
  return Math.min(DEFAULT_COUNT, Math.max(1, Math.floor(MAX_LIST_BYTES / greatestOf(lengths))))
}

function lengthOf(make: (sample: string) => unknown, sample: string): number | undefined {
  try {
    return JSON.stringify(make(sample)).length
  } catch (error) {
    if (error instanceof ModelNotGenerable) return undefined
    throw error
  }
}
