import { setTimeout as wait } from 'node:timers/promises'
import { StateContended, StateUncertain, StoreFull } from '../../errors.ts'
import type { Awaitable } from '../../message.ts'
import type { Beginning, Store } from '../store.ts'
import { commitView, type Committed } from './commit.ts'
import { giveBack } from './item-scripts.ts'
import { loadMissing, type LoadContext } from './load.ts'
import { Loaded, NOT_LOADED, type Missing } from './loaded.ts'
import { StoreView } from './store-view.ts'
import type { Turns } from './turns.ts'

/** The items of one session of a shared state. */
export interface TransactContext extends LoadContext {
  /** What the app has in a collection from the start. */
  readonly firstOf: (path: string) => Beginning | undefined
  readonly firstPaths: readonly string[]
  readonly turns: Turns
  readonly retried: () => void
}

const MAX_TRIES = 100
const MAX_BACK_OFF_MS = 40

/**
 * Runs work on a view of the store, again once what it missed is loaded, and stores what it has changed, again from
 * the start where others were quicker.
 */
export async function transact<Result>(
  context: TransactContext,
  work: (store: Store) => Awaitable<Result>,
): Promise<Result> {
  const transaction = new Transaction(context)
  try {
    return await transaction.run(work)
  } finally {
    transaction.release?.()
  }
}

class Transaction {
  /** Lets others have what this one has the turn of. */
  release: (() => void) | undefined
  readonly #context: TransactContext
  #loaded: Loaded
  #held: readonly string[] = []
  #tries = 0

  constructor(context: TransactContext) {
    this.#context = context
    this.#loaded = new Loaded(context.firstOf)
  }

  async run<Result>(work: (store: Store) => Awaitable<Result>): Promise<Result> {
    for (;;) {
      const view = new StoreView(this.#loaded, this.#context.firstPaths)
      let result: Result
      try {
        const made = work(view)
        result = made instanceof Promise ? await made : made
      } catch (error) {
        // Work may say in its own words that something was missing.
        if (error !== NOT_LOADED && view.missing.length === 0) {
          await this.#giveBack()
          throw error
        }
        await this.#load(view.missing)
        continue
      }
      if (view.missing.length > 0) await this.#load(view.missing)
      else if (await this.#isStored(view)) return result
    }
  }

  async #load(missing: readonly Missing[]): Promise<void> {
    if (await loadMissing(this.#context, this.#loaded, unique(missing))) return
    const { reserved, epoch } = this.#loaded
    const latest = Math.max(Number(epoch), ...[...reserved.values()].map((each) => Number(each.epoch)))
    for (const [path, each] of reserved) if (Number(each.epoch) < latest) reserved.delete(path)
    await this.#again()
  }

  // What was read at several moments, and all that a change is decided by, must be as it was.
  async #isStored(view: StoreView): Promise<boolean> {
    if (!view.isChanged) {
      await this.#giveBack()
      if (this.#loaded.rounds < 2 || (await this.#commit(view)).kind === 'ok') return true
      await this.#again()
      return false
    }
    if (!(await this.#hasTurn(view))) return false
    const committed = await this.#commit(view)
    switch (committed.kind) {
      case 'ok':
        return true
      case 'full':
        await this.#giveBack()
        throw new StoreFull(committed.path, committed.most)
      case 'exists':
        await this.#load([{ ...committed, kind: 'item' }])
        return false
      case 'unfilled':
        await this.#load([{ kind: 'facts', path: committed.path }])
        return false
      case 'began':
        // Its ordinals are of before.
        this.#loaded.reserved.clear()
        await this.#again()
        return false
      default:
        await this.#again()
        return false
    }
  }

  async #commit(view: StoreView): Promise<Committed> {
    try {
      return await commitView(this.#context, this.#loaded, view, () => this.#letGo())
    } catch (error) {
      if (!(error instanceof StateUncertain)) await this.#giveBack()
      throw error
    }
  }

  // Changes of the same items by this gateway wait for each other, and begin again when their turn comes.
  async #hasTurn(view: StoreView): Promise<boolean> {
    const names = namesOf(view)
    if (names.every((name) => this.#held.includes(name))) return true
    this.release?.()
    this.#held = [...new Set([...this.#held, ...names])]
    const isFree = this.#context.turns.areFree(this.#held)
    this.release = await this.#context.turns.take(this.#held)
    if (isFree) return true
    this.#forget()
    return false
  }

  // Who waits reads again, and what it reads comes after what was sent.
  #letGo(): void {
    this.release?.()
    this.release = undefined
    this.#held = []
  }

  async #again(): Promise<void> {
    this.#forget()
    this.#context.retried()
    if (++this.#tries >= MAX_TRIES) {
      await this.#giveBack()
      throw new StateContended(MAX_TRIES)
    }
    const most = Math.min(MAX_BACK_OFF_MS, 2 ** Math.min(this.#tries, 10))
    if (this.#tries > 1) await wait(Math.random() * most)
  }

  #forget(): void {
    this.#loaded = new Loaded(this.#context.firstOf, this.#loaded.reserved)
  }

  async #giveBack(): Promise<void> {
    const { ask, keys, gateway } = this.#context
    const given = [...this.#loaded.reserved].map(([path, { epoch, ordinal, passed }]) =>
      ask.run(
        giveBack,
        [keys.session, keys.meta(path), keys.given(path)],
        [gateway, epoch, ...passed, ordinal],
      ),
    )
    this.#loaded.reserved.clear()
    // A server that is gone, or another by now, knows nothing of them.
    if (given.length > 0) await Promise.allSettled(given)
  }
}

// What others may change between a look at it and a change of it.
function namesOf(view: StoreView): string[] {
  const names: string[] = []
  for (const { loaded, changes, readsWhole, isChanged } of view.collections.values()) {
    if (isChanged && readsWhole) names.push(loaded.path)
    for (const { id } of changes) if (loaded.items.has(id)) names.push(`${loaded.path}\n${id}`)
  }
  return names
}

function unique(missing: readonly Missing[]): readonly Missing[] {
  return missing.length < 2
    ? missing
    : [...new Map(missing.map((each) => [JSON.stringify(each), each])).values()]
}
