import { entryOf, textOf } from '../values/read.ts'
import { ApiError, invalidArgument } from '../errors.ts'
import type { LinkSide, Ontology, OntologyObject } from '../ontology/model.ts'
import { type Scope, scopeName, scopeOf } from '../ontology/scope.ts'
import { inOrder, type SetKind } from './object-set.ts'

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
export const LINK_SETS: Readonly<Record<'searchAround' | 'interfaceLinkSearchAround', SetKind>> = {
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
