import { invalidValue, type Operator, someValue, textField, textOperand } from './operator.ts'
import { isNear, termsOf, usualFuzziness } from './words.ts'

type Same = (wanted: string, term: string) => boolean

const exactly: Same = (wanted, term) => wanted === term
const nearly: Same = (wanted, term) => isNear(wanted, term, usualFuzziness(wanted))

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
export const TERMS: Readonly<
  Record<
    | 'containsAllTerms'
    | 'containsAnyTerm'
    | 'containsAllTermsInOrder'
    | 'containsAllTermsInOrderPrefixLastTerm'
    | 'startsWith',
    Operator
  >
> = {
  containsAllTerms: anyOrder('every'),
  containsAnyTerm: anyOrder('some'),
  containsAllTermsInOrder: adjacent(exactly),
  containsAllTermsInOrderPrefixLastTerm: prefix,
  // The old name of the one before, and no test of the text's beginning.
  startsWith: prefix,
}
