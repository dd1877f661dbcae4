import { StoredItem, type Beginning, type StoreSnapshot } from '../store.ts'

/** What a piece of work needs to see of the store before it can be run. */
export type Missing =
  | { readonly kind: 'facts'; readonly path: string }
  | { readonly kind: 'all'; readonly path: string }
  | { readonly kind: 'ordinal'; readonly path: string }
  | { readonly kind: 'item'; readonly path: string; readonly id: string }
  | { readonly kind: 'page'; readonly path: string; readonly offset: number; readonly limit: number }
  | { readonly kind: 'paths' }

/** Thrown where work looks at what is not loaded. It is one object, since to make an error costs more than the rest. */
export const NOT_LOADED: Error = Object.assign(Object.create(Error.prototype) as Error, {
  name: 'NotLoaded',
  message: 'This part of the shared store is not loaded yet',
})

/** An item as the server has it. */
export interface HeldItem {
  /** The number of the change that made it; or, after `=`, the text that a change which is on its way gives it. */
  readonly rev: string
  readonly item: StoredItem
}

/** What the server says of whether something was stored in a collection. */
export const KNOWN = ['no', 'yes', 'cleared'] as const

/** What is known of a collection as a whole. */
export interface Facts {
  /** Whether something was stored in it; `cleared` where not even what the app begins with is there. */
  readonly known: (typeof KNOWN)[number]
  readonly size: number
  /** Empty where none was assigned. */
  readonly assigned: string
  /** The number of its latest change; absent where that was not loaded. */
  readonly seq: string | undefined
}

/** What a script replies of a collection. */
export type FactsReply = readonly [
  ...[known: number, size: number, assigned: string, seq: string],
  ...more: readonly unknown[],
]

/** What is known of a collection as a whole, by a reply. */
export function factsOf([known, size, assigned, seq]: FactsReply): Facts {
  return { known: KNOWN[known] ?? 'no', size, assigned, seq }
}

/** An ordinal that was taken for what a piece of work is to add. */
export interface Reserved {
  readonly epoch: string
  /** The latest, which is to be used. */
  ordinal: number
  /** Those before it, whose ids were in use already. */
  readonly passed: number[]
}

/** What has been loaded of one collection. */
export class LoadedCollection {
  readonly path: string
  /** What the app has in it from the start. */
  readonly first: Beginning | undefined
  /** What it holds by its description until something is stored. */
  beginning: Beginning | undefined
  facts: Facts | undefined
  /** Whether something was stored in it when one item was looked for. */
  knownAt: Facts['known'] | undefined
  /** `undefined` for an id that no item has. */
  readonly items = new Map<string, HeldItem | undefined>()
  /** The ids of pages, by offset and limit. */
  pages: Map<string, readonly string[]> | undefined
  /** The ids of all items, in order. */
  order: readonly string[] | undefined

  constructor(path: string, first: Beginning | undefined) {
    this.path = path
    this.first = first
  }

  /** What it holds as long as nothing is stored. */
  get start(): Beginning | undefined {
    return this.known === 'cleared' ? this.beginning : (this.first ?? this.beginning)
  }

  get known(): Facts['known'] | undefined {
    return this.facts?.known ?? this.knownAt
  }

  /** Notes what is known of it as a whole. @returns whether it was not changed since that was loaded before */
  know(facts: Facts): boolean {
    const before = this.facts?.seq
    this.facts = facts
    return before === undefined || before === facts.seq
  }

  hold(id: string, text: string | null): void {
    this.items.set(id, heldOf(text))
  }
}

/** What has been loaded for a piece of work; it stays while the work runs again. */
export class Loaded {
  readonly collections = new Map<string, LoadedCollection>()
  /** The ordinals that were taken, by collection; absent where none was. */
  reserved: Map<string, Reserved> | undefined
  /** Absent as long as only single items were loaded. */
  epoch: string | undefined
  /** The collections that something is stored in, and those whose first items were taken away. */
  paths: { readonly known: ReadonlySet<string>; readonly cleared: ReadonlySet<string> } | undefined
  /** How often something was loaded. */
  rounds = 0
  readonly #firstOf: (path: string) => Beginning | undefined

  constructor(firstOf: (path: string) => Beginning | undefined, reserved?: Map<string, Reserved>) {
    this.#firstOf = firstOf
    this.reserved = reserved
  }

  collection(path: string): LoadedCollection {
    let found = this.collections.get(path)
    if (found === undefined) {
      found = new LoadedCollection(path, this.#firstOf(path))
      this.collections.set(path, found)
    }
    return found
  }
}

/** An item as the server has it, by its text there. */
export function heldOf(text: string | null | undefined): HeldItem | undefined {
  if (text === null || text === undefined) return undefined
  const at = text.indexOf(':')
  return { rev: text.slice(0, at), item: new StoredItem(undefined, text.slice(at + 1)) }
}

/** What a collection holds by a snapshot. */
export function beginningOf({ assigned, items }: StoreSnapshot['collections'][string]): Beginning {
  const byId = new Map(items.map(([id, value]) => [id, new StoredItem(value)]))
  const all = [...byId.values()]
  return {
    ...{ size: byId.size, assigned },
    get: (id) => byId.get(id),
    page: (offset, limit) => all.slice(offset, offset + limit),
    entries: () => byId.entries(),
  }
}
