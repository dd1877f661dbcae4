import { ApiError, invalidArgument } from '../errors.ts'
import type { OntologyObject } from '../ontology/model.ts'
import { type Field, fieldOf, type Scope, scopeName } from '../ontology/scope.ts'
import { encode, kindOf } from '../values/kinds.ts'
import { type Comparable, elementType, entryOf, isRecord, textOf, typeText } from '../values/value.ts'
import { valuesOf } from './metrics.ts'

const SECOND_MS = 1000
const DAY_MS = 86_400_000
/** The first Monday there is. */
const MONDAY_MS = 4 * DAY_MS

const FIXED: Readonly<Record<string, number>> = {
  MILLISECONDS: 1,
  SECONDS: SECOND_MS,
  MINUTES: 60 * SECOND_MS,
  HOURS: 3600 * SECOND_MS,
  DAYS: DAY_MS,
}

const CALENDAR: Readonly<Record<string, (date: Date) => number>> = {
  WEEKS: (date) => Math.floor((date.getTime() - MONDAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + MONDAY_MS,
  MONTHS: (date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1),
  QUARTERS: (date) => Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3, 1),
  YEARS: (date) => Date.UTC(date.getUTCFullYear(), 0, 1),
}

const NAMES = [...Object.keys(FIXED), ...Object.keys(CALENDAR)]

/** Finds the beginning of the stretch of time that a moment lies in. */
const startOf = (value: unknown, unit: unknown, isDate: boolean): ((moment: number) => number) => {
  const name = textOf(unit)
  if (!NAMES.includes(name)) throw invalidArgument(`\`unit\` is one of ${NAMES.join(', ')}`)
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    throw invalidArgument('`value` is a whole number above 0')
  }
  const calendar = CALENDAR[name]
  if (calendar !== undefined) {
    if (value !== 1)
      throw new ApiError('InvalidDurationGroupByValue', {}, 'units above a day come one at a time')
    return (moment) => calendar(new Date(moment))
  }
  const length = (FIXED[name] ?? DAY_MS) * value
  if (isDate && length < DAY_MS) {
    throw new ApiError('InvalidDurationGroupByValue', {}, 'dates have no stretches below a day')
  }
  return (moment) => Math.floor(moment / length) * length
}

/** A group that an object falls into. `value` is left out of the answer where it is undefined. */
export interface Group {
  readonly order: Comparable
  readonly value: unknown
}

/** One way of dividing objects into groups; an object without a value falls into none, unless it says so. */
export interface Grouping {
  readonly name: string
  readonly allowsNull: boolean
  readonly most: number | undefined
  /** Whether the groups with the most objects come first; else they come in the order of their values. */
  readonly isByCount: boolean
  readonly groupsOf: (object: OntologyObject) => readonly Group[]
}

type Clause = Readonly<Record<string, unknown>>

const wrongType = (
  name: 'InvalidAggregationRangePropertyType' | 'InvalidDurationGroupByPropertyType',
  scope: Scope,
  field: Field,
): ApiError =>
  new ApiError(name, {
    property: field.name,
    objectType: scopeName(scope),
    propertyBaseType: typeText(field.type),
  })

/** The groups of the values that an object has of a field, each once. */
const perValue =
  (field: Field, groupOf: (value: unknown) => Group | undefined) =>
  (object: OntologyObject): Group[] => {
    const groups = new Map<Comparable, Group>()
    for (const value of valuesOf(field, [object])) {
      const group = groupOf(value)
      if (group !== undefined) groups.set(group.order, group)
    }
    return [...groups.values()]
  }

const plain = (field: Field) => ({ name: field.name, allowsNull: false, most: undefined, isByCount: false })

