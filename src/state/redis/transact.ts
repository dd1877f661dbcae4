import { setTimeout as wait } from 'node:timers/promises'
import { StateContended, StateUncertain, StoreFull } from '../../errors.ts'
import type { Awaitable } from '../../message.ts'
import type { Beginning, Store } from '../store.ts'
import type { CollectionView } from './collection-view.ts'
import { commitView, needsAside, type Commits, type Committed } from './commit.ts'
import { giveBack } from './item-scripts.ts'
import { loadMissing, type ItemsContext } from './load.ts'
import { Loaded, type Missing, type Reserved } from './loaded.ts'
import { Looked, noteMade, type MadeItems } from './made.ts'
import { StoreView } from './store-view.ts'
import type { Turns } from './turns.ts'

/** The items of one session of a shared state. */
export interface TransactContext extends ItemsContext {
  readonly commits: Commits
  readonly made: MadeItems
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
export function transact<Result>(
  context: TransactContext,
  work: (store: Store) => Awaitable<Result>,
): Promise<Result> {
  return new Transaction(context).run(work)
}

class Transaction {
  readonly #context: TransactContext
  #loaded: Loaded
  /** Lets others have what this one has the turn of. */
  #release: (() => void) | undefined
  #held: readonly string[] = []
  #looked: Looked
  #tries = 0

  constructor(context: TransactContext) {
    this.#context = context
    this.#loaded = new Loaded(context.firstOf)
    this.#looked = new Looked(context.made, this.#loaded)
  }

  async run<Result>(work: (store: Store) => Awaitable<Result>): Promise<Result> {
    try {
      let view: StoreView | undefined
      for (;;) {
        this.#looked.replace()
        // What only looked at something is as good as another.
        if (view?.isChanged !== false) view = new StoreView(this.#loaded, this.#context.firstPaths)
        view.missing.length = 0
        let result: Result | undefined
        try {
          const made = work(view)
          result = made instanceof Promise ? await made : made
        } catch (error) {
          // Work may say in its own words that something was missing.
          if (view.missing.length === 0) {
            if (this.#looked.putBack()) continue
            await this.#giveBack()
            throw error
          }
        }
        if (view.missing.length > 0) {
          if (!(await this.#load(view.missing))) {
            await this.#leaveOlder()
            view = undefined
          }
        } else if (view.isChanged || !this.#looked.putBack()) {
          if (this.#isRead(view) || (await this.#isStored(view))) return result as Result
          view = undefined
        }
      }
    } finally {
      this.#release?.()
    }
  }

  // @returns whether it belongs to what was loaded before, so that the work can go on with it
  #load(missing: readonly Missing[]): Promise<boolean> {
    for (const each of missing) if (each.kind === 'item') this.#looked.add(each)
    return loadMissing(this.#context, this.#loaded, unique(missing))
  }

  // Begins again, with the ordinals of the latest beginning of the state alone.
  async #leaveOlder(): Promise<void> {
    const { reserved = new Map<string, Reserved>(), epoch } = this.#loaded
    const latest = Math.max(Number(epoch), ...[...reserved.values()].map((each) => Number(each.epoch)))
    for (const [path, each] of reserved) if (Number(each.epoch) < latest) reserved.delete(path)
    await this.#again()
  }

  // What was read at one moment, and changes nothing, is as it was then.
  #isRead(view: StoreView): boolean {
    return !view.isChanged && this.#loaded.rounds < 2 && this.#loaded.reserved === undefined
  }

  // What was read at several moments, and all that a change is decided by, must be as it was.
  async #isStored(view: StoreView): Promise<boolean> {
    if (!view.isChanged) {
      await this.#giveBack()
      if (this.#loaded.rounds < 2 || (await this.#commit(view)).kind === 'ok') return true
      await this.#again()
      return false
    }
    const names = [...view.collections.values()].filter(needsTurn).map(({ loaded }) => loaded.path)
    if (names.length > 0 && !(await this.#hasTurn(names))) return false
    const committed = await this.#commit(view)
    switch (committed.kind) {
      case 'ok':
        return true
      case 'full':
        await this.#giveBack()
        throw new StoreFull(committed.path, committed.most)
      case 'exists':
        if (!(await this.#load([{ ...committed, kind: 'item' }]))) await this.#leaveOlder()
        return false
      case 'unfilled':
        if (!(await this.#load([{ kind: 'facts', path: committed.path }]))) await this.#leaveOlder()
        return false
      case 'began':
        // Its ordinals are of before.
        this.#loaded.reserved = undefined
        await this.#again()
        return false
      default:
        await this.#again()
        return false
    }
  }

  async #commit(view: StoreView): Promise<Committed> {
    const { made, commits } = this.#context
    const forget = noteMade(made, view)
    try {
      const committed = await commitView(this.#context, commits, this.#loaded, view, () => this.#letGo())
      // What was read before it may have come along with its answer.
      if (committed.kind === 'ok') setImmediate(forget)
      else forget()
      return committed
    } catch (error) {
      forget()
      if (!(error instanceof StateUncertain)) await this.#giveBack()
      throw error
    }
  }

  // Changes by this gateway that are decided by a whole collection wait for each other, and begin again when their turn
  // comes; so do those that put the beginning of one in place.
  async #hasTurn(names: readonly string[]): Promise<boolean> {
    if (names.every((name) => this.#held.includes(name))) return true
    this.#release?.()
    this.#held = [...new Set([...this.#held, ...names])]
    const isFree = this.#context.turns.areFree(this.#held)
    this.#release = await this.#context.turns.take(this.#held)
    if (isFree) return true
    this.#forget()
    return false
  }

  // Who waits reads again, and what it reads comes after what was sent.
  #letGo(): void {
    this.#release?.()
    this.#release = undefined
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
    this.#looked = new Looked(this.#context.made, this.#loaded)
  }

  async #giveBack(): Promise<void> {
    const { ask, keys, gateway } = this.#context
    const given = [...(this.#loaded.reserved ?? [])].map(([path, { epoch, ordinal, passed }]) =>
      ask.run(
        giveBack,
        [keys.session, keys.meta(path), keys.given(path)],
        [gateway, epoch, ...passed, ordinal],
      ),
    )
    this.#loaded.reserved = undefined
    // A server that is gone, or another by now, knows nothing of them.
    if (given.length > 0) await Promise.allSettled(given)
  }
}

function needsTurn(view: CollectionView): boolean {
  return (view.isChanged && view.readsWhole) || needsAside(view)
}

function unique(missing: readonly Missing[]): readonly Missing[] {
  return missing.length < 2
    ? missing
    : [...new Map(missing.map((each) => [JSON.stringify(each), each])).values()]
}
