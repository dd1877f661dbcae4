/** Something that has begun, and knows where among its like it is kept. */
export interface Member {
  /** Below zero when it is not among them. */
  place: number
}

/**
 * Those that have begun and not yet ended. A list rather than a `Set`: one that many come to and go from leaves tables
 * behind that keep what was in them alive until the whole heap is collected.
 */
export class UnderWay<Each extends Member> {
  readonly #members: Each[] = []

  add(member: Each): void {
    member.place = this.#members.push(member) - 1
  }

  /** Whether it was there. */
  delete(member: Each): boolean {
    const { place } = member
    const last = this.#members.at(-1)
    if (place < 0 || last === undefined) return false
    this.#members[place] = last
    last.place = place
    this.#members.pop()
    member.place = -1
    return true
  }

  /** Those that are there now. */
  all(): readonly Each[] {
    return [...this.#members]
  }
}
