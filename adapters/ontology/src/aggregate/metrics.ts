import { ApiError, invalidArgument } from '../errors.ts'
import type { OntologyObject } from '../ontology/model.ts'
import { type Field, fieldOf, type Scope } from '../ontology/scope.ts'
import { compare, encode, kindOf } from '../values/kinds.ts'
import { type Comparable, elementType, entryOf, isRecord, textOf, typeText } from '../values/value.ts'

/** Makes one figure of a group of objects; undefined where there are no values to make it of. */
export type Metric = (objects: readonly OntologyObject[]) => unknown

type Clause = Readonly<Record<string, unknown>>

/** The values of a field, of lists each element, without the absent ones. */
export const valuesOf = (field: Field, objects: readonly OntologyObject[]): unknown[] => {
  const values: unknown[] = []
  for (const object of objects) {
    const value = field.read(object)
    if (Array.isArray(value) && field.type.type === 'array') values.push(...value)
    else values.push(value)
  }
  return values.filter((value) => value !== undefined && value !== null)
}

const unsupported = (clause: Clause, field: Field): ApiError =>
  new ApiError(
    'InvalidPropertyType',
    { property: field.name, propertyBaseType: typeText(field.type) },
    `"${field.name}" is of type ${typeText(field.type)}, which has no aggregation ${textOf(clause['type'])}`,
  )

const comparableOf = (clause: Clause, field: Field): ((value: unknown) => Comparable) => {
  const { comparable } = kindOf(elementType(field.type))
  if (comparable === undefined) throw unsupported(clause, field)
  return comparable
}

const numbersOf = (clause: Clause, scope: Scope): ((objects: readonly OntologyObject[]) => number[]) => {
  const field = fieldOf(scope, clause)
  if (kindOf(elementType(field.type)).isNumber !== true) throw unsupported(clause, field)
  return (objects) => valuesOf(field, objects).map(Number)
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

const extreme =
  (sign: 1 | -1) =>
  (clause: Clause, scope: Scope): Metric => {
    const field = fieldOf(scope, clause)
    const comparable = comparableOf(clause, field)
    const type = elementType(field.type)
    const { isNumber, isInstant } = kindOf(type)
    if (isNumber !== true && isInstant !== true) throw unsupported(clause, field)
    return (objects) => {
      const values = valuesOf(field, objects)
      if (values.length === 0) return undefined
      const best = values.reduce((left, right) =>
        compare(comparable(left), comparable(right)) * sign <= 0 ? left : right,
      )
      return isNumber === true ? Number(best) : encode(best, type)
    }
  }

const distinct = (clause: Clause, scope: Scope): Metric => {
  const field = fieldOf(scope, clause)
  const comparable = comparableOf(clause, field)
  return (objects) => new Set(valuesOf(field, objects).map(comparable)).size
}

/** The value below which a share of all values lies, between two neighbours in proportion. */
const percentile = (numbers: readonly number[], share: number): number | undefined => {
  const sorted = numbers.toSorted((left, right) => left - right)
  const place = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return low === undefined || high === undefined
    ? undefined
    : low + (high - low) * (place - Math.floor(place))
}

/** The figures there are, by their names on the wire. */
const METRICS: Readonly<Record<string, (clause: Clause, scope: Scope) => Metric>> = {
  count: () => (objects) => objects.length,
  min: extreme(1),
  max: extreme(-1),
  sum: (clause, scope) => {
    const read = numbersOf(clause, scope)
    return (objects) => {
      const numbers = read(objects)
      return numbers.length === 0 ? undefined : total(numbers)
    }
  },
  avg: (clause, scope) => {
    const read = numbersOf(clause, scope)
    return (objects) => {
      const numbers = read(objects)
      return numbers.length === 0 ? undefined : total(numbers) / numbers.length
    }
  },
  approximateDistinct: distinct,
  exactDistinct: distinct,
  approximatePercentile: (clause, scope) => {
    const read = numbersOf(clause, scope)
    const { approximatePercentile: requested } = clause
    if (typeof requested !== 'number' || requested < 0 || requested > 100) {
      throw invalidArgument('`approximatePercentile` is a number from 0 to 100, or a share from 0 to 1')
    }
    return (objects) => percentile(read(objects), requested > 1 ? requested / 100 : requested)
  },
}

/** Makes the metric of a clause. */
export const metricOf = (clause: unknown, scope: Scope): Metric => {
  const make = isRecord(clause) ? entryOf(METRICS, clause['type']) : undefined
  if (make === undefined || !isRecord(clause)) {
    throw invalidArgument(`an aggregation is one of ${Object.keys(METRICS).join(', ')}`)
  }
  return make(clause, scope)
}
