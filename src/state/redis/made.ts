import type { HeldItem, Loaded } from './loaded.ts'
import type { StoreView } from './store-view.ts'

/** An item as a change leaves it. */
interface Made {
  readonly held: HeldItem | undefined
}

/** What changes of this gateway make of items, while they are on their way, by collection and id. */
export type MadeItems = Map<string, Made>

/** Notes what a piece of work makes of items. @returns what forgets that again */
export function noteMade(made: MadeItems, view: StoreView): () => void {
  const own: (readonly [name: string, item: Made])[] = []
  for (const { loaded, changes } of view.collections.values())
    for (const { id, item } of changes)
      own.push([nameOf(loaded.path, id), { held: item && { rev: `=${item.text}`, item } }])
  for (const [name, item] of own) made.set(name, item)
  return () => {
    for (const [name, item] of own) if (made.get(name) === item) made.delete(name)
  }
}

/**
 * The items that one piece of work has looked for. Work that changes an item goes on from the change before it, whose
 * answer it need not wait for: it is stored only where the item is what that change was to make of it.
 */
export class Looked {
  readonly #made: MadeItems
  readonly #loaded: Loaded
  readonly #items: { readonly path: string; readonly id: string; stored?: Made }[] = []
  #isPlain = false

  constructor(made: MadeItems, loaded: Loaded) {
    this.#made = made
    this.#loaded = loaded
  }

  add({ path, id }: { readonly path: string; readonly id: string }): void {
    this.#items.push({ path, id })
  }

  /** Has the work see what changes that are on their way make of them. */
  replace(): void {
    if (this.#made.size === 0 || this.#isPlain) return
    for (const each of this.#items) {
      const made = this.#made.get(nameOf(each.path, each.id))
      if (made === undefined) continue
      const { items } = this.#loaded.collection(each.path)
      if (!items.has(each.id)) continue
      each.stored ??= { held: items.get(each.id) }
      items.set(each.id, made.held)
    }
  }

  /** Has it see only what is stored from now on, as what changes nothing must. @returns whether it saw anything else */
  putBack(): boolean {
    let isReplaced = false
    for (const { path, id, stored } of this.#items) {
      if (stored === undefined) continue
      isReplaced = true
      this.#loaded.collection(path).items.set(id, stored.held)
    }
    this.#items.length = 0
    this.#isPlain = true
    return isReplaced
  }
}

function nameOf(path: string, id: string): string {
  return `${path}\n${id}`
}
