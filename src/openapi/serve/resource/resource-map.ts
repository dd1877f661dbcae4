import { groupBy } from '../../../grouping.ts'
import { remembered } from '../../../engine/lazy.ts'
import type { RouteDefinition } from '../../../engine/route.ts'
import { pathShape, segmentsOf } from '../../../routing/path-template.ts'
import { plainName } from '../../../collections/paging/page-parameters.ts'
import { findHome, findLookup, nearest, SUFFIX, type Lookup } from './find-home.ts'
import { allResources, type Resource } from './resource.ts'

/** The resources of a description, and how other parts of it name them. */
export interface ResourceMap {
  /** The resource whose items a resource shows: `/posts` for `/users/{id}/posts`, where both have posts; else itself. */
  homeOf(resource: Resource): Resource
  /** What the paths of a resource look up, where its items are those of another: `/users/by-email/{email}`. */
  lookupOf(resource: Resource): Lookup | undefined
  /** The fields by each of which other paths look up a resource's items. */
  lookupFieldsOf(resource: Resource): readonly string[]
  /** The resources whose paths name the items of one by another field than its own do, each by a single one. */
  namingOtherwise(resource: Resource): readonly Resource[]
  /** The resource whose items have paths of this form, such as `/users/{id}`. */
  ofItemPath(path: string): Resource | undefined
  /** The resources above a path, the nearest first, each with how many of its parameters come before the item's own. */
  above(path: string): readonly Above[]
  /** The resources whose collections lie right below the items of one: `/posts/{id}/comments` below those of `/posts`. */
  below(resource: Resource): readonly Resource[]
  /** The resources whose items a noun may stand for, those of the nearest path first. */
  ofNoun(noun: string, path: string): readonly Resource[]
  /** The resource whose items are of a model with this name, of several the one of the nearest path. */
  ofComponent(name: string, path: string): Resource | undefined
}

/** A resource above a path. */
export interface Above {
  readonly resource: Resource
  /** The parameter of the path that names its item. */
  readonly parameter: string
}

/** The resources of a description's routes. They are looked for once, when they are first needed. */
export const resourceMapOf = remembered(
  (routes: readonly RouteDefinition[]): ResourceMap => createMap(allResources(routes)),
  new WeakMap(),
)

function createMap(all: readonly Resource[]): ResourceMap {
  const byItemPath = new Map(
    all.toReversed().flatMap((each) => {
      const path = pathShape(itemPathOf(each))
      // What lies below `/users/{id}.json` is `/users/{id}/posts.json`.
      return [path.replace(SUFFIX, ''), path].map((known) => [known, each] as const)
    }),
  )
  const bySingular = groupBy(all, ({ evidence }) => evidence.singular)
  const homes = new Map(
    all.map((each) => [each, findHome(each, bySingular.get(each.evidence.singular) ?? [])]),
  )
  const homeOf = (resource: Resource): Resource => homes.get(resource) ?? resource
  const withComponent = namedBy(all, ({ components }) => [...components])
  const lookups = new Map(all.map((each) => [each, findLookup(each, withComponent)]))
  const lookedUp = groupBy(
    [...lookups.values()].filter((each) => each !== undefined),
    (each) => each.home,
  )
  const byShown = groupBy(all, (each) => {
    const lookup = lookups.get(each)
    return lookup === undefined ? homeOf(each) : lookup.others.length > 0 ? undefined : lookup.home
  })
  const home = all.filter((each) => homeOf(each) === each && lookups.get(each) === undefined)
  const byNoun = namedBy(home, ({ evidence }) => [plainName(evidence.singular)])
  const byComponent = namedBy(home, ({ components }) => [...components])
  const byCollectionAbove = groupBy(
    home.filter(({ parents }) => parents.length > 0),
    ({ template }) => pathShape(template.slice(0, template.lastIndexOf('/') + 1)),
  )
  const byPlainComponent = namedBy(home, ({ components }) => [...components].map(plainName))

  return {
    homeOf,
    lookupOf: (resource) => lookups.get(resource),
    lookupFieldsOf: (resource) =>
      (lookedUp.get(resource) ?? []).flatMap(({ others, field }) => (others.length === 0 ? [field] : [])),
    namingOtherwise: (resource) =>
      (byShown.get(resource) ?? []).filter(({ idField }) => {
        const isOther = idField !== undefined && idField !== resource.idField
        return isOther && resource.shape.fields.has(idField)
      }),
    ofItemPath: (path) => byItemPath.get(pathShape(path)),
    above(path) {
      const segments = segmentsOf(path)
      return [...segments.keys()]
        .toReversed()
        .slice(1)
        .flatMap((index): Above[] => {
          const [, parameter] = /^\{([^{}]+)\}$/.exec(segments[index] ?? '') ?? []
          const resource =
            parameter === undefined
              ? undefined
              : byItemPath.get(pathShape(`/${segments.slice(0, index + 1).join('/')}`))
          return resource === undefined || parameter === undefined
            ? []
            : [{ resource: homeOf(resource), parameter }]
        })
    },
    below: (resource) => byCollectionAbove.get(pathShape(`${itemPathOf(resource)}/`)) ?? [],
    ofNoun: (noun, path) =>
      nearest([...new Set([...(byNoun.get(noun) ?? []), ...(byPlainComponent.get(noun) ?? [])])], path),
    ofComponent: (name, path) =>
      nearest(
        (byComponent.get(name) ?? []).toSorted((a, b) => likeness(b, name) - likeness(a, name)),
        path,
      )[0],
  }
}

function namedBy(
  some: readonly Resource[],
  namesOf: (resource: Resource) => readonly string[],
): ReadonlyMap<string, readonly Resource[]> {
  const named = new Map<string, Resource[]>()
  for (const each of some)
    for (const name of namesOf(each)) {
      const others = named.get(name)
      if (others === undefined) named.set(name, [each])
      else others.push(each)
    }
  return named
}

function itemPathOf({ template, parameter }: Resource): string {
  const suffix = SUFFIX.exec(template)?.[0] ?? ''
  const above = template.slice(0, template.length - suffix.length)
  return `${above === '/' ? '' : above}/{${parameter}}${suffix}`
}

function likeness({ evidence }: Resource, component: string): number {
  const [one, other] = [plainName(evidence.singular), plainName(component)]
  return one === other ? 2 : other.endsWith(one) || other.startsWith(one) ? 1 : 0
}
