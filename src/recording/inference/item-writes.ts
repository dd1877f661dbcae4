import { isDeepStrictEqual } from 'node:util'
import type { ItemOption } from '../../engine/route-options.ts'
import { isObject, type Schema } from '../../engine/schema/schema.ts'
import { compareTexts, entryOf } from '../../grouping.ts'
import { formOfMade, madeKind } from '../../shape/made-values.ts'
import { idIn, type Item, type ItemPlace } from './item-place.ts'
import { holdsTime } from './made-part.ts'
import type { Sample } from './sample.ts'

type Deed = NonNullable<ItemOption['does']>

/** What the requests that write the items of a collection do with them. */
export interface ItemWrites {
  /** What requests to an item's path do, by method, where it is not what that method usually does. */
  readonly deeds: ReadonlyMap<string, Deed>
  /** The statuses of a PUT that makes an item, and of one that replaces it, where these are different. */
  readonly puts?: { readonly made: number; readonly again: number } | undefined
  /** Members that are objects, of which what is not sent stays; `/` leads to those within others. */
  readonly merges: readonly string[]
  /** The models of fields with times that the server makes anew with each change. */
  readonly touches: Readonly<Record<string, Schema>>
  /** Whether ids are those that bodies have. */
  readonly hasSentIds: boolean
  /** Fields that a PUT without them took from an item, as it was read afterwards, and what they were. */
  readonly gone: ReadonlyMap<string, readonly unknown[]>
  /** How a DELETE of what is not there was answered, where that is not 404, and which exchanges these were. */
  readonly absent?: Absent | undefined
  /** Methods whose requests are refused for what they send before anything looks for their item. */
  readonly checked: ReadonlySet<string>
}

interface Absent {
  readonly status: number
  readonly response: unknown
  readonly indexes: ReadonlySet<number>
}

/** What became of members that were not sent. */
interface Unsent {
  kept: number
  dropped: number
}

interface Seen extends Unsent {
  /** Requests that met no item, that were refused without one, that made one, and that changed one. */
  missed: number
  checked: number
  made: number
  changed: number
}

/** Looks at what is sent of items, and at what they are before and after. */
export function createWriteNotes(place: ItemPlace): {
  /**
   * @param before the item as far as it is known, where the request has its path
   * @param isAbsent whether it is known not to be there
   */
  note(this: void, view: Sample, isItem: boolean, before: Item | undefined, isAbsent: boolean): void
  found(this: void): ItemWrites
} {
  const deeds = new Map<string, Seen>()
  const members = new Map<string, Unsent>()
  let [sameIds, otherIds] = [0, 0]
  const [puts, replaced] = [new Set<number>(), new Set<number>()]
  const touched = new Map<string, unknown[]>()
  const later: (() => void)[] = []
  const sendable = new Set<string>()
  const absent: Sample[] = []
  // Fields that an item had before the last PUT, and that neither this nor its answer has.
  const unsent = new Map<string, Item>()
  const gone = new Map<string, unknown[]>()
  const stayed = new Set<string>()
  const noteRead = (item: Item): void => {
    const id = idIn(item, place) ?? ''
    for (const [name, value] of Object.entries(unsent.get(id) ?? {}))
      if (Object.hasOwn(item, name)) stayed.add(name)
      else entryOf(gone, name, () => []).push(value)
    unsent.delete(id)
  }
  const compare = (before: Item, body: Item, after: Item, names: Iterable<string>, seen: Unsent): void => {
    for (const name of names) {
      if (Object.hasOwn(body, name) || before[name] == null) continue
      if (isDeepStrictEqual(after[name], before[name])) seen.kept++
      else if (after[name] == null) seen.dropped++
    }
  }
  const compareMembers = (before: Item | undefined, body: Item, after: Item, above: string): void => {
    for (const [name, part] of Object.entries(body)) {
      const [was, is, path] = [before?.[name], after[name], above + name]
      if (!isObject(part) || !isObject(is)) continue
      const seen = entryOf(members, path, () => ({ kept: 0, dropped: 0 }))
      if (before === undefined)
        seen.kept += Number(Object.keys(is).some((each) => !Object.hasOwn(part, each)))
      else if (isObject(was)) compare(was, part, is, Object.keys(was), seen)
      compareMembers(before === undefined || !isObject(was) ? undefined : was, part, is, `${path}/`)
    }
  }
  return {
    note(view, isItem, before, isAbsent) {
      const { method, status, body, response } = view
      if (isItem && isAbsent && method === 'DELETE') absent.push(view)
      if (method === 'GET' && isItem && status < 300 && isObject(response)) noteRead(response)
      if (method === 'GET' || method === 'HEAD' || method === 'DELETE') return
      const deed = entryOf(deeds, method, () => ({
        ...{ missed: 0, checked: 0, made: 0 },
        ...{ changed: 0, kept: 0, dropped: 0 },
      }))
      if (isItem && status === 404) deed.missed++
      if (isItem && before === undefined && (status === 400 || status === 422)) deed.checked++
      if (status >= 300) return
      if (isItem && method === 'PUT') (before === undefined ? puts : replaced).add(status)
      if (isItem && before !== undefined) deed.changed++
      else if (isItem && (status === 201 || (isAbsent && method === 'PUT'))) deed.made++
      if (!isObject(body) || !isObject(response)) return
      const sent = isItem ? undefined : idIn(body, place)
      if (sent !== undefined && sent === idIn(response, place)) sameIds++
      else if (sent !== undefined) otherIds++
      for (const name of Object.keys(body)) sendable.add(name)
      compareMembers(before, body, response, '')
      if (isItem && before !== undefined)
        for (const [name, value] of Object.entries(response)) {
          if (Object.hasOwn(body, name) || !Object.hasOwn(before, name)) continue
          if (value !== null && !holdsTime(value) && !isMadeUp(value)) continue
          entryOf(touched, name, () => []).push(isDeepStrictEqual(value, before[name]) ? undefined : value)
        }
      if (isItem) {
        const left = Object.entries(before ?? {}).filter(
          ([name, value]) => value != null && !Object.hasOwn(body, name) && !Object.hasOwn(response, name),
        )
        unsent.set(idIn(response, place) ?? '', method === 'PUT' ? Object.fromEntries(left) : {})
      }
      if (before !== undefined) later.push(() => compare(before, body, response, sendable, deed))
    },
    found() {
      for (const each of later.splice(0)) each()
      return {
        deeds: new Map(
          [...deeds].flatMap(([method, seen]) => deedOf(method, seen).map((deed) => [method, deed])),
        ),
        // What holds the id stays, whatever else of it is sent.
        merges: [...new Set([...mergedIn(members), ...place.id.slice(0, -1)])].toSorted(),
        touches: touchedModels(touched),
        hasSentIds: sameIds > 0 && otherIds === 0,
        puts: statusesOf(puts, replaced),
        gone: new Map([...gone].filter(([name]) => !stayed.has(name))),
        absent: absentIn(absent),
        checked: new Set([...deeds].flatMap(([method, { checked }]) => (checked > 0 ? [method] : []))),
      }
    },
  }
}

