import type { CallRule } from '../../engine/call-model.ts'
import { mergedStored } from './object-links.ts'
import type { Known } from './object-types.ts'
import type { CallSample, ObjectSeen } from './call-sample.ts'

/** Where results have the objects that the one which they are about has as members. */
export function alsoIn(
  items: readonly { readonly call: CallSample['call']; readonly seen: ObjectSeen }[],
  outer: readonly ObjectSeen[],
  known: Known,
): NonNullable<CallRule['also']> {
  const { calls, types } = known
  const [first] = items
  const type = types.get(first?.seen.place ?? '') ?? ''
  const merged = storedOf(type, known)
  const all = items.map(({ call, seen }) => ({
    item: merged.get(String(seen.item[seen.id])) ?? {},
    objects: calls.find((each) => each.call === call)?.objects ?? [],
  }))
  const entries = outer
    .filter(({ pointer }) => pointer !== first?.seen.pointer && !pointer.includes('/-'))
    .flatMap(({ pointer, place }): [string, { type: string; by: string }][] => {
      const to = types.get(place) ?? ''
      const found = [...linkedMembers(type, known)].find(([by, other]) => {
        const shown = all.filter(({ item }) => item[by] !== undefined)
        return (
          other === to &&
          shown.length > 0 &&
          shown.every(({ item, objects }) => {
            const seen = objects.find((each) => each.pointer === pointer && each.parent === undefined)
            return seen === undefined || String(item[by]) === String(seen.item[seen.id])
          })
        )
      })
      return found === undefined ? [] : [[pointer, { type: to, by: found[0] }]]
    })
  return Object.fromEntries(entries)
}

/** The members that have the id of another object, with its type. */
export function linkedMembers(type: string, { links }: Known): ReadonlyMap<string, string> {
  const own = Object.entries(links.get(type) ?? {}).flatMap(([name, { by, from, type: to }]) =>
    from === undefined ? [[by ?? name, to] as const] : [],
  )
  const owners = [...links].flatMap(([owner, members]) =>
    Object.values(members).flatMap(({ from, type: to }) =>
      from !== undefined && to === type ? [[from, owner] as const] : [],
    ),
  )
  return new Map([...owners, ...own])
}

/** All that is known of the objects of a type, by their ids. */
export function storedOf(type: string, { calls, types, links }: Known): ReturnType<typeof mergedStored> {
  return mergedStored(
    type,
    calls.flatMap(({ objects }) => objects),
    types,
    links,
  )
}
