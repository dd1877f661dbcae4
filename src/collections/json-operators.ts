import { isPresent, isSame, OPERATIONS } from './filter-functions.ts'

/** Whether a value is as an operator wants it. */
export type Holds = (value: unknown, wanted: unknown) => boolean

const isIn: Holds = (value, wanted) => [wanted].flat().some((each) => isSame(value, each))
const has: Holds = (value, wanted) =>
  OPERATIONS['co']?.(value, typeof wanted === 'string' ? wanted.replaceAll(/^[%*]|[%*]$/g, '') : wanted) ===
  true
const by = (name: string): Holds => OPERATIONS[name] as Holds

// A query has it as a text.
const isThere: Holds = (value, wanted) => isPresent(value) === ['true', '1'].includes(String(wanted))
/** Likewise, in whatever case. */
const inAnyCase =
  (holds: Holds): Holds =>
  (value, wanted) =>
    holds(lowerOf(value), lowerOf(wanted))
const not =
  (holds: Holds): Holds =>
  (value, wanted) =>
    !holds(value, wanted)

function lowerOf(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}

const OTHER_NAMES = {
  neq: 'ne',
  equals: 'eq',
  not_equals: 'ne',
  greater_than: 'gt',
  greater_than_equal: 'ge',
  less_than: 'lt',
  less_than_equal: 'le',
  gte: 'ge',
  lte: 'le',
  '>': 'gt',
  '>=': 'ge',
  '<': 'lt',
  '<=': 'le',
  '!=': 'ne',
} as const

/** Operators by their names in lower case, without a sign before them. */
export const OPERATORS: ReadonlyMap<string, Holds> = new Map([
  ...(['eq', 'ne', 'gt', 'lt'] as const).map((name) => [name, by(name)] as const),
  ...Object.entries(OTHER_NAMES).map(([name, usual]) => [name, by(usual)] as const),
  ...(['in', 'inq'] as const).map((name) => [name, isIn] as const),
  ...(['nin', 'notin', 'not_in'] as const).map((name) => [name, not(isIn)] as const),
  ...(['like', 'ilike', 'contains', 'icontains'] as const).map((name) => [name, has] as const),
  ...(['notcontains', 'ncontains'] as const).map((name) => [name, not(has)] as const),
  ['eqi', inAnyCase(by('eq'))],
  ['nei', not(inAnyCase(by('eq')))],
  ['containsi', inAnyCase(has)],
  ['notcontainsi', not(inAnyCase(has))],
  ['startswithi', inAnyCase(by('sw'))],
  ['endswithi', inAnyCase(by('ew'))],
  ...(['startswith', 'starts_with'] as const).map((name) => [name, by('sw')] as const),
  ...(['endswith', 'ends_with'] as const).map((name) => [name, by('ew')] as const),
  ...['exists', 'notnull', 'nnull'].map((name): [string, Holds] => [name, isThere]),
  ['null', (value, wanted) => !isThere(value, wanted)],
  [
    'between',
    (value, wanted) => Array.isArray(wanted) && by('ge')(value, wanted[0]) && by('le')(value, wanted[1]),
  ],
])

// Without the sign, these may be names of fields.
export const OF_LISTS: ReadonlyMap<string, Holds> = new Map<string, Holds>([
  ['$size', (value, wanted) => Array.isArray(value) && value.length === wanted],
  [
    '$all',
    (value, wanted) =>
      Array.isArray(value) &&
      Array.isArray(wanted) &&
      wanted.length > 0 &&
      wanted.every((each) => value.some((entry) => isSame(entry, each))),
  ],
])
