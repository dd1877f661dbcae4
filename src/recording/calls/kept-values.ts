import type { CallOutcome, CallRule, ObjectType } from '../../engine/call-model.ts'
import { canonicalText } from '../../engine/random.ts'
import { groupBy } from '../../grouping.ts'
import { argumentsOf, CHANGING, CREATING, isReading, REMOVING } from './call.ts'
import { missingOf, opened } from './failures.ts'
import { added, type Note, readStore, type Seen, type Store } from './kept-store.ts'
import type { CallSample } from './call-sample.ts'
import { usualOf } from './rule-without-object.ts'
import { stemOf } from './settings.ts'

interface KeptValues {
  readonly types: ReadonlyMap<string, ObjectType>
  readonly rules: ReadonlyMap<string, CallRule>
}

/** The members of what is stored, which has no others where only keys and values are known. */
const KEY = '#key'
const VALUE = '#value'
const DOING = new RegExp([CREATING, CHANGING, REMOVING].map(({ source }) => source).join('|'), 'i')
/** Fewer are alike by chance. */
const MIN_SHOWN = 2

/**
 * Finds values that one call puts under a key, and another one reads by it with no object around them.
 * @param rules what is known of calls, which stays, but that what makes an object may give it such a value
 */
export function keptValuesIn(all: readonly CallSample[], rules: ReadonlyMap<string, CallRule>): KeptValues {
  const byName = groupBy(all, ({ call }) => call.name)
  const types = new Map<string, ObjectType>()
  const found = new Map<string, CallRule>()
  const taken = new Set([...rules.values()].map(({ type }) => type))
  const isFree = (name: string): boolean => !rules.has(name) && !found.has(name)
  const setters = [...byName.keys()].filter((name) => !isReading(name) && !REMOVING.test(name))
  for (const getter of byName.keys()) {
    if (!isFree(getter) || !(isReading(getter) || !DOING.test(getter))) continue
    const read = firstStore(
      all,
      setters
        .filter((setter) => !found.has(setter))
        .flatMap((setter) => storesOf(byName, { getter, setter }, rules.get(setter))),
    )
    if (read === undefined) continue
    const known = rules.get(read.store.setter)
    const type = known?.type ?? freeName(stemOf(getter), taken)
    const names = known === undefined ? [...byName.keys()].filter(isFree) : [getter]
    for (const name of names) {
      const rule = ruleIn(name, read.seen.notes.get(name) ?? [], read.store)
      if (rule !== undefined) found.set(name, { ...rule, type })
    }
    if (known === undefined) types.set(type, typeOf(read.seen))
    else found.set(read.store.setter, { ...known, copies: { ...known.copies, [VALUE]: read.store.value } })
  }
  return { types, rules: found }
}

function freeName(name: string, taken: Set<string>): string {
  const free = taken.has(name) ? freeName(`${name}_`, taken) : name
  taken.add(free)
  return free
}

function firstStore(
  all: readonly CallSample[],
  stores: readonly Store[],
): { readonly store: Store; readonly seen: Seen } | undefined {
  for (const store of stores) {
    const seen = readStore(all, store)
    if (seen.shown >= MIN_SHOWN) return { store, seen }
  }
  return undefined
}

// The ways in which calls may be a store: by which arguments, and whether what is given is added to what is there.
function storesOf(
  byName: ReadonlyMap<string, readonly CallSample[]>,
  { getter, setter }: Pick<Store, 'getter' | 'setter'>,
  known: CallRule | undefined,
): readonly Store[] {
  const [puts, reads] = [setter, getter].map((name) =>
    (byName.get(name) ?? []).filter(({ outcome }) => outcome.error === undefined),
  ) as [CallSample[], CallSample[]]
  const [put, read] = [puts[0], reads[0]]
  if (put === undefined || read === undefined) return []
  if (known !== undefined && known.does !== 'put' && known.does !== 'create') return []
  const shown = new Set(reads.flatMap(({ value }): readonly unknown[] => [value].flat()))
  const [given, wanted] = [put, read].map(({ call }) => [...argumentsOf(call).keys()]) as [string[], string[]]
  // What adds numbers shows none of them.
  const isShown = (name: string): boolean =>
    typeof read.value === 'number' || puts.some(({ call }) => shown.has(argumentsOf(call).get(name)))
  const empty = Array.isArray(read.value) ? [] : typeof read.value === 'number' ? 0 : ''
  return given
    .filter((key) => known === undefined || known.id === key)
    .flatMap((key) =>
      given.filter((value) => value !== key && isShown(value)).map((value) => ({ key, value })),
    )
    .flatMap((args) => wanted.map((name) => ({ getter, setter, ...args, wanted: name })))
    .flatMap((store): Store[] => (known === undefined ? [store, { ...store, empty }] : [store]))
}

