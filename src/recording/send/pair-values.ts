import { isObject } from '../../engine/schema/schema.ts'
import { decodeSegment } from '../../routing/path-template.ts'
import { digitsOf, isLocation, MAX_DEPTH, type MessageBody, PARTS, splitUrl, TOKEN } from './message-body.ts'
import { MAX_LENGTH, ownerBelow, rolesOf, type ValuePlace } from './value-roles.ts'

const MAX_ITEMS = 10_000

/** A value in one message, and what stands in its place in another. */
export interface PairedValue {
  readonly place: ValuePlace
  readonly recorded: string
  readonly live: string
  /** Whether it is an item of a list, or in one: which item answers to which is a guess. */
  readonly isInList: boolean
}

/** Hears of each pair; a path whose segments do not pair is a pair too, with `/` as the name of its place. */
type Note = (pair: PairedValue) => void
/** The value that is expected in place of a recorded one. */
type Expect = (text: string, place: ValuePlace) => string

/** Finds what stands in the place of each value of a recorded body in a live one. */
export function pairBodies(
  recorded: MessageBody,
  live: MessageBody,
  place: ValuePlace,
  expect: Expect,
  note: Note,
): void {
  if (recorded.kind === 'json' && live.kind === 'json') {
    pairJson(recorded.value, live.value, { place, isInList: false, depth: 0, expect, note })
  } else if (recorded.kind === 'form' && live.kind === 'form') {
    const values = new Map(live.pairs)
    for (const [name, value] of recorded.pairs)
      pairText(value, values.get(name) ?? value, { ...place, name }, note)
  } else if (recorded.kind === 'text' && live.kind === 'text') {
    pairText(recorded.text, live.text, place, note)
  }
}

interface Walk {
  readonly place: ValuePlace
  readonly isInList: boolean
  readonly depth: number
  readonly expect: Expect
  readonly note: Note
}

function pairJson(recorded: unknown, live: unknown, walk: Walk): void {
  const { place, isInList, note, depth, expect } = walk
  if (depth > MAX_DEPTH) return
  if (Array.isArray(recorded) && Array.isArray(live)) {
    const inList = { ...walk, isInList: true, depth: depth + 1 }
    for (const [one, other] of pairItems(recorded.slice(0, MAX_ITEMS), live, place, expect))
      pairJson(one, other, inList)
  } else if (isObject(recorded) && isObject(live)) {
    const owner = ownerBelow(place.owner, place.name)
    for (const [name, other] of pairMembers(recorded, live))
      pairJson(recorded[name], live[other], {
        ...walk,
        place: { ...place, name: other, owner },
        depth: depth + 1,
      })
    for (const [name, other] of pairMembers(recorded, live))
      if (name !== other)
        note({ place: { ...place, name: 'id', owner }, recorded: name, live: other, isInList: true })
  } else if (isScalar(recorded) && isScalar(live)) {
    pairText(digitsOf(recorded) ?? String(recorded), digitsOf(live) ?? String(live), place, note, isInList)
  }
}

// Names of maps are values too: where one is gone that looks like an id, and another is there, they are the same.
function pairMembers(
  recorded: Readonly<Record<string, unknown>>,
  live: Readonly<Record<string, unknown>>,
): readonly (readonly [string, string])[] {
  const names = Object.keys(recorded)
  const gone = names.filter((name) => !Object.hasOwn(live, name) && /\d/.test(name))
  const added = Object.keys(live).filter((name) => !Object.hasOwn(recorded, name) && /\d/.test(name))
  const same = names.filter((name) => Object.hasOwn(live, name)).map((name) => [name, name] as const)
  if (gone.length !== added.length) return same
  return [...same, ...gone.map((name, index) => [name, added[index] as string] as const)]
}

// An item that is known by its id pairs with the one that has the id expected now; the others pair in order.
function pairItems(
  recorded: readonly unknown[],
  live: readonly unknown[],
  place: ValuePlace,
  expect: Expect,
): readonly (readonly [unknown, unknown])[] {
  const owner = ownerBelow(place.owner, place.name)
  const byId = new Map<string, unknown>()
  for (const item of live) {
    const [, id] = idOf(item) ?? []
    if (id !== undefined && !byId.has(id)) byId.set(id, item)
  }
  const pairs: (readonly [unknown, unknown])[] = []
  const taken = new Set<unknown>()
  const left: unknown[] = []
  for (const item of recorded) {
    const [name, id] = idOf(item) ?? []
    const found = id === undefined ? undefined : byId.get(expect(id, { ...place, name: name ?? '', owner }))
    if (found === undefined || (taken.has(found) && isObject(found))) left.push(item)
    else {
      pairs.push([item, found])
      taken.add(found)
    }
  }
  const others = live.filter((item) => !taken.has(item))
  for (const [index, item] of left.slice(0, others.length).entries()) pairs.push([item, others[index]])
  return pairs
}

