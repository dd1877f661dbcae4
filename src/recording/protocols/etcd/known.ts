import type { Args } from './pairs.ts'
import type { RefusalForm } from './refusal.ts'

/** The types of a model's objects. */
export const PAIRS = 'pair'
export const LEASES = 'lease'
export const STATE = 'state'

/** What a recording shows of a server, apart from what it stores. */
export interface Learned {
  readonly root: string
  /** What is in the header of every answer besides the revision. */
  readonly header: Args
  /** By reason. */
  readonly refusals: Readonly<Record<string, RefusalForm>>
}
