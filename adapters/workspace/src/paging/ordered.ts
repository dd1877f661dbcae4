/** What can be kept in order: its place in the sequence of creation, which never changes. */
export interface Sequenced {
  readonly sequence: number
}

/** Items in the order of their sequence numbers: adding at the end and finding a place cost next to nothing. */
export class Ordered<Item extends Sequenced> implements Iterable<Item> {
  readonly #items: Item[] = []

  get size(): number {
    return this.#items.length
  }

  add(item: Item): void {
    const last = this.#items.at(-1)
    if (last === undefined || last.sequence < item.sequence) this.#items.push(item)
    else this.#items.splice(this.#placeOf(item.sequence), 0, item)
  }

  delete(item: Item): void {
    const place = this.#placeOf(item.sequence)
    if (this.#items[place] !== item) return
    this.#items.splice(place, 1)
  }

  first(): Item | undefined {
    return this.#items[0]
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.upwards()
  }

  /** Oldest first, from the item after `sequence`. */
  *upwards(sequence: number = Number.NEGATIVE_INFINITY): Generator<Item> {
    for (let place = this.#placeOf(sequence + 1); place < this.#items.length; place += 1)
      yield this.#items[place] as Item
  }

  /** Newest first, from the item before `sequence`. */
  *downwards(sequence: number = Number.POSITIVE_INFINITY): Generator<Item> {
    for (let place = this.#placeOf(sequence) - 1; place >= 0; place -= 1) yield this.#items[place] as Item
  }

  /** The first place whose item is not before `sequence`. */
  #placeOf(sequence: number): number {
    let [low, high] = [0, this.#items.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#items[middle] as Item).sequence < sequence) low = middle + 1
      else high = middle
    }
    return low
  }
}
