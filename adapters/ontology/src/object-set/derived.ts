import { entryOf, textOf } from '../values/read.ts'
import { metricOf, valuesOf } from '../aggregate/metrics.ts'
import { ApiError } from '../errors.ts'
import type { OntologyObject } from '../ontology/model.ts'
import { type Field, findField, type Scope, scopeName } from '../ontology/scope.ts'
import { type DataType, elementType } from '../values/data-type.ts'
import { isRecord } from '../values/kind.ts'
import { encode } from '../values/kinds.ts'
import { EXPRESSIONS } from './expressions.ts'
import type { Definition, ObjectSet, SetContext, SetKind } from './object-set.ts'

type Inner = Parameters<SetKind>[2]
type Read = Field['read']

const MOST_COLLECTED = 100
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
    typeof operation['limit'] === 'number' ? Math.min(operation['limit'], MOST_COLLECTED) : MOST_COLLECTED
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
export const DERIVED: Readonly<Record<'withProperties', SetKind>> = {
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
