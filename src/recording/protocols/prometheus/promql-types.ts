/** What an expression gives: `matrix` is a range vector, `vector` an instant one. */
export type ValueType = 'scalar' | 'string' | 'vector' | 'matrix'

export type Labels = Readonly<Record<string, string>>
/** A value at a time, in seconds since 1970. */
export type Point = readonly [time: number, value: number]

/** What the label of a series has to be. */
export interface Matcher {
  readonly label: string
  readonly accepts: (text: string) => boolean
  /** What it has to be equal to. */
  readonly value?: string
}

/** Series as they are at a time, or within so many seconds before it. */
export interface Select {
  readonly kind: 'select'
  readonly matchers: readonly Matcher[]
  readonly range?: number
  readonly offset: number
  readonly at?: number
}

/** One value of many. */
export interface Aggregate {
  readonly kind: 'aggregate'
  readonly name: string
  readonly of: Expression
  readonly parameter: Expression | undefined
  readonly labels: readonly string[]
  readonly isWithout: boolean
}

/** Two expressions with an operator between them. */
export interface Binary {
  readonly kind: 'binary'
  readonly operator: string
  readonly left: Expression
  readonly right: Expression
  readonly isBool: boolean
  readonly on: readonly string[] | undefined
  readonly ignoring: readonly string[]
  /** The side of which several may match one of the other. */
  readonly many: 'left' | 'right' | undefined
  readonly includes: readonly string[]
}

interface Subquery {
  readonly kind: 'subquery'
  readonly of: Expression
  readonly range: number
  readonly step: number | undefined
  readonly offset: number
  readonly at?: number
}

/** A PromQL expression. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'negative'; readonly of: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | Select
  | Subquery
  | Aggregate
  | Binary

/** What a function takes and gives. */
export interface Signature {
  readonly takes: readonly ValueType[]
  /** How many of these may be left out. */
  readonly optional?: number
  /** Whether the last of them may come again. */
  readonly isMany?: boolean
  readonly gives: ValueType
}

const OF_VECTOR: Signature = { takes: ['vector'], gives: 'vector' }
const OF_MATRIX: Signature = { takes: ['matrix'], gives: 'vector' }
const OF_TIME: Signature = { takes: ['vector'], optional: 1, gives: 'vector' }

function each(names: string, signature: Signature): Readonly<Record<string, Signature>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, signature]))
}

/** PromQL's functions, as its documentation has them. */
export const FUNCTIONS: Readonly<Record<string, Signature | undefined>> = {
  ...each('abs ceil floor exp ln log2 log10 sqrt sgn sort sort_desc timestamp absent', OF_VECTOR),
  ...each('sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh deg rad', OF_VECTOR),
  ...each('rate irate increase delta idelta deriv changes resets absent_over_time', OF_MATRIX),
  ...each('avg_over_time min_over_time max_over_time sum_over_time count_over_time', OF_MATRIX),
  ...each('last_over_time first_over_time present_over_time stddev_over_time stdvar_over_time', OF_MATRIX),
  ...each('minute hour day_of_week day_of_month day_of_year days_in_month month year', OF_TIME),
  round: { takes: ['vector', 'scalar'], optional: 1, gives: 'vector' },
  clamp: { takes: ['vector', 'scalar', 'scalar'], gives: 'vector' },
  clamp_min: { takes: ['vector', 'scalar'], gives: 'vector' },
  clamp_max: { takes: ['vector', 'scalar'], gives: 'vector' },
  quantile_over_time: { takes: ['scalar', 'matrix'], gives: 'vector' },
  predict_linear: { takes: ['matrix', 'scalar'], gives: 'vector' },
  histogram_quantile: { takes: ['scalar', 'vector'], gives: 'vector' },
  label_replace: { takes: ['vector', 'string', 'string', 'string', 'string'], gives: 'vector' },
  label_join: { takes: ['vector', 'string', 'string', 'string'], optional: 1, isMany: true, gives: 'vector' },
  scalar: { takes: ['vector'], gives: 'scalar' },
  vector: { takes: ['scalar'], gives: 'vector' },
  time: { takes: [], gives: 'scalar' },
  pi: { takes: [], gives: 'scalar' },
}

/** How many arguments each of PromQL's aggregations takes. */
export const AGGREGATIONS: Readonly<Record<string, number | undefined>> = {
  ...{ sum: 1, avg: 1, count: 1, min: 1, max: 1, group: 1, stddev: 1, stdvar: 1 },
  ...{ topk: 2, bottomk: 2, quantile: 2, count_values: 2 },
}
