import { fieldOf } from '../../collections/list-query.ts'
import { referenceKey, referencesIn } from '../../collections/included.ts'
import type { IncludedOption } from '../../engine/route-options.ts'
import { pointerTo } from '../../engine/schema/pointer.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { splitItemPath } from '../../routing/path-template.ts'
import type { InferredRoute } from './infer-route.ts'
import type { Item } from './item-place.ts'
import type { Resource } from './resources.ts'
import type { Sample } from './sample.ts'

/**
 * Which member of a route's answers has the things that its items refer to, where the query names the members that do;
 * `undefined` where none does, or nothing stored is of their types.
 * @param from the names that lead to the items
 */
export function findIncluded(
  { samples, host }: InferredRoute,
  from: readonly string[],
  resources: readonly Resource[],
): IncludedOption | undefined {
  const fine = samples.filter(({ status, response }) => status < 300 && isObject(response))
  const members = new Set(fine.flatMap(({ response }) => Object.keys(response as Item)))
  const parameters = new Set(fine.flatMap(({ query }) => Object.keys(query)))
  for (const member of members) {
    if (from[0] === member) continue
    const listOf = ({ response }: Sample): unknown => (response as Item)[member]
    const shown = fine.flatMap((sample) => referencesIn(listOf(sample)))
    if (shown.length === 0) continue
    const parameter = [...parameters].find((name) =>
      fine.every((sample) => isIncluded(referencesIn(listOf(sample)), sample, name, from)),
    )
    const at = parameter === undefined ? {} : placesOf(shown, resources, host)
    if (parameter === undefined || Object.keys(at).length === 0) continue
    const always = fine.some((sample) => !(parameter in sample.query) && Array.isArray(listOf(sample)))
    return { parameter, to: pointerTo([member]), from: pointerTo(from), at, ...(always && { always }) }
  }
  return undefined
}

// What was named is there, and nothing else.
function isIncluded(
  shown: readonly Item[],
  { query, response }: Sample,
  parameter: string,
  from: readonly string[],
): boolean {
  const named = [query[parameter] ?? []].flat().join(',').split(',')
  const keys = new Set(shown.map(referenceKey))
  const items = [memberAt(response, from)].flat().filter(isObject)
  const wanted = new Set<string>()
  for (const name of named) {
    let holders = items
    for (const each of name.split('.')) {
      const references = holders.flatMap((item) => referencesIn(fieldOf(item, each)))
      for (const reference of references) wanted.add(referenceKey(reference))
      holders = shown.filter((thing) =>
        references.some((reference) => referenceKey(reference) === referenceKey(thing)),
      )
    }
  }
  return wanted.size === keys.size && [...wanted].every((key) => keys.has(key))
}

function placesOf(
  shown: readonly Item[],
  resources: readonly Resource[],
  host: string | undefined,
): Readonly<Record<string, string>> {
  const able = resources.filter((each) => each.host === host && splitItemPath(each.path) !== undefined)
  const types = new Map(shown.map((thing) => [String(thing['type']), thing]))
  return Object.fromEntries(
    [...types].flatMap(([type]): [string, string][] => {
      const ids = shown.flatMap((thing) => (String(thing['type']) === type ? [String(thing['id'])] : []))
      const isSeen = ({ assigned, seeds }: Resource): boolean =>
        ids.some((id) => assigned.includes(id)) ||
        [...seeds.values()].flat().some((item) => item['type'] === type && ids.includes(String(item['id'])))
      // Clients may give ids, too.
      const found = able.find(isSeen) ?? able.find(({ collection }) => collection.endsWith(`/${type}`))
      return found === undefined ? [] : [[type, found.path]]
    }),
  )
}
