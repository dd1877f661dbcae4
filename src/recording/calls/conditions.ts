import { isObject } from '../../engine/schema/schema.ts'
import { isScalar } from '../inference/values.ts'
import { compareValues, type Item, type Linked } from './objects.ts'

type Compare = (own: unknown, wanted: unknown) => boolean

const has: Compare = (own, wanted) => String(own).toLowerCase().includes(String(wanted).toLowerCase())
const is: Compare = (own, wanted) =>
  own === wanted || (isScalar(own) && isScalar(wanted) && String(own) === String(wanted))
const isIn: Compare = (own, wanted) => Array.isArray(wanted) && wanted.some((each) => is(own, each))
const isNull: Compare = (own, wanted) => (own === null || own === undefined) === (wanted === true)
// What is not there is neither more nor less than anything.
const orders = (holds: (order: number) => boolean): Compare => {
  return (own, wanted) => own !== null && own !== undefined && holds(compareValues(own, wanted))
}
// `%` stands for any text, and `_` for any character.
const isLike: Compare = (own, wanted) => {
  const parts = String(wanted).toLowerCase().split('%')
  const [first = '', ...others] = parts
  const text = String(own).toLowerCase()
  if (others.length === 0) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const [no, part] of others.entries()) {
    const isLast = no === others.length - 1
    const found = isLast ? Math.max(at, text.length - part.length) : text.indexOf(part, at)
    if (found === -1 || !text.startsWith(part, found)) return false
    at = found + part.length
  }
  return true
}
const not =
  (compare: Compare): Compare =>
  (own, wanted) =>
    !compare(own, wanted)

/** Names that compare, as they are common, without what begins or divides them. */
const OPERATORS: readonly (readonly [RegExp, Compare])[] = [
  [/^(eq|equals?|equalto|is)$/, is],
  [/^(ne|neq|noteq|notequals?|notequalto|isnot|not)$/, not(is)],
  [/^(gt|greaterthan|after)$/, orders((order) => order > 0)],
  [/^(gte|ge|greaterthanorequalto|greaterthanorequal|min)$/, orders((order) => order >= 0)],
  [/^(lt|lessthan|before)$/, orders((order) => order < 0)],
  [/^(lte|le|lessthanorequalto|lessthanorequal|max)$/, orders((order) => order <= 0)],
  [/^(in|inq|anyof|oneof)$/, isIn],
  [/^(nin|notin)$/, not(isIn)],
  [/^(i?like|likeinsensitive)$/, isLike],
  [/^(ni?like|noti?like|notlikeinsensitive)$/, not(isLike)],
  [/^(i?contains|icontains|includes|includesinsensitive|containsi|matches|search)$/, has],
  [/^(notcontains|notincludes)$/, not(has)],
  [
    /^(i?starts_?with|startswithinsensitive|startswithi)$/,
    (own, wanted) => start(own).startsWith(start(wanted)),
  ],
  [/^(i?ends_?with|endswithinsensitive|endswithi)$/, (own, wanted) => start(own).endsWith(start(wanted))],
  [/^(isnull|null)$/, isNull],
  [/^(notnull|exists)$/, not(isNull)],
]
const COMBINING = /^[_$]?(and|or|not|nor)$/i

function start(value: unknown): string {
  return String(value).toLowerCase()
}

function operatorOf(name: string): Compare | undefined {
  const plain = name.replaceAll(/[_$]/g, '').toLowerCase()
  return OPERATORS.find(([form]) => form.test(plain))?.[1]
}

/** Whether an object is as conditions want it, such as `{ price: { _gt: 5 }, _or: [{ … }, { … }] }`. */
export function meets(item: Item, conditions: unknown, linked: Linked): boolean {
  if (!isObject(conditions)) return true
  return Object.entries(conditions).every(([name, wanted]) => {
    const [, combining] = COMBINING.exec(name) ?? []
    if (combining !== undefined && typeof wanted === 'object') {
      const all = [wanted].flat().map((each) => meets(item, each, linked))
      const kind = combining.toLowerCase()
      if (kind === 'and') return all.every(Boolean)
      return kind === 'or' ? all.length === 0 || all.some(Boolean) : !all.some(Boolean)
    }
    const others = linked(item, name)
    if (others !== undefined && isObject(wanted) && !isCompared(wanted))
      return others.some(([other, further]) => meets(other, wanted, further))
    const own = item[memberNamed(name, item)]
    if (!isObject(wanted))
      return wanted === undefined || is(own, wanted) || (wanted === null && isNull(own, true))
    return Object.entries(wanted).every(([operator, value]) => operatorOf(operator)?.(own, value) ?? true)
  })
}

// A member that is an object is named by its id, too.
function memberNamed(name: string, known: Item | ReadonlySet<string>): string {
  const has = (each: string): boolean => (known instanceof Set ? known.has(each) : Object.hasOwn(known, each))
  const [, stem = ''] = /^(.+?)_?id$/i.exec(name) ?? []
  return !has(name) && stem !== '' && has(stem) ? stem : name
}

function isCompared(wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(wanted).every((name) => operatorOf(name) !== undefined)
}

// Conditions may be on members of an object within.
function comparesWithin(wanted: unknown): boolean {
  return isObject(wanted) && (isCompared(wanted) || Object.values(wanted).some(comparesWithin))
}

/** Whether a value is conditions on members: all its names are known, but for those of objects within, and some compare. */
export function areConditions(value: unknown, members: ReadonlySet<string>): boolean {
  let isComparing = false
  const isKnown = (part: unknown): boolean =>
    isObject(part) &&
    Object.entries(part).every(([name, wanted]) => {
      if (COMBINING.test(name)) return [wanted].flat().every(isKnown)
      isComparing ||= comparesWithin(wanted)
      return members.has(memberNamed(name, members))
    })
  return isKnown(value) && (isComparing || Object.keys(value as object).length === 0)
}
