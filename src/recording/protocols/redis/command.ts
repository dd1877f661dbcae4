import type { Reply } from './reply.ts'
import type { Store } from './store.ts'

/** As many as the command takes at least. */
export type Args = readonly [string, string, string, string, ...string[]]

/**
 * Commands by their names in lower case: how many words they have with their name, at least so many where that is
 * negative; and what they do.
 */
export type Commands = Readonly<
  Record<string, readonly [arity: number, run: (args: Args, store: Store) => Reply]>
>
