import type { Stream } from '../engine/random.ts'
import type { Item } from '../state/store.ts'
import type { Page } from './list-arguments.ts'

export type Args = Readonly<Record<string, unknown>>

/** An object without an id: it belongs to the place where it stands. */
export class Part {
  readonly typeName: string
  readonly stream: Stream
  /** Values that are not drawn. */
  readonly known: Item
  /** What it is the page of, as connections are. */
  readonly page: Page | undefined

  constructor(typeName: string, stream: Stream, known: Item = {}, page?: Page) {
    this.typeName = typeName
    this.stream = stream
    this.known = known
    this.page = page
  }
}
