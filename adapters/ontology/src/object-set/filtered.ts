import { compileFilter } from '../filter/compile.ts'
import { operand } from '../filter/operator.ts'
import type { OntologyObject } from '../ontology/model.ts'
import { fieldOf } from '../ontology/scope.ts'
import { keyOf } from '../fixture/check-objects.ts'
import { isRecord } from '../values/kind.ts'
import type { ObjectSet, SetContext, SetKind } from './object-set.ts'

/** The one object that a filter on the key alone can pass: looked up rather than searched for. */
const byKey = ({ scope, objects }: ObjectSet, where: unknown): readonly OntologyObject[] | undefined => {
  const [type] = scope.types
  const isAllOfOneType = type !== undefined && scope.types.length === 1 && objects === type.table.all
  if (!isAllOfOneType || !isRecord(where) || where['type'] !== 'eq') return undefined
  if (where['field'] !== type.primaryKey.apiName || where['propertyIdentifier'] !== undefined)
    return undefined
  const field = fieldOf(scope, where)
  const found = type.table.get(keyOf(operand(field, field.type, where['value']), field.type))
  return found === undefined ? [] : [found]
}

/** The objects of a set that pass a filter. */
export const filterSet = (set: ObjectSet, where: unknown, { now }: Pick<SetContext, 'now'>): ObjectSet => {
  const objects = byKey(set, where) ?? set.objects.filter(compileFilter(where, { scope: set.scope, now }))
  return { ...set, objects }
}

export const FILTERED: Readonly<Record<'filter', SetKind>> = {
  filter: ({ objectSet, where }, context, inner) => filterSet(inner(objectSet), where, context),
}