// What a member further down has besides stays only where those around it stay, too.
function mergedIn(members: ReadonlyMap<string, Unsent>): readonly string[] {
  return [...members].flatMap(([path, { kept }]) => {
    const names = path.split('/')
    const all = names.map((_, at) => names.slice(0, at + 1).join('/'))
    return kept > 0 && all.every((each) => members.get(each)?.dropped === 0) ? all : []
  })
}

// Such as what distinguishes this state of an item from others.
function isMadeUp(value: unknown): boolean {
  return typeof value === 'string' && madeKind(value) !== undefined
}

// A time may be the same as before, where there were two changes in one second.
function touchedModels(touched: ReadonlyMap<string, readonly unknown[]>): ItemWrites['touches'] {
  return Object.fromEntries(
    [...touched]
      .toSorted(([a], [b]) => compareTexts(a, b))
      .flatMap(([name, values]): [string, Schema][] => {
        const made = values.filter((value) => value !== undefined)
        if (made.length * 2 <= values.length) return []
        const model = formOfMade(made)
        return model === undefined ? [] : [[name, model]]
      }),
  )
}

function statusesOf(puts: ReadonlySet<number>, replaced: ReadonlySet<number>): ItemWrites['puts'] {
  const [[made, ...others], [again, ...more]] = [[...puts], [...replaced]]
  const isKnown = others.length === 0 && more.length === 0 && made === 201
  return made === undefined || again === undefined || made === again || !isKnown ? undefined : { made, again }
}

function deedOf(method: string, { missed, made, changed, kept, dropped }: Seen): readonly Deed[] {
  if (made > 0 || changed + missed === 0) return []
  if (method === 'POST') return ['change']
  if (method !== 'PUT') return []
  return [kept > 0 && dropped === 0 ? 'change' : 'replace']
}

// Always the same, and never refused.
function absentIn(samples: readonly Sample[]): Absent | undefined {
  const [first] = samples
  const isSame = samples.every(
    ({ status, response }) => status === first?.status && isDeepStrictEqual(response, first.response),
  )
  if (first === undefined || first.status >= 300 || !isSame) return undefined
  const { status, response } = first
  return { status, response, indexes: new Set(samples.map(({ index }) => index)) }
}
