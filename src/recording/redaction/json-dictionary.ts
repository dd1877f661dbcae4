/** An object that may be a dictionary: texts of a program in one language. */
export interface Dictionary {
  /** Where it begins. */
  readonly start: number
  members: number
  /** Where hidden texts begin that are words. */
  readonly hidden: number[]
}

const MIN_MEMBERS = 20
const MOST = 0.9
const TEXT = /:\s{0,9}"(?:[^"\\]|\\.)*"/g
/** Letters, or words in a row with signs and numbers that are put in. */
const OF_WORDS = /^:\s{0,9}"(?:[^\d@/\\_=]{2,300}|[^"]{0,400}?[\p{L}\p{M}]{2} [\p{L}\p{M}]{2}[^]*)"$/u
const WORDS = /^"\p{L}[\p{L}\p{M}'’ .:?!,()«»-]{1,200}"$/u

/** Notes a text of an object that was taken for a secret, with quotes. */
export function noteHidden({ hidden }: Dictionary, string: string, start: number): void {
  if (WORDS.test(string)) hidden.push(start)
}

/** How many characters of a text may still be looked at for dictionaries, which may lie within each other. */
export interface Budget {
  left: number
}

/** How often a character may be looked at, on average. */
export const LOOKS = 4

/**
 * Where texts begin that stand in a dictionary which ends here, and so are harmless, as `"pass": "weekend"` among
 * many others: records of persons and accounts have fewer texts, and not all of words.
 */
export function wordsIn(
  { start, hidden, members }: Dictionary,
  text: string,
  end: number,
  budget: Budget,
): readonly number[] {
  if (hidden.length === 0 || members < MIN_MEMBERS) return []
  budget.left -= end - start
  if (budget.left < 0) return []
  const texts = text.slice(start, end).match(TEXT) ?? []
  const words = texts.filter((each) => OF_WORDS.test(each))
  return texts.length >= MOST * members && words.length >= MOST * texts.length ? hidden : []
}
