import { namesOf, splitItemPath } from '../../routing/path-template.ts'
import { type Folded, samplesAt } from './fold-paths.ts'
import { idIn } from './item-place.ts'
import type { Resource } from './resources.ts'
import type { Sample } from './sample.ts'

/**
 * Collections of which a PUT without a body says no more than that an item of another collection is in it, such as the
 * users of a group: each knows the path of that item then.
 */
export function withMembers(resources: readonly Resource[], folded: readonly Folded[]): readonly Resource[] {
  const fineOf = ({ host, path }: Resource): readonly Sample[] =>
    samplesAt(folded, host, path).filter(({ status }) => status < 300)
  return resources.map((resource) => {
    const puts = fineOf(resource).filter(({ method }) => method === 'PUT')
    const isPlain = puts.every(({ body, response }) => body === undefined && response === undefined)
    const parameter = splitItemPath(resource.path)?.parameter
    if (puts.length === 0 || !isPlain || parameter === undefined) return resource
    const ids = new Set(puts.map(lastOf))
    const other = resources.find((each) => holdsAll(each, resource, ids, fineOf(each)))
    return other === undefined ? resource : { ...resource, of: `${other.collection}/{${parameter}}` }
  })
}

// By its name and by the ids of what it has.
function holdsAll(
  other: Resource,
  { host, path, collection }: Resource,
  ids: ReadonlySet<string>,
  about: readonly Sample[],
): boolean {
  const isNamedSo = nameOf(other.collection) === nameOf(collection)
  if (other.host !== host || other.path === path || !isNamedSo) return false
  const parameters = namesOf(path)
  if (!namesOf(other.collection).every((name) => parameters.includes(name))) return false
  const before = [...other.seeds.values()].flat().map((item) => idIn(item, other.place))
  const known = new Set([...before, ...other.assigned, ...about.map(lastOf)])
  return [...ids].every((id) => known.has(id))
}

function lastOf({ segments }: Sample): string {
  return segments.at(-1) ?? ''
}

function nameOf(collection: string): string {
  return collection.slice(collection.lastIndexOf('/') + 1)
}