function idOf(item: unknown): readonly [name: string, id: string] | undefined {
  if (isScalar(item)) return ['', digitsOf(item) ?? String(item)]
  if (!isObject(item)) return undefined
  const names = Object.keys(item).filter((name) => isScalar(item[name]))
  const name =
    names.find((each) => /^_?(id|key|uuid|uid|name|slug|href|url)$/i.test(each)) ??
    names.find((each) => rolesOf({ name: each, owner: '', endpoint: '' }).length > 0)
  return name === undefined ? undefined : [name, digitsOf(item[name]) ?? String(item[name])]
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** Finds what stands in the place of each part of a text in another one: the whole, words, parts of a URL. */
export function pairText(
  recorded: string,
  live: string,
  place: ValuePlace,
  note: Note,
  isInList = false,
): void {
  if (recorded.length <= MAX_LENGTH) note({ place, recorded, live, isInList })
  if (recorded === live) return
  if (isLocation(recorded) && isLocation(live)) return pairUrl(recorded, live, place, note, isInList)
  const [ours, theirs] = [wordsOf(recorded), wordsOf(live)]
  if (ours.length === 1 && theirs.length === 1 && ours[0] === recorded)
    return pairParts(recorded, live, place, note, isInList)
  const isAlike = ours.length === theirs.length
  const bySpot = isAlike ? undefined : spotsOf(theirs)
  const counts = new Map<string, number>()
  for (const [index, word] of ours.entries()) {
    const found = bySpot === undefined ? theirs[index] : bySpot.get(spotOf(ours, index, counts))
    if (found === undefined) continue
    const at = { ...place, name: ours[index - 1] ?? place.name }
    if (isLocation(word) && isLocation(found)) pairUrl(word, found, at, note, isInList)
    else {
      note({ place: at, recorded: word, live: found, isInList })
      pairParts(word, found, at, note, isInList)
    }
  }
}

function wordsOf(text: string): readonly string[] {
  return text.match(TOKEN) ?? []
}

// Where texts are not of one form, a word is found by the two before it.
function spotsOf(words: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  return new Map(words.map((word, index) => [spotOf(words, index, counts), word]))
}

function spotOf(words: readonly string[], index: number, counts: Map<string, number>): string {
  const before = `${words[index - 2] ?? ''} ${words[index - 1] ?? ''}`
  const count = counts.get(before) ?? 0
  counts.set(before, count + 1)
  return `${before} ${count}`
}

// `sha256:…`, `bucket/key`, `1-abc.json`: particular parts of what has a form of its own.
function pairParts(recorded: string, live: string, place: ValuePlace, note: Note, isInList: boolean): void {
  const [ours, theirs] = [recorded.split(PARTS), live.split(PARTS)]
  if (ours.length < 2 || ours.length !== theirs.length) return
  for (const [index, part] of ours.entries())
    note({ place: { ...place, name: '' }, recorded: part, live: theirs[index] ?? part, isInList })
}

function pairUrl(recorded: string, live: string, place: ValuePlace, note: Note, isInList: boolean): void {
  const [ours, theirs] = [splitUrl(recorded), splitUrl(live)]
  if (ours.origin !== '' && theirs.origin !== '')
    note({ place: { ...place, name: '' }, recorded: ours.origin, live: theirs.origin, isInList })
  const [one, other] = [ours.path.split('/'), theirs.path.split('/')]
  if (one.length === other.length) {
    for (const [index, segment] of one.entries())
      note({
        place: { name: 'id', owner: one[index - 1] ?? '', endpoint: '' },
        recorded: decodeSegment(segment),
        live: decodeSegment(other[index] ?? segment),
        isInList,
      })
  }
  note({ place: { ...place, name: '/' }, recorded: ours.path, live: theirs.path, isInList })
  const values = new Map(new URLSearchParams(theirs.search))
  for (const [name, value] of new URLSearchParams(ours.search)) {
    const found = values.get(name)
    if (found !== undefined) note({ place: { ...place, name }, recorded: value, live: found, isInList })
  }
}
