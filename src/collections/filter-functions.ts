/** Gives the value of a field of what is to be tested. */
export type ReadField = (field: string) => unknown

/** A filter that is written as one text. */
export interface FilterExpression {
  /** The fields that it speaks of, with dots between the names of nested ones. */
  readonly fields: readonly string[]
  readonly passes: (read: ReadField) => boolean
}

/** What two values are compared by, by the words for it. */
export const OPERATIONS: Readonly<Record<string, (left: unknown, right: unknown) => boolean>> = {
  eq: isSame,
  ne: (left, right) => !isSame(left, right),
  gt: (left, right) => compare(left, right) > 0,
  ge: (left, right) => compare(left, right) >= 0,
  lt: (left, right) => compare(left, right) < 0,
  le: (left, right) => compare(left, right) <= 0,
  co: (left, right) => holds(left, right, 'includes'),
  sw: (left, right) => holds(left, right, 'startsWith'),
  ew: (left, right) => holds(left, right, 'endsWith'),
}

/** What is computed of two numbers, by the words for it. */
export const SIGNS: Readonly<Record<string, (left: number, right: number) => number>> = {
  add: (left, right) => left + right,
  sub: (left, right) => left - right,
  mul: (left, right) => left * right,
  div: (left, right) => left / right,
  mod: (left, right) => left % right,
}

/** Functions by their names in lower case. */
export const FUNCTIONS = new Map<string, (...values: readonly unknown[]) => unknown>(
  Object.entries({
    contains: (text: unknown, part: unknown) => holds(text, part, 'includes'),
    substringof: (part: unknown, text: unknown) => holds(text, part, 'includes'),
    startswith: (text: unknown, part: unknown) => holds(text, part, 'startsWith'),
    endswith: (text: unknown, part: unknown) => holds(text, part, 'endsWith'),
    tolower: (text: unknown) => (typeof text === 'string' ? text.toLowerCase() : null),
    toupper: (text: unknown) => (typeof text === 'string' ? text.toUpperCase() : null),
    trim: (text: unknown) => (typeof text === 'string' ? text.trim() : null),
    length: (text: unknown) => (typeof text === 'string' ? text.length : null),
    concat: (some: unknown, other: unknown) => `${textOf(some)}${textOf(other)}`,
    indexof: (text: unknown, part: unknown) => textOf(text).indexOf(textOf(part)),
    substring: (text: unknown, from: unknown, count: unknown = Infinity) =>
      textOf(text).slice(Number(from), Number(from) + Number(count)),
    floor: (number: unknown) => Math.floor(Number(number)),
    ceiling: (number: unknown) => Math.ceil(Number(number)),
    round: (number: unknown) => Math.round(Number(number)),
    year: (date: unknown) => Number(textOf(date).slice(0, 4)),
    month: (date: unknown) => Number(textOf(date).slice(5, 7)),
    day: (date: unknown) => Number(textOf(date).slice(8, 10)),
  }),
)

/** Whether there is a value. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** Whether values are equal. One value of several is enough; what is not there is null. */
export function isSame(left: unknown, right: unknown): boolean {
  if (Array.isArray(left)) return left.some((each) => isSame(each, right))
  const [some, other] = [left ?? null, right ?? null]
  return some === other || (some !== null && other !== null && compare(some, other) === 0)
}

// Not a number where they cannot be compared.
function compare(left: unknown, right: unknown): number {
  const [some, other] = [left ?? null, right ?? null]
  if (some === null || other === null) return Number.NaN
  if (typeof some === 'number' || typeof other === 'number') return Number(some) - Number(other)
  const [one, two] = [textOf(some), textOf(other)]
  if (one === two) return 0
  return one < two ? -1 : 1
}

function holds(text: unknown, part: unknown, by: 'includes' | 'startsWith' | 'endsWith'): boolean {
  return isPresent(text) && textOf(text)[by](textOf(part))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}
