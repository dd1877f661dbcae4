import { isObject } from '../../../engine/schema/schema.ts'
import { entitiesIn, type Seen } from './seen.ts'
import { type EntitySet, type Namer, OWNER, readLiteral } from './service.ts'
import { headOf, keyIn } from './segments.ts'

/** What stands for the sets that entities of another one name, as a link of each of those. */
const NAMED = '*'

/** Whether a set stands for those that entities name. */
export function isNamedSet(set: string): boolean {
  return set.endsWith(`/${NAMED}`)
}

/** The set of entities that a path is about, with its last segment; `undefined` where it goes on to something else. */
export function setPlaceOf([first, second, ...rest]: readonly string[]):
  { readonly set: string; readonly segment: string } | undefined {
  if (first === undefined) return undefined
  if (second === undefined) return { set: headOf(first), segment: first }
  const isNamed = headOf(second) === NAMED && rest.length === 0
  return isNamed ? { set: `${headOf(first)}/${NAMED}`, segment: second } : undefined
}

/** Whose entities a path is about, as a member of each of them. */
export function ownerOf([first, second]: readonly string[]): Readonly<Record<string, unknown>> {
  const key = headOf(second) === NAMED ? keyIn(first) : undefined
  return key === undefined ? {} : { [OWNER]: readLiteral(key) }
}

/** Finds the set whose entities were made with the names of all others; `undefined` for a service with sets of its own. */
export function findNamer(seen: readonly Seen[]): Namer | undefined {
  const fine = seen.filter(({ status, segments: [first = '$'] }) => status < 300 && !first.startsWith('$'))
  const names = new Set(fine.map(({ segments }) => headOf(segments[0])))
  const made = fine.filter(
    ({ method, segments, body }) => method === 'POST' && segments.length === 1 && isObject(body),
  )
  for (const set of names) {
    const own = made.filter(({ segments }) => segments[0] === set).flatMap(({ body }) => entitiesIn(body))
    const others = [...names].filter((name) => name !== set)
    const key = Object.keys(own[0] ?? {}).find((name) => {
      const given = new Set(own.map((item) => item[name]))
      return others.length > 0 && others.every((other) => given.has(other))
    })
    if (key !== undefined) return { set, key }
  }
  return undefined
}

/** A path to a set that an entity names as one that leads by that entity. */
export function byNamer(segments: readonly string[], namer: Namer | undefined): readonly string[] {
  const [first = '$', ...rest] = segments
  const name = headOf(first)
  if (namer === undefined || first.startsWith('$') || name === namer.set) return segments
  return [`${namer.set}('${name}')`, NAMED + first.slice(name.length), ...rest]
}

/** Has a set lead to those that its entities name, which all are alike. */
export function withNamed(
  sets: Readonly<Record<string, EntitySet>>,
  namer: Namer | undefined,
): Readonly<Record<string, EntitySet>> {
  const to = `${namer?.set}/${NAMED}`
  const [own, named] = [sets[namer?.set ?? ''], sets[to]]
  if (namer === undefined || own === undefined || named === undefined) return sets
  const links = {
    ...own.links,
    [NAMED]: { to, isMany: true, isOwned: true, by: [[namer.key, OWNER]] as const },
  }
  return {
    ...sets,
    [namer.set]: { ...own, keys: [namer.key], quoted: [namer.key], links },
    [to]: { ...named, keys: [OWNER, ...named.keys] },
  }
}
