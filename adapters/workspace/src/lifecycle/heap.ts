/** A binary heap: `pop` gives the least entry first. */
export class Heap<Entry> {
  readonly #entries: Entry[] = []
  readonly #isBefore: (a: Entry, b: Entry) => boolean

  constructor(isBefore: (a: Entry, b: Entry) => boolean) {
    this.#isBefore = isBefore
  }

  get size(): number {
    return this.#entries.length
  }

  clear(): void {
    this.#entries.length = 0
  }

  peek(): Entry | undefined {
    return this.#entries[0]
  }

  push(entry: Entry): void {
    this.#entries.push(entry)
    let at = this.#entries.length - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#swapIfBefore(at, parent)) return
      at = parent
    }
  }

  pop(): Entry | undefined {
    const first = this.#entries[0]
    const last = this.#entries.pop()
    if (this.#entries.length > 0) {
      this.#entries[0] = last as Entry
      this.#sink()
    }
    return first
  }

  #sink(): void {
    let at = 0
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const isRightLess =
        right < this.#entries.length &&
        this.#isBefore(this.#entries[right] as Entry, this.#entries[left] as Entry)
      const child = isRightLess ? right : left
      if (child >= this.#entries.length || !this.#swapIfBefore(child, at)) return
      at = child
    }
  }

  #swapIfBefore(a: number, b: number): boolean {
    const [one, other] = [this.#entries[a] as Entry, this.#entries[b] as Entry]
    if (!this.#isBefore(one, other)) return false
    this.#entries[a] = other
    this.#entries[b] = one
    return true
  }
}
