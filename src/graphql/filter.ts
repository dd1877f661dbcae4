import { isObject } from '../engine/schema/schema.ts'
import { namedTypeOf, pluralOf, type EntityType } from './model.ts'
import { Entity, textOf } from './object-graph.ts'

/** The value of an object's field, as it is without arguments. */
export type Read = (entity: Entity, field: string) => unknown

type Fits = (entity: Entity, filter: unknown) => boolean

type Test = (value: unknown, wanted: unknown) => boolean

const OPERATORS: Readonly<Record<string, Test>> = {
  eq: isEqual,
  equals: isEqual,
  equalto: isEqual,
  is: isEqual,
  ne: (value, wanted) => !isEqual(value, wanted),
  neq: (value, wanted) => !isEqual(value, wanted),
  not: (value, wanted) => !isEqual(value, wanted),
  notequals: (value, wanted) => !isEqual(value, wanted),
  in: (value, wanted) => [wanted].flat().some((each) => isEqual(value, each)),
  nin: (value, wanted) => ![wanted].flat().some((each) => isEqual(value, each)),
  notin: (value, wanted) => ![wanted].flat().some((each) => isEqual(value, each)),
  gt: (value, wanted) => order(value, wanted) > 0,
  gte: (value, wanted) => order(value, wanted) >= 0,
  lt: (value, wanted) => order(value, wanted) < 0,
  lte: (value, wanted) => order(value, wanted) <= 0,
  contains: (value, wanted) => has(value, wanted),
  notcontains: (value, wanted) => !has(value, wanted),
  startswith: (value, wanted) => String(value).startsWith(String(wanted)),
  endswith: (value, wanted) => String(value).endsWith(String(wanted)),
  like: (value, wanted) => isLike(value, wanted, false),
  ilike: (value, wanted) => isLike(value, wanted, true),
  isnull: (value, wanted) => (value === null || value === undefined) === (wanted === true),
}

const SUFFIX =
  /^(.+?)_?(not_?in|not_?contains|not_?equals|starts_?with|ends_?with|contains|equals|gte|lte|gt|lt|neq|ne|eq|nin|in|not|like|ilike|is_?null)$/i

/**
 * Whether an object is as a filter says, which names fields and values, or operators as usual servers have them:
 * `{ status: OPEN, age_gte: 18, name: { contains: "a" }, OR: [...] }`. What names no field filters nothing.
 */
export function createFilter(type: EntityType | undefined, read: Read): Fits {
  const fieldsOf = (entity: Entity): ReturnType<EntityType['type']['getFields']> =>
    (type ?? entity.type).type.getFields()
  const fits: Fits = (entity, filter) => {
    if (!isObject(filter)) return true
    return Object.entries(filter).every(([key, wanted]) => {
      if (wanted === undefined || wanted === null) return true
      if (/^_?and$/i.test(key)) return [wanted].flat().every((each) => fits(entity, each))
      if (/^_?or$/i.test(key)) return [wanted].flat().some((each) => fits(entity, each))
      if (/^_?not$/i.test(key)) return ![wanted].flat().every((each) => fits(entity, each))
      return fitsKey(entity, key, wanted)
    })
  }
  const fitsKey = (entity: Entity, key: string, wanted: unknown): boolean => {
    const fields = fieldsOf(entity)
    const known = (name: string): string | undefined => {
      const plain = name.toLowerCase()
      if (Object.hasOwn(fields, name)) return name
      const called = Object.keys(fields).find((each) => {
        const own = each.toLowerCase()
        return (
          own === plain ||
          `${own}id` === plain.replace('_', '') ||
          (Array.isArray(wanted) && [pluralOf(own), `${own}ids`].includes(plain))
        )
      })
      return called ?? onlyOfType(plain.replace('_', ''))
    }
    // `userId` of posts that have an `author: User`.
    const onlyOfType = (name: string): string | undefined => {
      const [only, ...others] = Object.values(fields).filter(
        (field) => `${namedTypeOf(field).name.toLowerCase()}id` === name,
      )
      const isOwn = `${entity.type.name.toLowerCase()}id` === name
      return others.length > 0 || isOwn ? undefined : only?.name
    }
    const name = known(key)
    if (name !== undefined) return fitsValue(read(entity, name), wanted)
    if (new RegExp(`^${entity.type.name}_?id$`, 'i').test(key)) return isEqual(entity, wanted)
    const [, least, below] = /^(min|max)_?([A-Za-z]\w*)$/.exec(key) ?? []
    const bounded = below === undefined ? undefined : known(below)
    if (bounded !== undefined)
      return OPERATORS[least === 'min' ? 'gte' : 'lte']?.(read(entity, bounded), wanted) ?? true
    const [, base = '', operator = ''] = SUFFIX.exec(key) ?? []
    const field = known(base)
    return field === undefined || test(operator, read(entity, field), wanted)
  }
  const fitsValue = (value: unknown, wanted: unknown): boolean => {
    if (!isObject(wanted))
      return [wanted]
        .flat()
        .some((each) => [value].flat().some((own) => isEqual(own, each) || isNamed(own, each)))
    const objects = [value].flat().filter((each) => each instanceof Entity)
    if (objects.length > 0) {
      const some = wanted['some'] ?? wanted['any'] ?? wanted['is'] ?? wanted
      return objects.some((each) => fits(each, some))
    }
    return Object.entries(wanted).every(
      ([operator, each]) => each === undefined || test(operator, value, each),
    )
  }
  // Objects are named by their ids, or by what people call them.
  const isNamed = (value: unknown, wanted: unknown): boolean => {
    const name = value instanceof Entity && typeof wanted === 'string' ? nameFieldOf(value.type) : undefined
    return name !== undefined && read(value as Entity, name) === wanted
  }
  return fits
}

/** The field of a type that says what people call its objects. */
export function nameFieldOf({ type }: EntityType): string | undefined {
  const fields = type.getFields()
  return NAMES.find((name) => String(fields[name]?.type).startsWith('String'))
}

const NAMES = ['login', 'username', 'slug', 'handle', 'key', 'code', 'name']

// An operator that nobody knows filters nothing.
function test(operator: string, value: unknown, wanted: unknown): boolean {
  return OPERATORS[operator.replace(/_/g, '').toLowerCase()]?.(value, wanted) ?? true
}

function isEqual(value: unknown, wanted: unknown): boolean {
  if (value instanceof Entity) return value.id === textOf(wanted)
  if (value === null || value === undefined) return wanted === null
  return value === wanted || textOf(value) === textOf(wanted)
}

function has(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(value)) return value.some((each) => isEqual(each, wanted))
  return String(value).toLowerCase().includes(String(wanted).toLowerCase())
}

// `%` stands for any text, as in SQL.
function isLike(value: unknown, wanted: unknown, ignoresCase: boolean): boolean {
  const [text, pattern] = ignoresCase
    ? [String(value).toLowerCase(), String(wanted).toLowerCase()]
    : [String(value), String(wanted)]
  let at = 0
  const parts = pattern.split('%')
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (text.startsWith(part) ? 0 : -1) : text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return parts.at(-1) === '' || text.endsWith(parts.at(-1) ?? '')
}

function order(value: unknown, wanted: unknown): number {
  if (typeof value === 'number') return value - Number(wanted)
  const [a, b] = [value, wanted].map(String) as [string, string]
  return Number(a > b) - Number(a < b)
}
