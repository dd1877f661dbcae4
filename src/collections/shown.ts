import type { StoredItem } from '../state/store.ts'

/** What is answered about stored items. */
export interface Shown {
  /** `undefined` for an answer without a body. */
  readonly body: unknown
  /** The JSON text of the body, where it is known. */
  readonly json?: string | undefined
}

/** An item that is answered as it is stored. */
export class ShownItem implements Shown {
  readonly #item: StoredItem

  constructor(item: StoredItem) {
    this.#item = item
  }

  get json(): string {
    return this.#item.text
  }

  get body(): unknown {
    return this.#item.value
  }
}

/** What is answered where the JSON text is known: the body is made for those alone who ask for it. */
export class ShownText implements Shown {
  readonly json: string
  readonly #makeBody: () => unknown

  constructor(json: string, makeBody: () => unknown) {
    this.json = json
    this.#makeBody = makeBody
  }

  get body(): unknown {
    return this.#makeBody()
  }
}
