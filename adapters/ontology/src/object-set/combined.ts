import { ApiError, invalidArgument } from '../errors.ts'
import type { LinkSide, ObjectType, Ontology, OntologyObject } from '../ontology/model.ts'
import { type Scope, scopeName, scopeOf } from '../ontology/scope.ts'
import { entryOf, textOf } from '../values/value.ts'
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
export const ALGEBRA: Readonly<Record<string, SetKind>> = {
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

/** The links that a name stands for on each type, by the types' names. */
type Sides = ReadonlyMap<string, readonly LinkSide[]>

const follow = (objects: readonly OntologyObject[], sides: Sides, moment: number): OntologyObject[] =>
  inOrder(
    objects.flatMap((object) =>
      (sides.get(object.type.apiName) ?? []).flatMap((side) => side.neighbours(object, moment)),
    ),
  )

const lastChange = (sides: Sides): number =>
  Math.max(
    0,
    ...[...sides.values()].flat().map((side) => Math.max(side.revision(), side.target.table.revision)),
  )

const targetScope = (sides: Sides): Scope =>
  scopeOf(...new Set([...sides.values()].flat().map(({ target }) => target)))

const interfaceScope = (ontology: Ontology, target: string, fallback: Scope): Scope => {
  const interfaceType = ontology.interfaceTypes.get(target)
  return interfaceType === undefined
    ? fallback
    : { ...fallback, types: interfaceType.implementers, interfaceType, isWhole: false }
}

/** The kinds that go from objects to those linked to them. */
export const LINK_SETS: Readonly<Record<string, SetKind>> = {
  searchAround: ({ objectSet, link }, { moment }, inner) => {
    if (typeof link !== 'string') throw invalidArgument('`searchAround` needs `link`, the API name of a link')
    const { scope, objects, revision } = inner(objectSet)
    const sides: Sides = new Map(
      scope.types.map(({ apiName, links }) => {
        const side = links.get(link)
        return [apiName, side === undefined ? [] : [side]]
      }),
    )
    if (scope.types.length > 0 && [...sides.values()].every((found) => found.length === 0)) {
      throw new ApiError('LinkTypeNotFound', { objectType: scopeName(scope), linkType: link })
    }
    return {
      scope: targetScope(sides),
      objects: follow(objects, sides, moment),
      revision: Math.max(revision, lastChange(sides)),
    }
  },
  interfaceLinkSearchAround: ({ objectSet, interfaceLink }, { ontology, moment }, inner) => {
    const { scope, objects, revision } = inner(objectSet)
    const { interfaceType } = scope
    if (interfaceType === undefined) {
      throw new ApiError(
        'IncompatibleNestedObjectSet',
        {},
        'an interface link starts from a set seen as an interface',
      )
    }
    const name = textOf(interfaceLink)
    const definition = interfaceType.lineage
      .map(({ source }) => entryOf(source.links ?? {}, name))
      .find((found) => found !== undefined)
    if (definition === undefined) {
      throw new ApiError('InterfaceLinkTypeNotFound', {
        interfaceType: interfaceType.apiName,
        interfaceLinkType: name,
      })
    }
    const sides: Sides = new Map(
      scope.types.map((type) => {
        const names = type.implemented.get(interfaceType.apiName)?.links.get(name) ?? []
        return [type.apiName, names.flatMap((each) => type.links.get(each) ?? [])]
      }),
    )
    return {
      scope: interfaceScope(ontology, definition.target, targetScope(sides)),
      objects: follow(objects, sides, moment),
      revision: Math.max(revision, lastChange(sides)),
    }
  },
}
