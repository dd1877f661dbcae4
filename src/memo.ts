/** Remembers what was found out about texts that come over and over. */
interface Memo<Value> {
  get(text: string): Value | undefined
  set(text: string, value: Value): void
}

/** Longer texts are not remembered: few of them come twice. */
const LONGEST = 256

/** @param most how many texts are remembered; with one more, all are forgotten */
export function createMemo<Value>(most = 2_000): Memo<Value> {
  const values = new Map<string, Value>()
  return {
    get: (text) => values.get(text),
    set(text, value) {
      if (text.length > LONGEST) return
      if (values.size >= most) values.clear()
      values.set(copyOf(text), value)
    },
  }
}

// A piece of a longer text keeps all of that in memory for as long as it is there itself.
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}
