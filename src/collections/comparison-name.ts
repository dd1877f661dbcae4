import { wordsIn } from '../engine/schema/name-words.ts'

/** How a value is compared with what a request names. */
export type Compare = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'starts'

/** What the name of a parameter says: how its field is compared, and what the field is called, if the name has it. */
export interface Comparison {
  readonly operator: Compare
  /** `undefined` where the name means a moment, as `since` does. */
  readonly base: string | undefined
}

const WORDS: Readonly<Record<Compare, readonly string[]>> = {
  eq: ['eq', 'in', 'equal', 'equals', 'exact', 'iexact', 'any', 'eqany', 'filter', 'filters'],
  ne: ['ne', 'neq', 'not', 'noteq', 'notin', 'nin', 'exclude', 'excluding'],
  gt: ['gt', 'after', 'greaterthan', 'morethan', 'laterthan'],
  gte: [
    ...['gte', 'gteq', 'ge', 'min', 'minimum', 'from', 'since', 'start', 'newer', 'later', 'onorafter'],
    ...['greaterthanorequal', 'greaterthanorequalto', 'greaterthanequal'],
  ],
  lt: ['lt', 'before', 'lessthan', 'earlierthan'],
  lte: [
    ...['lte', 'lteq', 'le', 'max', 'maximum', 'to', 'until', 'till', 'end'],
    ...['older', 'earlier', 'onorbefore'],
    ...['lessthanorequal', 'lessthanorequalto', 'lessthanequal'],
  ],
  like: ['like', 'ilike', 'contains', 'icontains', 'cont', 'icont', 'contain', 'matches'],
  starts: ['startswith', 'istartswith', 'startwith', 'beginswith', 'startingwith'],
}

const OPERATORS: ReadonlyMap<string, Compare> = new Map(
  Object.entries(WORDS).flatMap(([operator, words]) => words.map((word) => [word, operator as Compare])),
)
/** What names a field only where it comes first: `by_status`, but not `created_by`. */
const FIRST = new Set(['by', 'filterby', 'with', 'is'])
/** The most words that an operator has: `greater than or equal to`. */
const MAX_WORDS = 5

const BARE =
  /^(since|until|after|before|from|to|start|end|startdate|enddate|fromdate|todate|datefrom|dateto|starttime|endtime|startat|endat|mindate|maxdate)$/
const LEAST = /^(min|from|after|since|start)$/

/** The operator that a name alone is, such as `gte` of `price[gte]`. */
export function operatorOf(name: string): Compare | undefined {
  return OPERATORS.get(wordsIn(name).join(''))
}

/** Reads `min_price`, `priceMax`, `created_after`, `status_eq`, `since`; `undefined` for a name that compares nothing. */
export function readComparison(name: string): Comparison | undefined {
  const words = wordsIn(name).filter((word) => word !== '')
  const whole = words.join('')
  if (BARE.test(whole)) {
    const side = whole.replace(/(date|time|at)/g, '')
    return { operator: LEAST.test(side) ? 'gte' : 'lte', base: undefined }
  }
  for (let count = Math.min(MAX_WORDS, words.length - 1); count > 0; count--) {
    const [last, first] = [words.slice(-count).join(''), words.slice(0, count).join('')]
    const atEnd = OPERATORS.get(last)
    if (atEnd !== undefined) return { operator: atEnd, base: words.slice(0, -count).join('_') }
    const atStart = FIRST.has(first) ? 'eq' : OPERATORS.get(first)
    if (atStart !== undefined) return { operator: atStart, base: words.slice(count).join('_') }
  }
  return undefined
}
