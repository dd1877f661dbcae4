import { SPACE } from './budget.ts'
import { createHeights } from './height.ts'
import { createFold } from './merge.ts'
import { createResolver, type Schema } from './schema.ts'
import { createSizes } from './sizes.ts'

/** How many items a list has without being long, and what each of them may have. */
export interface ListSpace {
  readonly count: number
  /** About the most bytes of an item, for `compileGenerator`. */
  readonly space: number
}

// Items are kept short before a list has fewer than these.
const FEW = 10

/**
 * Divides the space of an answer between the items of its list: as many as usual where they are short, fewer where
 * even short ones would be too much together.
 */
export function spaceOfList(item: Schema, usual: number): ListSpace {
  const resolve = createResolver(item)
  const fold = createFold(resolve)
  const { least, most } = createSizes(fold, createHeights(resolve, fold))
  const whole = Math.floor(SPACE / most(item))
  const short = Math.max(1, Math.floor(SPACE / least(item)))
  const count = Math.max(1, Math.min(usual, Math.max(whole, FEW), short))
  return { count, space: Math.floor(SPACE / count) }
}

/** What an item may have that is shown in lists whose length is not known. */
export const ITEM_SPACE = SPACE / FEW
