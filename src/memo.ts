/** Remembers what was found out about texts that come over and over. */
interface Memo<Value> {
  get(text: string): Value | undefined
  set(text: string, value: Value): unknown
}

/** Longer texts are not remembered: few of them come twice. */
const LONGEST = 256

/** @param most how many texts are remembered; with one more, all are forgotten */
export function createMemo<Value>(most = 2_000): Memo<Value> {
  return new TextMap(most)
}

class TextMap<Value> extends Map<string, Value> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(text: string, value: Value): this {
    if (text.length > LONGEST) return this
    if (this.size >= this.#most) this.clear()
    return super.set(asOnePiece(text), value)
  }
}

/** Whether two lists of texts say the same. */
export function areSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false
  return true
}

/**
 * The same text in memory of its own. A piece of a longer text keeps all of that for as long as it is there itself, and
 * one that was put together is put together anew each time that it becomes part of another.
 */
export function asOnePiece(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}
