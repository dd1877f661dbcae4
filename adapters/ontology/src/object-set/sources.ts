import { ApiError, invalidArgument } from '../errors.ts'
import { compileFilter } from '../filter/compile.ts'
import { operand } from '../filter/operator.ts'
import { keyOf } from '../fixture/check-object-types.ts'
import type { InterfaceType, ObjectType, Ontology, OntologyObject } from '../ontology/model.ts'
import { fieldOf, scopeOf } from '../ontology/scope.ts'
import { isRecord, textOf } from '../values/value.ts'
import { atMoment, inOrder, type ObjectSet, type SetContext, type SetKind } from './object-set.ts'

const named = (value: unknown, key: string): string => {
  if (typeof value !== 'string') throw invalidArgument(`the object set needs \`${key}\`, as text`)
  return value
}

/** An object type by its API name. */
const findObjectType = ({ objectTypes }: Ontology, name: string): ObjectType => {
  const type = objectTypes.get(name)
  if (type === undefined) throw new ApiError('ObjectTypeNotFound', { objectType: name })
  return type
}

/** An interface type by its API name. */
export const findInterfaceType = ({ interfaceTypes }: Ontology, name: string): InterfaceType => {
  const type = interfaceTypes.get(name)
  if (type === undefined) throw new ApiError('InterfaceTypeNotFound', { apiName: name })
  return type
}

/** All objects of a type. */
export const baseSet = (type: ObjectType, moment: number): ObjectSet => ({
  scope: scopeOf(type),
  objects: atMoment(type.table.all, moment),
  revision: type.table.revision,
})

/** All objects of the types that implement an interface. */
export const interfaceSet = (type: InterfaceType, moment: number, isWhole: boolean): ObjectSet => ({
  scope: { ...scopeOf(...type.implementers), interfaceType: type, isWhole },
  objects: inOrder(type.implementers.flatMap(({ table }) => atMoment(table.all, moment))),
  revision: Math.max(0, ...type.implementers.map(({ table }) => table.revision)),
})

/** The kinds that other sets begin with. */
export const SOURCES: Readonly<Record<string, SetKind>> = {
  base: ({ objectType }, { ontology, moment }) =>
    baseSet(findObjectType(ontology, named(objectType, 'objectType')), moment),
  interfaceBase: ({ interfaceType, includeAllBaseObjectProperties }, { ontology, moment }) =>
    interfaceSet(
      findInterfaceType(ontology, named(interfaceType, 'interfaceType')),
      moment,
      includeAllBaseObjectProperties === true,
    ),
  static: ({ objects }, { ontology, rids, moment }) => {
    if (!Array.isArray(objects)) throw invalidArgument('a static object set needs `objects`, a list of rids')
    const found = inOrder(objects.flatMap((rid) => rids.find(textOf(rid)) ?? []))
    const seen = found.filter(({ type }) => ontology.objectTypes.has(type.apiName))
    // The types as they may be seen, which is not all that the objects know of theirs.
    const types = new Set(seen.flatMap(({ type }) => ontology.objectTypes.get(type.apiName) ?? []))
    return { scope: scopeOf(...types), objects: atMoment(seen, moment), revision: 0 }
  },
  reference: ({ reference }, { stored }, inner) => {
    const rid = named(reference, 'reference')
    const definition = stored(rid)
    if (definition === undefined) throw new ApiError('ObjectSetNotFound', { objectSetRid: rid })
    return inner(definition)
  },
  methodInput: (_, { methodInput }) => {
    if (methodInput === undefined) {
      throw new ApiError('UnsupportedObjectSet', {}, '`methodInput` stands only within a derived property')
    }
    return methodInput
  },
}

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

export const FILTERED: Readonly<Record<string, SetKind>> = {
  filter: ({ objectSet, where }, context, inner) => filterSet(inner(objectSet), where, context),
}
