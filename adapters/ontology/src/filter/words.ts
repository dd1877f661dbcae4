/** Where terms end: at white space and at punctuation. A period counts only inside a term. */
const SEPARATORS = /[\s?!,:;\-[\](){}'"~]+/

const withoutOuterPeriods = (term: string): string => {
  let [start, end] = [0, term.length]
  while (term[start] === '.') start++
  while (end > start && term[end - 1] === '.') end--
  return term.slice(start, end)
}

/** The terms of a text, in lower case and in order. */
export const termsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(SEPARATORS)
    .map(withoutOuterPeriods)
    .filter((term) => term !== '')

/** How many edits a term forgives when no number is given: longer terms forgive more. */
export const usualFuzziness = (term: string): number => (term.length < 3 ? 0 : term.length < 6 ? 1 : 2)

/** Whether two terms are at most so many edits apart; to exchange two neighbours is one edit. */
export const isNear = (left: string, right: string, edits: number): boolean => {
  if (left === right) return true
  if (Math.abs(left.length - right.length) > edits) return false
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const next = [row]
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isExchange = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (row > 1 && column > 1 && isExchange) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1)
      next.push(cost)
    }
    beforeLast = last
    last = next
  }
  return (last[right.length] ?? 0) <= edits
}
