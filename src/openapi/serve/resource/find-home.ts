import { plainName } from '../../../collections/paging/page-parameters.ts'
import { kindOf } from '../../../engine/schema/keywords.ts'
import { collectionPath, pathShape, segmentsOf } from '../../../routing/path-template.ts'
import { fieldModelsOf, idFieldOf } from './item-shape.ts'
import type { Resource } from './resource.ts'

/** Paths that name the items of a resource by one of their fields. */
export interface Lookup {
  readonly home: Resource
  readonly field: string
  /** What else of an item its path names: its owner's name in `/repos/{owner}/{repo}`. */
  readonly others: readonly NamedPart[]
}

/** A parameter of a path, and where in an item its value is. */
interface NamedPart {
  readonly parameter: string
  readonly path: readonly string[]
}

/** What paths end in that name a format: `.json`. */
export const SUFFIX = /\.[A-Za-z]\w*$/

/**
 * The resource whose items a resource shows: the same collection may be shown whole, and below each of the resources
 * that its items belong to.
 */
export function findHome(resource: Resource, namesakes: readonly Resource[]): Resource {
  const wider = namesakes.filter(
    (other) =>
      other.parents.length < resource.parents.length &&
      other.host === resource.host &&
      [...other.components].some((name) => resource.components.has(name)) &&
      sharesParents(other, resource),
  )
  return wider.toSorted((a, b) => a.parents.length - b.parents.length)[0] ?? resource
}

/**
 * What the paths of a resource look up: a path that only single items have, which another collection lists, is of those
 * by the field that it names, or by several.
 */
export function findLookup(
  resource: Resource,
  withComponent: ReadonlyMap<string, readonly Resource[]>,
): Lookup | undefined {
  const { idField, isListed, isPostedTo, components, template, parents, host } = resource
  if (idField === undefined || isListed || isPostedTo) return undefined
  const alike = new Set([...components].flatMap((name) => withComponent.get(name) ?? []))
  const found = [...alike].flatMap((home): Lookup[] => {
    const isOther = home.idField !== idField || template.startsWith(`${home.template}/`)
    const mayHold = home.host === host && home.parents.length <= parents.length
    if (!mayHold || !isOther || !home.shape.fields.has(idField)) return []
    const others = partsNamed(resource, home)
    const isCollection = home.isListed || home.isPostedTo || others.length > 0
    return isCollection && sharesParents(home, resource) ? [{ home, field: idField, others }] : []
  })
  const [home] = nearest(
    found.map((each) => each.home),
    template,
  )
  return found.find((each) => each.home === home)
}

// Of parameters in a row, such as those of `/repos/{owner}/{repo}`, all name the item where it has a field for each.
function partsNamed({ template, parents, read }: Resource, home: Resource): readonly NamedPart[] {
  const [row = ''] = /(?:\/\{[^{}]+\})*$/.exec(template) ?? []
  const names = parents.slice(home.parents.length).filter((name) => row.includes(`{${name}}`))
  const { fields, modelOf } = home.shape
  const parts = names.flatMap((parameter): NamedPart[] => {
    const name = [...fields.keys()].find((each) => plainName(each) === plainName(parameter))
    if (name === undefined) return []
    if (kindOf(modelOf(name)) !== 'object') return [{ parameter, path: [name] }]
    const model = read?.route.operation?.parameters.find((each) => each.name === parameter)?.model ?? true
    const evidence = { parameter, singular: plainName(parameter), model }
    const idField = idFieldOf(fieldModelsOf(modelOf(name)), evidence)
    return idField === undefined ? [] : [{ parameter, path: [name, idField] }]
  })
  return parts.length === names.length ? parts : []
}

/** Whether the narrower path has all that names the collection of a wider one. */
export function sharesParents(
  { template, parents }: Pick<Resource, 'template' | 'parents'>,
  narrower: Pick<Resource, 'template'>,
): boolean {
  if (parents.length === 0) return true
  const last = template.lastIndexOf('}') + 1
  return pathShape(narrower.template).startsWith(`${pathShape(template.slice(0, last))}/`)
}

/** Resources by how much of a path they share, the nearest first. */
export function nearest(some: readonly Resource[], path: string): readonly Resource[] {
  if (some.length < 2) return some
  const own = segmentsOf(pathShape(path))
  const shared = ({ template }: Resource): number => {
    const segments = segmentsOf(pathShape(collectionPath(template)).replace(SUFFIX, ''))
    const at = segments.findIndex((segment, index) => segment !== own[index])
    return at < 0 ? segments.length : at
  }
  return some.toSorted((a, b) => shared(b) - shared(a) || a.parents.length - b.parents.length)
}
