import { isObject, setEntry, type Entries } from '../engine/schema/schema.ts'
import type { Item } from '../state/store.ts'

/** Makes what lays what is sent over an item; of members that are merged, what is not sent stays. */
export function createLayer(merges: readonly string[]): (item: Item, sent: Item) => Entries {
  const merged = new Set(merges)
  const layer = (item: Item, sent: Item, above: string): Entries => {
    const laid: Entries = { ...item, ...sent }
    for (const [name, after] of Object.entries(sent)) {
      const [before, path] = [item[name], above + name]
      if (merged.has(path) && isObject(before) && isObject(after))
        setEntry(laid, name, layer(before, after, `${path}/`))
    }
    return laid
  }
  return (item, sent) => (merged.size === 0 ? { ...item, ...sent } : layer(item, sent, ''))
}