function typeOf({ items, isOrdered }: Seen): ObjectType {
  return {
    ...{ id: KEY, links: {}, defaults: {}, ...(isOrdered && { isOrdered }) },
    items: items.map(([key, value]) => ({ [KEY]: key, [VALUE]: value })),
  }
}

function ruleIn(name: string, own: readonly Note[], store: Store): Omit<CallRule, 'type'> | undefined {
  const fine = own.filter(({ sample }) => sample.outcome.error === undefined)
  const [first] = fine
  if (first === undefined) return undefined
  const sample = usualOf(fine.map((each) => each.sample))
  const common = { result: sample.value, ...framed(sample) }
  const adding = (argument: string, empty: unknown): Pick<CallRule, 'adds'> => ({
    adds: { [VALUE]: { argument, empty } },
  })
  if (name === store.setter) {
    const gives =
      store.empty === undefined ? { copies: { [VALUE]: store.value } } : adding(store.value, store.empty)
    return { does: 'put', ...common, id: store.key, ...gives, ...valueIn(fine) }
  }
  const id = name === store.getter ? store.wanted : own.find(({ keyed }) => keyed !== undefined)?.keyed
  const [there, absent] = [true, false].map((is) =>
    own.filter(({ keyed }) => (keyed !== undefined && keyed === id) === is),
  ) as [Note[], Note[]]
  const found = there.find(({ sample }) => sample.outcome.error === undefined)
  const missing = id === undefined ? undefined : missingIn(absent, id)
  const saying = { ...common, ...(id !== undefined && { id }), ...(missing && { missing }) }
  if (name === store.getter) return { does: 'read', ...saying, at: '', member: VALUE }
  if (REMOVING.test(name))
    return found && { does: 'remove', ...saying, result: found.sample.value, ...valueIn(there, true) }
  const [change] = there.filter(({ renames, adds }) => renames !== undefined || adds !== undefined)
  if (change?.renames !== undefined) return { does: 'change', ...saying, renames: change.renames }
  if (change?.adds !== undefined) {
    const { adds, before } = change
    return { does: 'change', ...saying, ...adding(adds, added(before, undefined)), ...valueIn(there) }
  }
  const saysWhether =
    found !== undefined &&
    missing !== undefined &&
    [...argumentsOf(found.sample.call)].length === 1 &&
    fine.every(({ sample, keyed }) => sample.value === (keyed === id))
  if (saysWhether) return { does: 'read', ...saying, result: true }
  const sized = there.length > 0 && missing !== undefined ? valueIn(there, true) : {}
  if (sized.isSize === true) return { does: 'read', ...saying, ...sized }
  const { lists } = first
  const by = lists?.find((each) => fine.every((note) => note.lists?.includes(each)))
  if (by === undefined || !fine.some(({ sample }) => [sample.value].flat().length > 0)) return undefined
  const filter = by === '' ? [] : [{ argument: by, member: KEY, by: 'prefix' as const }]
  return { does: 'list', ...common, result: [], at: '', list: { isOfIds: true, filter } }
}

// Whether results are the value, or its size, as it is after or before the call.
function valueIn(notes: readonly Note[], isBefore = false): Pick<CallRule, 'at' | 'member' | 'isSize'> {
  const fine = notes.filter(({ sample }) => sample.outcome.error === undefined)
  const all = fine.map(({ sample, before, after }) => [sample.value, isBefore ? before : after] as const)
  const isAll = (fits: (result: unknown, value: unknown) => boolean): boolean =>
    all.length > 0 && all.every(([result, value]) => value !== undefined && fits(result, value))
  if (isAll((result, value) => canonicalText(result) === canonicalText(value)))
    return { at: '', member: VALUE }
  const isSize = isAll(
    (result, value) => (typeof value === 'string' || Array.isArray(value)) && result === value.length,
  )
  return isSize ? { at: '', member: VALUE, isSize } : {}
}

function missingIn(absent: readonly Note[], id: string): CallOutcome | undefined {
  const samples = absent.map(({ sample }) => sample)
  const failed = missingOf(samples, id)
  if (failed !== undefined) return failed
  const [sample] = samples
  return sample && { value: opened(sample.value, argumentsOf(sample.call).get(id)), ...framed(sample) }
}

function framed({ outcome }: CallSample): Pick<CallRule, 'frame'> {
  return outcome.frame === undefined ? {} : { frame: outcome.frame }
}
