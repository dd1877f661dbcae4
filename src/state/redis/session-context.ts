import type { Ask } from './scripts.ts'
import type { SessionKeys } from './session-keys.ts'

/** What is loaded of a session's items, and by whom. */
export interface LoadContext {
  readonly ask: Ask
  readonly keys: SessionKeys
  readonly gateway: string
  /** Collections that something was stored in when it was last looked. */
  readonly stored: Set<string>
  /** Notes how many changes the server has counted, in all and of this gateway. */
  readonly seen: (w: number, own: number) => void
}
