import type { Content } from '../files/contents.ts'

/** What is known of a file or directory, beside its place. */
export interface DbfsInfo {
  /** Absent for a directory. */
  readonly content?: Content
  modifiedAt: number
}
