import { invalidValue, type Operator, someValue, textField, textOperand } from './operator.ts'

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
export const defaultFuzziness = (term: string): number => (term.length < 3 ? 0 : term.length < 6 ? 1 : 2)

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

type Same = (wanted: string, term: string) => boolean

const exactly: Same = (wanted, term) => wanted === term
const nearly: Same = (wanted, term) => isNear(wanted, term, defaultFuzziness(wanted))

const anyOrder =
  (method: 'every' | 'some'): Operator =>
  (clause, context) => {
    const field = textField(clause, context)
    const wanted = termsOf(textOperand(clause, field))
    const { fuzzy = false } = clause
    if (typeof fuzzy !== 'boolean') throw invalidValue(field, fuzzy)
    const same = fuzzy ? nearly : exactly
    return someValue(field, (value) => {
      const terms = termsOf(String(value))
      return wanted.length > 0 && wanted[method]((each) => terms.some((term) => same(each, term)))
    })
  }

const adjacent =
  (isLast: Same): Operator =>
  (clause, context) => {
    const field = textField(clause, context)
    const wanted = termsOf(textOperand(clause, field))
    const last = wanted.length - 1
    return someValue(field, (value) => {
      const terms = termsOf(String(value))
      return (
        last >= 0 &&
        terms.some((_, start) =>
          wanted.every((each, index) => {
            const term = terms[start + index]
            return term !== undefined && (index === last ? isLast : exactly)(each, term)
          }),
        )
      )
    })
  }

const prefix = adjacent((wanted, term) => term.startsWith(wanted))

/** The clauses over the terms of a text. */
export const TERMS: Readonly<Record<string, Operator>> = {
  containsAllTerms: anyOrder('every'),
  containsAnyTerm: anyOrder('some'),
  containsAllTermsInOrder: adjacent(exactly),
  containsAllTermsInOrderPrefixLastTerm: prefix,
  // The old name of the one before, and no test of the text's beginning.
  startsWith: prefix,
}
