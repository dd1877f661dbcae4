import { metricOf, valuesOf } from '../aggregate/metrics.ts'
import { ApiError } from '../errors.ts'
import type { OntologyObject } from '../ontology/model.ts'
import { type Field, findField, type Scope, scopeName } from '../ontology/scope.ts'
import { compare, encode, kindOf } from '../values/kinds.ts'
import { type DataType, elementType, entryOf, isRecord, textOf } from '../values/value.ts'
import type { Definition, ObjectSet, SetContext, SetKind } from './object-set.ts'

type Made = Omit<Field, 'name'>
type Define = (definition: unknown) => Made
type Expression = (definition: Readonly<Record<string, unknown>>, define: Define) => Made | string

const DOUBLE_TYPE: DataType = { type: 'double' }
const INTEGER_TYPE: DataType = { type: 'integer' }

const isNumeric = ({ type }: Made): boolean => kindOf(type).isNumber === true

/** A calculation of numbers; absent as soon as one of them is. */
const calculate = (parts: readonly Made[], join: (numbers: readonly number[]) => number): Made | string => {
  if (!parts.every(isNumeric)) return 'only numbers can be calculated with'
  return {
    type: DOUBLE_TYPE,
    read: (object) => {
      const values = parts.map(({ read }) => read(object))
      if (values.some((value) => value === undefined || value === null)) return undefined
      const result = join(values.map(Number))
      return Number.isFinite(result) ? result : undefined
    },
  }
}

const listed =
  (join: (left: number, right: number) => number): Expression =>
  ({ properties }, define) =>
    Array.isArray(properties) && properties.length > 0
      ? calculate(properties.map(define), (numbers) => numbers.reduce(join))
      : 'it needs `properties`, at least one'

const paired =
  (join: (left: number, right: number) => number): Expression =>
  ({ left, right }, define) =>
    calculate([define(left), define(right)], ([first = 0, second = 0]) => join(first, second))

const single =
  (change: (value: number) => number): Expression =>
  ({ property }, define) =>
    calculate([define(property)], ([value = 0]) => change(value))

/** The greatest or the least value of several, of those that are there. */
const extreme =
  (sign: 1 | -1): Expression =>
  ({ properties }, define) => {
    if (!Array.isArray(properties) || properties.length === 0) return 'it needs `properties`, at least one'
    const parts: Made[] = properties.map(define)
    const [first] = parts
    const comparable = first && kindOf(first.type).comparable
    if (first === undefined || comparable === undefined) return 'values of this type have no order'
    return {
      type: first.type,
      read: (object) =>
        parts
          .map(({ read }) => read(object))
          .filter((value) => value !== undefined && value !== null)
          .toSorted((left, right) => compare(comparable(left), comparable(right)) * sign)[0],
    }
  }

const PARTS: Readonly<Record<string, (date: Date) => number>> = {
  DAYS: (date) => date.getUTCDate(),
  MONTHS: (date) => date.getUTCMonth() + 1,
  QUARTERS: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  YEARS: (date) => date.getUTCFullYear(),
}

const extract: Expression = ({ property, part }, define) => {
  const source = define(property)
  const take = entryOf(PARTS, part)
  if (take === undefined) return `\`part\` is one of ${Object.keys(PARTS).join(', ')}`
  if (kindOf(source.type).isInstant !== true) return 'a part can only be taken of a date or a timestamp'
  return {
    type: INTEGER_TYPE,
    read: (object) => {
      const value = source.read(object)
      return typeof value === 'string' ? take(new Date(value)) : undefined
    },
  }
}

/** The expressions over other definitions, by their names on the wire. A refusal is answered as a reason. */
const EXPRESSIONS: Readonly<Record<string, Expression>> = {
  add: listed((left, right) => left + right),
  multiply: listed((left, right) => left * right),
  subtract: paired((left, right) => left - right),
  divide: paired((left, right) => left / right),
  negate: single((value) => -value),
  absoluteValue: single(Math.abs),
  greatest: extreme(-1),
  least: extreme(1),
  extract,
}

type Inner = Parameters<SetKind>[2]
type Read = Field['read']

const MAX_COLLECTED = 100
const INTEGER: DataType = { type: 'integer' }
const DOUBLE: DataType = { type: 'double' }

interface Definer {
  readonly scope: Scope
  readonly context: SetContext
  readonly inner: Inner
  readonly name: string
}

const invalid = ({ scope, name }: Definer, reason: string): ApiError =>
  new ApiError(
    'InvalidDerivedPropertyDefinition',
    { objectType: scopeName(scope), derivedProperty: name },
    reason,
  )

