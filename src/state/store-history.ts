import { createRing } from './journal.ts'
import { StoredItem } from './store.ts'

/** One change of a store, as what it takes to undo it. */
export interface Undo {
  /** The collection's path. */
  readonly path: string
  /** The item that was stored or removed; absent where only the count of assigned ids was changed. */
  readonly id?: string | undefined
  /** What was there; absent where there was nothing. */
  readonly before?: StoredItem | undefined
  /** Of an item that was removed: the one after it. */
  readonly next?: string | undefined
  /** How many ids had been assigned. */
  readonly assigned: number
  /** Whether nothing had been stored in the collection. */
  readonly began: boolean
}

/** The latest changes of a store. */
export interface StoreHistory {
  /** How many changes there were so far. */
  readonly version: number
  note(undo: Undo): void
  /** Makes all that was unreachable: the store was replaced. */
  forget(): void
  /**
   * What was changed since there had been so many changes, the newest first; `undefined` where that is no longer known.
   * It holds until the next change.
   */
  since(version: number): readonly Undo[] | undefined
}

/** As many as the journal of a session keeps by default: each request makes one. */
const MAX_CHANGES = 1000
const MAX_BYTES = 8 * 1024 * 1024

/** No changes yet. */
export function createStoreHistory(): StoreHistory {
  const ring = createRing<NotedUndo>(MAX_CHANGES, MAX_BYTES)
  let version = 0
  return {
    get version() {
      return version
    },
    note(undo) {
      version++
      ring.add((ring.oldestOfFull() ?? new NotedUndo()).fill(undo), undo.before?.bytes)
    },
    forget() {
      version++
      ring.clear()
    },
    since(since) {
      const count = version - since
      return count > ring.size || count < 0 ? undefined : ring.newest().slice(0, count)
    },
  }
}

/** A change in a history, which is seldom looked at: one that is dropped is filled anew, so that few are made. */
class NotedUndo implements Undo {
  path = ''
  id: string | undefined = undefined
  next: string | undefined = undefined
  assigned = 0
  began = false
  #before: StoredItem | string | undefined = undefined

  get before(): StoredItem | undefined {
    return typeof this.#before === 'string' ? new StoredItem(undefined, this.#before) : this.#before
  }

  fill({ path, id, before, next, assigned, began }: Undo): this {
    this.path = path
    this.id = id
    this.next = next
    this.assigned = assigned
    this.began = began
    this.#before = before?.kept
    return this
  }
}

/** The items of one collection in order, while changes of it are undone. */
export class RewoundItems {
  assigned: number
  readonly #nodes = new Map<string, Node>()
  /** Before the first, and after the last. */
  readonly #ends: Node

  constructor(assigned: number, items: Iterable<readonly [string, StoredItem]>) {
    this.assigned = assigned
    const ends = { item: undefined } as unknown as Node
    ends.after = ends.before = ends
    this.#ends = ends
    for (const [id, item] of items) this.#insert(id, item, ends)
  }

  undo({ id, before, next, assigned }: Undo): void {
    this.assigned = assigned
    if (id === undefined) return
    const node = this.#nodes.get(id)
    if (before === undefined) {
      if (node === undefined) return
      node.before.after = node.after
      node.after.before = node.before
      this.#nodes.delete(id)
    } else if (node === undefined) this.#insert(id, before, this.#nodes.get(next ?? '') ?? this.#ends)
    else node.item = before
  }

  *[Symbol.iterator](): IterableIterator<readonly [string, StoredItem]> {
    for (let node = this.#ends.after; node !== this.#ends; node = node.after) yield [node.id, node.item]
  }

  #insert(id: string, item: StoredItem, after: Node): void {
    const node: Node = { id, item, before: after.before, after }
    after.before.after = node
    after.before = node
    this.#nodes.set(id, node)
  }
}

interface Node {
  readonly id: string
  item: StoredItem
  before: Node
  after: Node
}
