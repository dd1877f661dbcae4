import { textOf } from '../values/read.ts'
import { ApiError, invalidArgument } from '../errors.ts'
import type { ObjectType, OntologyObject } from '../ontology/model.ts'
import { type Scope, scopeOf } from '../ontology/scope.ts'
import { inOrder, type ObjectSet, type SetKind } from './object-set.ts'
import { findInterfaceType } from './sources.ts'

type Join = (
  first: readonly OntologyObject[],
  rest: readonly ReadonlySet<OntologyObject>[],
) => Iterable<OntologyObject>

/** The first set's view of all types; whole as soon as one of them asks for all properties. */
const joinScopes = ([first, ...rest]: readonly ObjectSet[]): Scope => {
  const types = new Map<string, ObjectType>()
  for (const { scope } of [first, ...rest].filter((set) => set !== undefined)) {
    for (const type of scope.types) types.set(type.apiName, type)
  }
  const scope = first?.scope ?? scopeOf()
  return {
    ...scope,
    types: [...types.values()],
    isWhole: [scope, ...rest.map((set) => set.scope)].some((each) => each.isWhole),
  }
}

const combine =
  (join: Join): SetKind =>
  ({ type, objectSets }, _, inner) => {
    if (!Array.isArray(objectSets) || objectSets.length === 0) {
      throw invalidArgument(`an object set ${textOf(type)} needs \`objectSets\`, at least one`)
    }
    const sets = objectSets.map((each) => inner(each))
    const [first, ...rest] = sets
    return {
      scope: joinScopes(sets),
      objects: inOrder(
        join(
          first?.objects ?? [],
          rest.map(({ objects }) => new Set(objects)),
        ),
      ),
      revision: Math.max(...sets.map(({ revision }) => revision)),
    }
  }

/** The kinds made of other sets, and those that only look at a set in another way. */
export const ALGEBRA: Readonly<
  Record<'union' | 'intersect' | 'subtract' | 'asType' | 'asBaseObjectTypes', SetKind>
> = {
  union: combine((first, rest) => [...first, ...rest.flatMap((set) => [...set])]),
  intersect: combine((first, rest) => first.filter((object) => rest.every((set) => set.has(object)))),
  subtract: combine((first, rest) => first.filter((object) => !rest.some((set) => set.has(object)))),
  asType: ({ entityType, objectSet }, { ontology }, inner) => {
    if (typeof entityType !== 'string')
      throw new ApiError('Default:InvalidArgument', {}, '`asType` needs `entityType`')
    const { objects, revision } = inner(objectSet)
    const objectType = ontology.objectTypes.get(entityType)
    const types =
      objectType === undefined ? findInterfaceType(ontology, entityType).implementers : [objectType]
    const names = new Set(types.map(({ apiName }) => apiName))
    const interfaceType = objectType === undefined ? findInterfaceType(ontology, entityType) : undefined
    return {
      scope: { ...scopeOf(...types), interfaceType, isWhole: interfaceType === undefined },
      objects: objects.filter(({ type }) => names.has(type.apiName)),
      revision,
    }
  },
  asBaseObjectTypes: ({ objectSet }, _, inner) => {
    const set = inner(objectSet)
    return { ...set, scope: { ...set.scope, interfaceType: undefined, isWhole: true } }
  },
}