const TYPES_OF_METRICS: Readonly<Record<string, (selected: DataType) => DataType>> = {
  count: () => INTEGER,
  approximateDistinct: () => INTEGER,
  exactDistinct: () => INTEGER,
  sum: () => DOUBLE,
  avg: () => DOUBLE,
  approximatePercentile: () => DOUBLE,
  min: elementType,
  max: elementType,
}

const collect = (field: Field, operation: Definition) => {
  const limit =
    typeof operation['limit'] === 'number' ? Math.min(operation['limit'], MAX_COLLECTED) : MAX_COLLECTED
  const type = elementType(field.type)
  return (objects: readonly OntologyObject[]): unknown[] => {
    const values = valuesOf(field, objects).map((value) => encode(value, type))
    const kept = operation['type'] === 'collectSet' ? [...new Set(values)] : values
    return kept.slice(0, limit)
  }
}

/** What an operation makes of the objects it selects. */
const operationOf = (
  operation: unknown,
  scope: Scope,
  definer: Definer,
): { readonly type: DataType; readonly make: (objects: readonly OntologyObject[]) => unknown } => {
  if (!isRecord(operation)) throw invalid(definer, 'a selection needs `operation`')
  const type = textOf(operation['type'])
  const selected = operation['selectedPropertyApiName']
  const field = typeof selected === 'string' ? findField(scope, selected) : undefined
  if (field === undefined && type !== 'count') {
    throw new ApiError('PropertiesNotFound', { objectType: scopeName(scope), properties: [selected] })
  }
  if (type === 'get' && field !== undefined) {
    return { type: field.type, make: ([first]) => first && field.read(first) }
  }
  if ((type === 'collectList' || type === 'collectSet') && field !== undefined) {
    return { type: { type: 'array', subType: elementType(field.type) }, make: collect(field, operation) }
  }
  const typeOf = entryOf(TYPES_OF_METRICS, type)
  if (typeOf === undefined) throw invalid(definer, `there is no operation "${type}"`)
  return { type: typeOf(field?.type ?? INTEGER), make: metricOf({ ...operation, field: selected }, scope) }
}

const selection = ({ objectSet, operation }: Definition, definer: Definer): Omit<Field, 'name'> => {
  const { scope, context, inner } = definer
  const evaluate = (objects: readonly OntologyObject[]): ObjectSet =>
    inner(objectSet, { ...context, methodInput: { scope, objects, revision: 0 } })
  const { type, make } = operationOf(operation, evaluate([]).scope, definer)
  return { type, read: (object) => make(evaluate([object]).objects) }
}

const define = (definition: unknown, definer: Definer): Omit<Field, 'name'> => {
  const kind = isRecord(definition) ? textOf(definition['type']) : ''
  if (!isRecord(definition)) throw invalid(definer, 'a definition is an object with a `type`')
  if (kind === 'selection') return selection(definition, definer)
  if (kind === 'property') {
    const field = findField(definer.scope, textOf(definition['apiName']))
    if (field !== undefined) return field
    throw new ApiError('PropertiesNotFound', {
      objectType: scopeName(definer.scope),
      properties: [definition['apiName']],
    })
  }
  const expression = entryOf(EXPRESSIONS, kind)
  if (expression === undefined) throw invalid(definer, `there is no definition "${kind}"`)
  const made = expression(definition, (part) => define(part, definer))
  if (typeof made === 'string') throw invalid(definer, made)
  return made
}

/** The kind that adds properties which are computed from each object and those around it. */
export const DERIVED: Readonly<Record<string, SetKind>> = {
  withProperties: ({ objectSet, derivedProperties }, context, inner) => {
    const set = inner(objectSet)
    const { scope } = set
    if (!isRecord(derivedProperties)) {
      throw new ApiError('Default:InvalidArgument', {}, '`withProperties` needs `derivedProperties`')
    }
    const taken = Object.keys(derivedProperties).filter((name) => findField(scope, name) !== undefined)
    if (taken.length > 0)
      throw new ApiError('DerivedPropertyApiNamesNotUnique', { derivedPropertyApiNames: taken })
    const derived = new Map(scope.derived)
    for (const [name, definition] of Object.entries(derivedProperties)) {
      const { type, read } = define(definition, { scope, context, inner, name })
      derived.set(name, { name, type, read: remembered(read) })
    }
    return { ...set, scope: { ...scope, derived }, revision: context.ontology.moment }
  },
}

/** A filter, an order and the answer may all read the same value. */
const remembered = (read: Read): Read => {
  const values = new Map<OntologyObject, unknown>()
  return (object) => {
    if (!values.has(object)) values.set(object, read(object))
    return values.get(object)
  }
}
