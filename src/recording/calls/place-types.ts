import { isObject } from '../../engine/schema/schema.ts'
import { countEach, entryOf, groupBy } from '../../grouping.ts'
import { madeKind } from '../../shape/made-values.ts'
import type { CallSample, ObjectSeen } from './call-sample.ts'
import { plainName } from './place-names.ts'
import { nameKey } from './show.ts'

/** Shorter ids are met by chance. */
const MIN_NAME = 3

/** The types of places: those whose objects say so, or are the same objects, have one. */
export function typesOf(calls: readonly CallSample[]): ReadonlyMap<string, string> {
  const all = calls.flatMap(({ objects }) => objects)
  const leaders = new Map<string, string>(all.map(({ place }) => [place, place]))
  const leaderOf = (place: string): string => {
    const next = leaders.get(place) ?? place
    return next === place ? place : leaderOf(next)
  }
  const join = (places: readonly string[]): void => {
    const [first, ...others] = places.map(leaderOf)
    for (const other of others) leaders.set(other, first as string)
  }
  for (const [name, own] of groupBy(all, ({ typeName }) => typeName))
    if (name !== undefined) join([...new Set(own.map(({ place }) => place))])
  const byId = groupBy(all, ({ item, id }) => `${id} ${String(item[id])}`)
  for (const alike of byId.values()) {
    const places = [...groupBy(alike, ({ place }) => place).values()].map(([each]) => each as ObjectSeen)
    for (const [at, one] of places.entries())
      for (const other of places.slice(at + 1)) if (areSame(one, other)) join([one.place, other.place])
  }
  // What is called alike is of one type, such as what is found by `books` and by `addBook`.
  const outer = all.filter(({ parent }) => parent === undefined)
  for (const [, own] of groupBy(outer, ({ place, id }) => `${nameKey(plainName(place))} ${id}`))
    join([...new Set(own.map(({ place }) => place))])
  joinNamed(all, leaderOf, join)
  joinFields(all, leaderOf, join)
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const [leader, own] of groupBy(all, ({ place }) => leaderOf(place))) {
    const [said] = [...countEach(own.flatMap(({ typeName }) => typeName ?? []))].toSorted(
      ([, a], [, b]) => b - a,
    )
    // A name that any list has says nothing of what is in it.
    const plain = [leader, ...own.map(({ place }) => place)].map(plainName)
    let name = said?.[0] ?? plain.find((each) => !OF_ANY.test(each)) ?? plainName(leader)
    while (taken.has(name)) name += '_'
    taken.add(name)
    names.set(leader, name)
  }
  return new Map([...leaders.keys()].map((place) => [place, names.get(leaderOf(place)) ?? place]))
}

// What a call selects is of the type that it is called as, alone or after a verb, where objects of one have the ids of the other: `post` within a comment, and what `publishPost` shows.
function joinNamed(
  all: readonly ObjectSeen[],
  leaderOf: (place: string) => string,
  join: (places: readonly string[]) => void,
): void {
  const selected = all.filter(({ isSelected }) => isSelected === true)
  const byType = groupBy(selected, ({ place }) => leaderOf(place))
  const ids = new Map(
    [...byType].map(([leader, own]) => [
      leader,
      new Set(own.map(({ item, id }) => `${id} ${String(item[id])}`)),
    ]),
  )
  const names = new Map<string, string>()
  for (const [leader, own] of byType)
    for (const { place, parent } of own) if (parent === undefined) names.set(wordOf(place), leader)
  for (const [leader, own] of byType)
    for (const { place, parent } of own)
      if (parent === undefined) entryOf(names, lastWord(place), () => leader)
  for (const [leader, own] of [...byType].toSorted(([, a], [, b]) => a.length - b.length)) {
    const others = own
      .flatMap(({ place }) => [wordOf(place), lastWord(place)])
      .map((word) => (word === '' ? undefined : names.get(word)))
    const other = others.find((each) => each !== undefined && leaderOf(each) !== leaderOf(leader))
    const [known, mine] = [ids.get(other ?? ''), ids.get(leader)]
    if (other === undefined || known === undefined || mine === undefined) continue
    const [few, many] = mine.size < known.size ? [mine, known] : [known, mine]
    if ([...few].every((each) => many.has(each))) join([other, leader])
  }
}

function wordOf(place: string): string {
  return nameKey(plainName(place)).toLowerCase()
}

// The noun of a name in camel case or with lines.
function lastWord(place: string): string {
  return nameKey(/(?:[A-Z]|_)[a-z]+$/.exec(plainName(place))?.[0] ?? '').toLowerCase()
}

// What is selected by one field of one type is of one type, of whichever object it is.
function joinFields(
  all: readonly ObjectSeen[],
  leaderOf: (place: string) => string,
  join: (places: readonly string[]) => void,
): void {
  const within = all.flatMap(({ place, parent }) =>
    parent === undefined
      ? []
      : [{ place, owner: parent.seen.place, field: place.slice(parent.seen.place.length) }],
  )
  const apart = (): number => new Set(within.map(({ place }) => leaderOf(place))).size
  for (let before = Infinity; apart() < before;) {
    before = apart()
    for (const [, own] of groupBy(within, ({ owner, field }) => `${leaderOf(owner)} ${field}`))
      join([...new Set(own.map(({ place }) => place))])
  }
}

const OF_ANY = /^(returning|nodes?|items?|results?|records?|rows?|entries|objects?|edges?|data)$/i

/** Objects with one id and so many members of the same names are of one type. */
const MIN_ALIKE = 4

// With one id, objects are the same where they say the same of themselves, in a text at least or in several ways.
function areSame({ item: a, id, isHandle }: ObjectSeen, { item: b }: ObjectSeen): boolean {
  if (isHandle === true) return true
  // No two types have the same long id.
  if (madeKind(String(a[id])) !== undefined) return true
  const isAlone = [a, b].some((each) => Object.keys(each).length === 1)
  if (isAlone && typeof a[id] === 'string' && a[id].length >= MIN_NAME) return true
  const names = [Object.keys(a), Object.keys(b)].toSorted((some, others) => some.length - others.length)
  if (
    MIN_ALIKE <= (names[0]?.length ?? 0) &&
    names[0]?.every((name) => Object.hasOwn(b, name) && Object.hasOwn(a, name))
  )
    return true
  const shared = Object.keys(a).filter(
    (name) => Object.hasOwn(b, name) && !isObject(a[name]) && !Array.isArray(a[name]),
  )
  const own = shared.filter((name) => name !== id && a[name] !== null)
  const same = own.filter((name) => a[name] === b[name])
  const isShown = same.length > 1 || same.some((name) => typeof a[name] === 'string' && a[name].length > 2)
  return isShown && same.length * 2 > own.length
}
