import { textOf } from '../values/read.ts'
import { ApiError, invalidArgument } from '../errors.ts'
import type { InterfaceType, ObjectType, Ontology } from '../ontology/model.ts'
import { scopeOf } from '../ontology/scope.ts'
import { atMoment, inOrder, type ObjectSet, type SetKind } from './object-set.ts'

const named = (value: unknown, key: string): string => {
  if (typeof value !== 'string') throw invalidArgument(`the object set needs \`${key}\`, as text`)
  return value
}

/** An object type by its API name. */
export const findObjectType = ({ objectTypes }: Ontology, name: string): ObjectType => {
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
export const SOURCES: Readonly<
  Record<'base' | 'interfaceBase' | 'static' | 'reference' | 'methodInput', SetKind>
> = {
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
