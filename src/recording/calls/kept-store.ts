import { canonicalText } from '../../engine/random.ts'
import { compareTexts, entryOf } from '../../grouping.ts'
import { argumentsOf, isReading, REMOVING } from './call.ts'
import type { CallSample } from './call-sample.ts'

/** Values by keys: the calls that put and read them, and which of their arguments are the key and the value. */
export interface Store {
  readonly getter: string
  readonly setter: string
  readonly key: string
  readonly value: string
  /** The argument with the key of the call that reads. */
  readonly wanted: string
  /** What values are added to in the beginning: a list, a text or a number; absent where they replace what is there. */
  readonly empty?: unknown
}

/** What a call had to do with a store. */
export interface Note {
  readonly sample: CallSample
  /** The argument that is a key which is there. */
  readonly keyed?: string
  /** The value of it before the call and after it, where that is known. */
  readonly before?: unknown
  readonly after?: unknown
  /** The argument with the key that the value has from then on. */
  readonly renames?: string
  /** The argument that is added to the value. */
  readonly adds?: string
  /** The arguments that begin all keys which the result has; empty for all that there are. */
  readonly lists?: readonly string[]
}

/** What calls show of a store. */
export interface Seen {
  /** How many values were read as they were put; 0 where one was read otherwise. */
  readonly shown: number
  /** What was there before any call that was recorded. */
  readonly items: readonly (readonly [key: unknown, value: unknown])[]
  readonly isOrdered: boolean
  /** By the names of calls. */
  readonly notes: ReadonlyMap<string, readonly Note[]>
}

/** What is said of a value comes soon after it was changed. */
const MAX_AHEAD = 20

/** Follows the values of a store through all calls, in order. */
export function readStore(all: readonly CallSample[], store: Store): Seen {
  const now = new Map<string, unknown>()
  const notes = new Map<string, Note[]>()
  const items: (readonly [unknown, unknown])[] = []
  const put = new Set<string>()
  const shown = new Set<string>()
  let [isSorted, isPutInOrder] = [true, true]
  for (const [at, sample] of all.entries()) {
    const { call, value, outcome } = sample
    const args = argumentsOf(call)
    const keyed = keyAmong(args, call.name, store, now)
    const key = String(args.get(keyed ?? ''))
    const note = { sample, ...(keyed !== undefined && { keyed, before: now.get(key) }) }
    const keep = (more: Partial<Note> = {}): unknown =>
      entryOf(notes, call.name, (): Note[] => []).push({ ...note, ...more })
    if (outcome.error !== undefined) keep()
    else if (call.name === store.setter) {
      const own = String(args.get(store.key))
      const given = args.get(store.value)
      const after = store.empty === undefined ? given : added(now.get(own) ?? store.empty, given)
      now.set(own, after)
      put.add(own)
      keep({ after })
    } else if (call.name === store.getter) {
      const own = args.get(store.wanted)
      const known = now.get(String(own))
      if (known !== undefined && canonicalText(known) !== canonicalText(value))
        return { shown: 0, items, isOrdered: false, notes }
      if (known !== undefined)
        for (const each of Array.isArray(value) && value.length > 0 ? value : [value])
          shown.add(`${String(own)} ${canonicalText(each)}`)
      if (!put.has(String(own)) && !now.has(String(own)) && !isNothing(value)) items.push([own, value])
      if (now.has(String(own)) || (!put.has(String(own)) && !isNothing(value))) now.set(String(own), value)
      keep()
    } else if (REMOVING.test(call.name)) {
      for (const each of args.values()) if (now.delete(String(each))) put.add(String(each))
      keep()
    } else if (Array.isArray(value)) {
      const texts = value.map(String)
      const isOfKeys = texts.every((text) => now.has(text))
      isSorted &&=
        !isOfKeys ||
        texts.every((text, index) => index === 0 || compareTexts(texts[index - 1] ?? '', text) <= 0)
      const own = new Set(texts)
      isPutInOrder &&=
        !isOfKeys || canonicalText([...now.keys()].filter((each) => own.has(each))) === canonicalText(texts)
      keep({ lists: listingsOf(texts, args, now) })
    } else if (isReading(call.name) || keyed === undefined) keep()
    else {
      const change = changeOf(note, args, (wanted) => nextRead(all, at, store, wanted))
      if (change.renames !== undefined) {
        now.set(String(args.get(change.renames)), now.get(key))
        put.add(String(args.get(change.renames))).add(key)
        now.delete(key)
      } else now.set(key, change.after)
      keep(change)
    }
  }
  return { shown: shown.size, items, isOrdered: isSorted && !isPutInOrder, notes }
}

function keyAmong(
  args: ReturnType<typeof argumentsOf>,
  name: string,
  store: Store,
  now: ReadonlyMap<string, unknown>,
): string | undefined {
  const named = name === store.setter ? store.key : name === store.getter ? store.wanted : undefined
  const names = named === undefined ? [...args.keys()] : [named]
  return names.find((each) => now.has(String(args.get(each))))
}

// What a call did to the value of a key, as the next one says that reads it.
function changeOf(
  { keyed = '', before }: Pick<Note, 'keyed' | 'before'>,
  args: ReturnType<typeof argumentsOf>,
  next: (key: string) => unknown,
): Partial<Note> {
  if (before === undefined) return {}
  const others = [...args].filter(([name]) => name !== keyed)
  const same = (a: unknown, b: unknown): boolean => a !== undefined && canonicalText(a) === canonicalText(b)
  const renames = others.find(([, value]) => same(next(String(value)), before))?.[0]
  if (renames !== undefined) return { renames }
  const read = next(String(args.get(keyed)))
  if (same(read, before)) return { after: before }
  const adds = others.find(([, value]) => value !== '' && same(read, added(before, value)))
  return adds === undefined ? {} : { adds: adds[0], after: read }
}

function nextRead(
  all: readonly CallSample[],
  at: number,
  { getter, setter, key, wanted }: Store,
  own: string,
): unknown {
  for (const { call, value, outcome } of all.slice(at + 1, at + 1 + MAX_AHEAD)) {
    const args = argumentsOf(call)
    if (call.name === setter && String(args.get(key)) === own) return undefined
    if (call.name === getter && String(args.get(wanted)) === own)
      return outcome.error === undefined ? value : undefined
  }
  return undefined
}

// The arguments by which a list is one of all keys that begin with them; empty for all keys.
function listingsOf(
  texts: readonly string[],
  args: ReturnType<typeof argumentsOf>,
  now: ReadonlyMap<string, unknown>,
): readonly string[] {
  const listed = new Set(texts)
  return ['', ...args.keys()].filter((name) => {
    const start = String(args.get(name) ?? '')
    let count = 0
    for (const key of now.keys())
      if (key.startsWith(start)) {
        if (!listed.has(key)) return false
        count++
      }
    return count === listed.size
  })
}

/** A value with another one added to it: the sum of numbers, and texts and lists that go on; what is empty for none. */
export function added(before: unknown, more: unknown): unknown {
  if (Array.isArray(before)) return more === undefined ? [] : [...(before as unknown[]), more]
  if (typeof before === 'number') return more === undefined ? 0 : before + Number(more)
  return typeof more === 'string' || typeof more === 'number' ? `${String(before)}${more}` : ''
}

function isNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return value === null || value === '' || value === false || typeof value === 'object'
}