const exact = (clause: Clause, scope: Scope): Grouping => {
  const field = fieldOf(scope, clause)
  const type = elementType(field.type)
  const { comparable } = kindOf(type)
  if (comparable === undefined) throw wrongType('InvalidAggregationRangePropertyType', scope, field)
  const { maxGroupCount, defaultValue, includeNullValues } = clause
  if (defaultValue !== undefined && includeNullValues === true)
    throw new ApiError('DefaultAndNullGroupsNotSupported')
  if (maxGroupCount !== undefined && !(Number.isInteger(maxGroupCount) && Number(maxGroupCount) > 0)) {
    throw invalidArgument('`maxGroupCount` is a whole number above 0')
  }
  const hasOther = defaultValue !== undefined || includeNullValues === true
  const read = perValue(field, (value) => ({ order: comparable(value), value: encode(value, type) }))
  return {
    name: field.name,
    allowsNull: includeNullValues === true,
    most: maxGroupCount === undefined ? undefined : Number(maxGroupCount),
    isByCount: true,
    groupsOf: (object) => {
      const groups = read(object)
      return groups.length === 0 && hasOther ? [{ order: '', value: defaultValue }] : groups
    },
  }
}

const fixedWidth = (clause: Clause, scope: Scope): Grouping => {
  const field = fieldOf(scope, clause)
  const { fixedWidth: width } = clause
  if (kindOf(elementType(field.type)).isNumber !== true) {
    throw wrongType('InvalidAggregationRangePropertyType', scope, field)
  }
  if (typeof width !== 'number' || !(width > 0)) throw invalidArgument('`fixedWidth` is a number above 0')
  return {
    ...plain(field),
    groupsOf: perValue(field, (value) => {
      const start = Math.floor(Number(value) / width) * width
      return { order: start, value: start }
    }),
  }
}

const ranges = (clause: Clause, scope: Scope): Grouping => {
  const field = fieldOf(scope, clause)
  const type = elementType(field.type)
  const { comparable, isNumber, isInstant, parse } = kindOf(type)
  if (comparable === undefined || (isNumber !== true && isInstant !== true)) {
    throw wrongType('InvalidAggregationRangePropertyType', scope, field)
  }
  // The documentation's examples write `range`, the types `ranges`.
  const listed = clause['ranges'] ?? clause['range']
  if (!Array.isArray(listed) || listed.length === 0)
    throw invalidArgument('`ranges` lists at least one range')
  const bound = (given: unknown): Comparable => {
    const value = typeof given === 'string' ? parse?.(given) : given
    if (value === undefined || value === null || !kindOf(type).accepts(value, type)) {
      throw new ApiError('InvalidAggregationRangeValue', {
        property: field.name,
        objectType: scopeName(scope),
        propertyBaseType: typeText(field.type),
      })
    }
    return comparable(value)
  }
  const limits = listed.map((range: unknown) => {
    if (!isRecord(range)) throw invalidArgument('a range has `startValue` and `endValue`')
    const { startValue, endValue } = range
    return { start: bound(startValue), end: bound(endValue), value: { startValue, endValue } }
  })
  return {
    ...plain(field),
    groupsOf: (object) =>
      limits.flatMap(({ start, end, value }, index) => {
        const isIn = valuesOf(field, [object]).some(
          (each) => comparable(each) >= start && comparable(each) < end,
        )
        return isIn ? [{ order: index, value }] : []
      }),
  }
}

const duration = (clause: Clause, scope: Scope): Grouping => {
  const field = fieldOf(scope, clause)
  const type = elementType(field.type)
  if (kindOf(type).isInstant !== true) throw wrongType('InvalidDurationGroupByPropertyType', scope, field)
  const isDate = type.type === 'date'
  const start = startOf(clause['value'], clause['unit'], isDate)
  return {
    ...plain(field),
    groupsOf: perValue(field, (value) => {
      const text = new Date(start(Date.parse(String(value)))).toISOString()
      const begin = isDate ? text.slice(0, 10) : text
      return { order: begin, value: begin }
    }),
  }
}

const GROUPINGS: Readonly<Record<string, (clause: Clause, scope: Scope) => Grouping>> = {
  exact,
  fixedWidth,
  ranges,
  range: ranges,
  duration,
}

/** Makes the grouping of a clause. */
export const groupingOf = (clause: unknown, scope: Scope): Grouping => {
  const make = isRecord(clause) ? entryOf(GROUPINGS, clause['type']) : undefined
  if (make === undefined || !isRecord(clause)) {
    throw invalidArgument('a grouping is one of exact, fixedWidth, ranges, duration')
  }
  return make(clause, scope)
}
