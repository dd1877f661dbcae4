import { createMemoryStore } from '../memory-store.ts'
import type { Beginning, Collection, Store, StoreSnapshot } from '../store.ts'
import { CollectionView } from './collection-view.ts'
import { NOT_LOADED, type Loaded, type Missing } from './loaded.ts'

/** A shared store as one run of a piece of work sees it: what was loaded, and what the work changes. */
export class StoreView implements Store {
  /** What the work looked at that is not loaded. */
  readonly missing: Missing[] = []
  readonly collections = new Map<string, CollectionView>()
  /** What is to be in place of everything. */
  replacement: Store | undefined
  readonly version = 0
  readonly #loaded: Loaded
  readonly #firstPaths: readonly string[]

  constructor(loaded: Loaded, firstPaths: readonly string[]) {
    this.#loaded = loaded
    this.#firstPaths = firstPaths
  }

  get isChanged(): boolean {
    if (this.replacement !== undefined) return true
    for (const each of this.collections.values()) if (each.isChanged) return true
    return false
  }

  get size(): number {
    if (this.replacement !== undefined) return this.replacement.size
    return this.#everyOne().reduce((sum, { size }) => sum + size, 0)
  }

  collection(path: string, beginning?: Beginning): Collection {
    if (this.replacement !== undefined) return this.replacement.collection(path, beginning)
    return this.#view(path, beginning)
  }

  has(path: string): boolean {
    if (this.replacement !== undefined) return this.replacement.has(path)
    const view = this.#view(path)
    if (view.changes.length > 0 || view.setAssigned !== undefined) return true
    if (view.isCleared) return false
    const { facts, first } = view.loaded
    if (facts === undefined) return this.#miss({ kind: 'facts', path })
    return facts.known === 'yes' || (facts.known === 'no' && first !== undefined)
  }

  paths(): Iterable<string> {
    if (this.replacement !== undefined) return this.replacement.paths()
    const { known, cleared } = this.#loaded.paths ?? this.#miss({ kind: 'paths' })
    const first = cleared.has('*') ? [] : this.#firstPaths.filter((path) => !cleared.has(path))
    const all = new Set([...first, ...[...known].toSorted()])
    for (const [path, view] of this.collections) {
      if (view.isCleared) all.delete(path)
      if (view.changes.length > 0 || view.setAssigned !== undefined) all.add(path)
    }
    return all
  }

  clear(path?: string): void {
    if (path === undefined) this.replacement = createMemoryStore()
    else if (this.replacement !== undefined) this.replacement.clear(path)
    else this.#view(path).clear()
  }

  snapshot(): StoreSnapshot {
    if (this.replacement !== undefined) return this.replacement.snapshot()
    const collections: Record<string, StoreSnapshot['collections'][string]> = {}
    for (const view of this.#everyOne())
      collections[view.loaded.path] = { assigned: view.assigned, items: [...view.entries()] }
    return { version: 1, collections }
  }

  restore(snapshot: StoreSnapshot): void {
    this.replacement = createMemoryStore()
    this.replacement.restore(snapshot)
  }

  /** What others did before is not known here. */
  before(): undefined {
    return undefined
  }

  #view(path: string, beginning?: Beginning): CollectionView {
    let view = this.collections.get(path)
    if (view === undefined) {
      view = new CollectionView(this.#loaded.collection(path), this.#loaded, this.missing)
      this.collections.set(path, view)
    }
    view.loaded.beginning ??= beginning
    return view
  }

  // All are loaded at once, not one after the other.
  #everyOne(): CollectionView[] {
    const views = [...this.paths()].map((path) => this.#view(path))
    const missing = views.filter(
      ({ loaded: { facts, order } }) => facts === undefined || (facts.known === 'yes' && order === undefined),
    )
    for (const { loaded } of missing) this.missing.push({ kind: 'all', path: loaded.path })
    if (missing.length > 0) throw NOT_LOADED
    return views
  }

  #miss(missing: Missing): never {
    this.missing.push(missing)
    throw NOT_LOADED
  }
}
