import type { FileOptions, FileOutcome } from '../../engine/file-option.ts'
import { decodeSegment } from '../../routing/path-template.ts'
import type { Item, Store } from '../../state/store.ts'
import { type Facts, fill } from './file-facts.ts'

/** The stored item that a file belongs to. */
export interface OwningItem {
  /** Gives it what it has once its file is stored. */
  change(facts: Facts): void
}

/** What a request comes to that stored a file. */
export const STORED: readonly FileOutcome[] = ['done', 'replaced', 'copied']

/** Finds the item that a file belongs to; `undefined` where it is not there. */
export function owningItem(
  { at, sets = {} }: NonNullable<FileOptions['item']>,
  facts: Facts,
  store: Store,
): OwningItem | undefined {
  const path = fill(at, facts, encodeURIComponent)
  const end = path.lastIndexOf('/')
  const [items, id] = [store.collection(path.slice(0, end)), decodeSegment(path.slice(end + 1))]
  const item = items.get(id)
  if (item === undefined) return undefined
  return {
    change(known) {
      const made = Object.entries(sets).map(([name, value]) => [name, valueOf(value, known)])
      if (made.length > 0) items.set(id, { ...item, ...(Object.fromEntries(made) as Item) })
    },
  }
}

// A size alone is a number; any other fact, as all around it, is a text.
function valueOf(value: unknown, facts: Facts): unknown {
  if (typeof value !== 'string') return value
  return value === '{size}' ? Number(fill(value, facts)) : fill(value, facts)
}
