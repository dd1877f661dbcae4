/** Where data lies in its document, and who is told what is wrong with it. */
export interface DataPlace {
  /** The directory that paths in the data are relative to. */
  readonly directory: string
  /** @param keys the keys below the data that lead to the mistake */
  tell(keys: readonly string[], message: string): void
}

/** The place of a part of the data. */
export function placeBelow({ directory, tell }: DataPlace, ...above: readonly string[]): DataPlace {
  return { directory, tell: (keys, message) => tell([...above, ...keys], message) }
}
