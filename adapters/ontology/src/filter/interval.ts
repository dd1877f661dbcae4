import { invalidArgument } from '../errors.ts'
import { entryOf, isRecord, textOf } from '../values/value.ts'
import { type Clause, type Operator, someValue, textField } from './operator.ts'
import { isNear, termsOf, defaultFuzziness } from './terms.ts'

/** A stretch of terms, and how many terms of it were requested. */
interface Interval {
  readonly start: number
  readonly end: number
  readonly covered: number
}

/** Where in a list of terms a rule is met. */
type Rule = (terms: readonly string[]) => readonly Interval[]

const MAX_RULES = 64

const single =
  (test: (term: string) => boolean): Rule =>
  (terms) =>
    terms.flatMap((term, start) => (test(term) ? [{ start, end: start, covered: 1 }] : []))

/** Of intervals over the same stretch only the fullest counts. */
const fullest = (intervals: readonly Interval[]): Interval[] => {
  const best = new Map<string, Interval>()
  for (const interval of intervals) {
    const key = `${interval.start}:${interval.end}`
    if ((best.get(key)?.covered ?? -1) < interval.covered) best.set(key, interval)
  }
  return [...best.values()]
}

const gaps = ({ start, end, covered }: Interval): number => Math.max(0, end - start + 1 - covered)

const together =
  (rules: readonly Rule[], isOrdered: boolean, maxGaps: number | undefined): Rule =>
  (terms) => {
    const [first, ...rest] = rules.map((rule) => rule(terms))
    let found = first ?? []
    for (const candidates of rest) {
      found = fullest(
        found.flatMap((left) =>
          candidates
            .filter((right) => !isOrdered || right.start > left.end)
            .map((right) => ({
              start: Math.min(left.start, right.start),
              end: Math.max(left.end, right.end),
              covered: left.covered + right.covered,
            })),
        ),
      )
    }
    return maxGaps === undefined ? found : found.filter((interval) => gaps(interval) <= maxGaps)
  }

const wordsIn = (rule: Clause, key: string): string => {
  const value = rule[key]
  if (typeof value !== 'string')
    throw invalidArgument(`an interval rule ${textOf(rule['type'])} needs \`${key}\``)
  return value
}

const gapsOf = ({ maxGaps }: Clause): number | undefined => {
  if (maxGaps !== undefined && typeof maxGaps !== 'number') throw invalidArgument('`maxGaps` is a number')
  return maxGaps
}

const rulesOf = ({ rules, type }: Clause): Rule[] => {
  if (!Array.isArray(rules) || rules.length === 0 || rules.length > MAX_RULES) {
    throw invalidArgument(`an interval rule ${textOf(type)} needs one to ${MAX_RULES} \`rules\``)
  }
  return rules.map(compileRule)
}

const queryTerms = (rule: Clause): string[] => termsOf(wordsIn(rule, 'query')).slice(0, MAX_RULES)

const RULES: Readonly<Record<string, (rule: Clause) => Rule>> = {
  match: (rule) =>
    together(
      queryTerms(rule).map((wanted) => single((term) => term === wanted)),
      rule['ordered'] === true,
      gapsOf(rule),
    ),
  prefixOnLastToken: (rule) => {
    const wanted = queryTerms(rule)
    const tests = wanted.map((each, index) =>
      single((term) => (index === wanted.length - 1 ? term.startsWith(each) : term === each)),
    )
    return together(tests, true, 0)
  },
  fuzzy: (rule) => {
    const wanted = wordsIn(rule, 'term').toLowerCase()
    const { fuzziness = defaultFuzziness(wanted) } = rule
    if (typeof fuzziness !== 'number') throw invalidArgument('`fuzziness` is a number')
    return single((term) => isNear(wanted, term, fuzziness))
  },
  allOf: (rule) => together(rulesOf(rule), rule['ordered'] === true, gapsOf(rule)),
  anyOf: (rule) => {
    const rules = rulesOf(rule)
    return (terms) => fullest(rules.flatMap((each) => each(terms)))
  },
}

const compileRule = (rule: unknown): Rule => {
  const compile = isRecord(rule) ? entryOf(RULES, rule['type']) : undefined
  if (compile === undefined || !isRecord(rule)) {
    throw invalidArgument(`an interval rule is one of ${Object.keys(RULES).join(', ')}`)
  }
  return compile(rule)
}

/** The clause over stretches of terms. */
export const INTERVAL: Readonly<Record<string, Operator>> = {
  interval: (clause, context) => {
    const field = textField(clause, context)
    const rule = compileRule(clause['rule'])
    return someValue(field, (value) => rule(termsOf(String(value))).length > 0)
  },
}
