import type { Awaitable } from '../message.ts'

/** What has become of a world since that was last taken. */
export interface Notes {
  /** Texts by which it can be done again, in order. */
  readonly entries: readonly string[]
  /** What they go on from: what was noted before, its beginning, or what it is now. */
  readonly since: 'before' | 'beginning' | 'now'
}

/** What a gateway has of a world that it holds. */
export interface Hold {
  /**
   * Looks whether it is still held, before something is changed that is kept elsewhere.
   * @throws StateElsewhere where another gateway may have it by now, StateUnavailable
   */
  confirm(): Promise<void>
}

/**
 * State that is too much of a whole to be shared item by item. Of the gateways that share a state, one at a time holds
 * it in memory; what was noted of it is kept with the shared state, so that another can go on where this one ended.
 */
export interface OwnedState {
  /** What it is called, the same in all gateways. */
  readonly name: string
  /** Those of one family are bounded together. */
  readonly family: string
  /** Makes it what it was at first. What was under way then no longer changes it. */
  begin(hold: Hold): Awaitable<void>
  /** Is called when it is no longer held, before another gateway gets it, if that is known in time. */
  leave?(): Awaitable<void>
  /** @throws OptionInvalid for what is not a snapshot of it */
  restore(snapshot: string): void
  /** Does again what was noted. */
  redo(entry: string): Awaitable<void>
  /** All of it, but for its counts; `undefined` where there can be no snapshots. */
  snapshot(): string | undefined
  /** What each request changes: a short text. */
  counts(): string
  setCounts(text: string): void
  /** What was noted since this was last called. */
  take(): Notes
  /** Calls back when nothing that changes it is half done. */
  settled<Result>(work: () => Awaitable<Result>): Promise<Result>
}
