import { rewrite, type KeepOptions } from './rewrite.ts'

/** What of a recording stays. */
export type PruneOptions = KeepOptions

/** What a pruning did. */
export interface Pruned {
  readonly kept: number
  readonly removed: number
  /** Bodies in files that no exchange names any longer. */
  readonly removedBodies: number
}

/**
 * Takes exchanges out of a recording that nobody is writing. Until all is done, the old one stays whole.
 * @throws RecordingUnusable when there is no recording, or a line of it is not an exchange
 */
export async function pruneRecording(directory: string, options: PruneOptions): Promise<Pruned> {
  const { exchanges, removed, removedBodies } = await rewrite(directory, options)
  return { kept: exchanges, removed, removedBodies }
}
