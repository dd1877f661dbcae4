import type { Stream } from '../random.ts'
import type { WordList } from './words.ts'

/** Draws a text. */
export interface Draw {
  (stream: Stream): string
  /** The lists of which it draws a word each, with spaces between them, where that is all it does. */
  readonly lists?: readonly WordList[]
}
