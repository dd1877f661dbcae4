import type { CallModel, CallOutcome, CallRule } from '../../engine/call-model.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { SelectedField } from '../../routing/selection.ts'
import type { Fresh } from '../match/nearest-answer.ts'
import { argumentsOf, type Call, membersOf } from './call.ts'
import { performChoice } from './choice.ts'
import { isEmpty, replaceAt, valueAt, withCount } from './envelope.ts'
import { singular } from '../inference/names.ts'
import {
  countedMembers,
  freshId,
  type Item,
  linkedTo,
  listItems,
  noteChange,
  type Objects,
  put,
  remove,
} from './objects.ts'

type All = ReadonlyMap<string, Objects>
type Args = ReturnType<typeof argumentsOf>

/** What a call comes to, by what the objects are now; it changes them. `undefined` where the model does not say it. */
export function performCall(
  model: Pick<CallModel, 'calls' | 'envelope'>,
  all: All,
  call: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const rule = Object.hasOwn(model.calls, call.name) ? model.calls[call.name] : undefined
  if (rule === undefined) return undefined
  const framed = { ...(rule.frame && { frame: rule.frame }) }
  if (rule.does === 'say') return { value: rule.result, ...framed }
  const args = argumentsOf(call)
  const [, refused] = Object.entries(rule.refused ?? {}).find(([name]) => isEmpty(args.get(name))) ?? []
  if (refused !== undefined) return refused
  if (rule.choice !== undefined) {
    const made = performChoice(rule.choice, all, call, {
      type: rule.type,
      perform: (inner) => performCall(model, all, inner, fresh),
      around: (members) => withCount(members, model.envelope ?? {}, all),
    })
    return made && { ...made, ...framed }
  }
  const objects = all.get(rule.type)
  if (objects === undefined) return undefined
  const shown = (found: Part): CallOutcome | undefined => {
    const value = show(placed(rule, found, args), call.selects, { all, rule: shownBy(rule, call) })
    return value === UNKNOWN ? undefined : { value, ...framed }
  }
  const itemOf = (item: Item): Shown => new Shown(rule.type, item)
  const { list = { filter: [] } } = rule
  if (rule.does === 'list') {
    const wanted = list.ids === undefined ? undefined : call.args[list.ids]
    const ids = wanted === undefined ? undefined : [wanted].flat().map(String)
    const { items, ...counts } = listItems(objects, list, args, ids)
    return shown({ items: items.map(itemOf), ...counts })
  }
  const id = rule.id === undefined ? undefined : args.get(rule.id)
  if (rule.does === 'create' || rule.does === 'put') {
    if (rule.does === 'put' && id === undefined) return undefined
    const own = id ?? args.get(objects.type.id)
    const key = isEmpty(own) ? freshId(objects, fresh) : own
    const before = objects.items.get(String(key))
    const members = given(call, objects, rule)
    if (!isThere(all, objects, members)) return rule.missing && adaptMissing(rule.missing, id)
    noteChange(objects, String(key), undefined)
    const made = {
      ...usual(objects, rule),
      ...members,
      ...copied(rule, args),
      ...rule.sets,
      ...countedMembers(objects, key),
      [objects.type.id]: key,
    }
    store(objects, made)
    objects.made.set(String(key), fresh.now)
    const isWhole = rule.isId !== true
    return shown({ item: isWhole ? itemOf(made) : key, before: before && [itemOf(before)] })
  }
  if (rule.does === 'remove' && (rule.touched !== undefined || rule.until !== undefined)) {
    if (id === undefined) return undefined
    const to = rule.until === undefined ? undefined : args.get(rule.until)
    const { items } = listItems(objects, { filter: [], range: { from: 'from', to: 'to' } }, rangeOf(id, to))
    for (const item of items) remove(all, rule.type, String(item[objects.type.id]))
    return shown({ before: items.map(itemOf), touched: items.length })
  }
  const ids = rule.id === undefined ? [] : idsIn(call, rule.id)
  const [first] = ids
  if (first === undefined) return undefined
  const stored = ids.flatMap((each): Item[] => {
    const found = objects.items.get(String(each))
    return found === undefined ? [] : [found]
  })
  const [before] = stored
  if (before === undefined) return rule.missing && adaptMissing(rule.missing, first)
  if (rule.does === 'remove') for (const each of ids) remove(all, rule.type, String(each))
  let now = before
  if (rule.does === 'change')
    for (const each of stored) {
      const own = each[objects.type.id]
      noteChange(objects, String(own), undefined)
      const changed = {
        ...{ ...each, ...given(call, objects, rule), ...rule.sets, ...countedMembers(objects, own) },
        [objects.type.id]: own,
      }
      store(objects, changed)
      if (each === before) now = changed
    }
  return shown({
    item: itemOf(withRemaining(objects, rule, now, fresh.now)),
    before: stored.map(itemOf),
  })
}

function copied({ copies = {} }: CallRule, args: Args): Item {
  const entries = Object.entries(copies).map(([member, argument]) => [member, args.get(argument)])
  return Object.fromEntries(entries) as Item
}

// Whole seconds that are left, of which the last has begun.
function withRemaining(objects: Objects, { remaining }: CallRule, item: Item, now: number): Item {
  const given = Number(item[remaining ?? ''])
  if (remaining === undefined || Number.isNaN(given)) return item
  const made = objects.made.get(String(item[objects.type.id])) ?? now
  const left = Math.ceil(given - (now - made) / 1000) - 1
  return { ...item, [remaining]: likeBefore(left, item[remaining]) }
}

function store(objects: Objects, item: Item): void {
  put(objects, item)
  const { history, type } = objects
  const last = history.at(-1)
  if (type.isCounted === true && last !== undefined) history[history.length - 1] = [last[0], last[1], item]
}

function rangeOf(from: string | number | boolean, to: string | number | boolean | undefined): Args {
  return new Map([['from', from], ...(to === undefined ? [] : [['to', to] as const])])
}

// An argument may have several ids.
function idsIn({ args }: Call, path: string): readonly unknown[] {
  const parts = path.split('.')
  const names = /^\d+$/.test(parts.at(-1) ?? '') && parts.length > 1 ? parts.slice(0, -1) : parts
  const value = names.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), args)
  return [value].flat().filter((each) => typeof each === 'string' || typeof each === 'number')
}

// Whether what an object names is there, where it is not there without it.
function isThere(all: All, { type }: Objects, members: Item): boolean {
  return Object.entries(type.within ?? {}).every(
    ([name, other]) => isEmpty(members[name]) || all.get(other)?.items.has(String(members[name])) !== false,
  )
}

// Which members of objects a call wants to see.
function shownBy(rule: CallRule, call: Call): CallRule {
  const { list } = rule
  const fields = list?.fields === undefined ? undefined : call.args[list.fields]
  const wanted = Array.isArray(fields) ? fields.map(String) : undefined
  const hidden = Object.entries(list?.hides ?? {}).flatMap(([flag, names]) =>
    call.args[flag] === true ? names : [],
  )
  const unasked = (rule.asks ?? []).filter((name) => call.args[name] !== true)
  hidden.push(...unasked)
  if (wanted === undefined && hidden.length === 0) return rule
  return { ...rule, shows: (wanted ?? rule.shows ?? []).filter((name) => !hidden.includes(name)) }
}

/** An object as a result shows it. */
class Shown {
  readonly type: string
  readonly item: Item

  constructor(type: string, item: Item) {
    this.type = type
    this.item = item
  }
}

interface Part {
  readonly item?: unknown
  readonly items?: readonly Shown[]
  readonly total?: number
  readonly hasMore?: boolean
  /** Objects as they were. */
  readonly before?: readonly Shown[] | undefined
  /** How many there were. */
  readonly touched?: number
}

const UNKNOWN = Symbol('what nothing says')

// What results show of an object and requests do not give is as it usually is.
function usual({ type: { defaults } }: Objects, { shows = [] }: CallRule): Item {
  const known = shows.filter((name) => Object.hasOwn(defaults, name))
  return Object.fromEntries(known.map((name) => [name, defaults[name]]))
}

// What a request gives, as far as objects of the type have it, in their types.
function given(call: Call, { type, items }: Objects, { shows = [] }: CallRule): Item {
  const [example = {}] = [...items.values()].slice(-1)
  const known = { ...type.defaults, ...example }
  const entries = Object.entries(membersOf(call))
    .filter(([name]) => Object.hasOwn(known, name) || shows.includes(name))
    .map(([name, value]) => [name, alike(value, known[name])])
  return Object.fromEntries(entries) as Item
}

function alike(value: unknown, example: unknown): unknown {
  if (typeof example === 'string' && typeof value === 'number') return String(value)
  const isNumber = typeof example === 'number' && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
  return isNumber ? Number(value) : value
}

function placed(
  { result, at, list, before: then, touched: counted }: CallRule,
  { item, items, total, hasMore, before, touched }: Part,
  args: Args,
): unknown {
  const isCount = list?.countOnly !== undefined && args.get(list.countOnly) === true
  const isRequested = then !== undefined && (then.by === undefined || args.get(then.by) === true)
  const parts: readonly (readonly [pointer: string | undefined, value: unknown])[] = [
    [at, isCount ? undefined : (items ?? item)],
    [list?.total, total],
    [list?.more, hasMore === true && !isCount],
    [counted, touched],
    [then?.at, isRequested ? (then.isList === true ? before : before?.[0]) : undefined],
  ]
  return parts.reduce<unknown>((around, [pointer, value]) => {
    if (pointer === undefined) return around
    return replaceAt(around, readPointer(pointer), likeBefore(value, valueAt(result, pointer)))
  }, result)
}

// Numbers that are texts stay such.
function likeBefore(value: unknown, before: unknown): unknown {
  return typeof value === 'number' && typeof before === 'string' ? String(value) : value
}

interface Around {
  readonly all: All
  readonly rule: CallRule
}

function show(value: unknown, selects: readonly SelectedField[] | undefined, around: Around): unknown {
  if (Array.isArray(value)) {
    const items = value.map((each: unknown) => show(each, selects, around))
    return items.includes(UNKNOWN) ? UNKNOWN : items
  }
  if (value instanceof Shown) return showItem(value, selects, around)
  if (!isObject(value)) return value
  const entries =
    selects === undefined || selects.length === 0
      ? Object.entries(value).map(([name, part]) => [name, show(part, undefined, around)])
      : selects.map((field) => [field.alias, show(partOf(value, field), field.fields, around)])
  return entries.some(([, part]) => part === UNKNOWN) ? UNKNOWN : Object.fromEntries(entries)
}

function partOf(value: Readonly<Record<string, unknown>>, field: SelectedField): unknown {
  const key = memberKey(field)
  return Object.hasOwn(value, key) ? value[key] : UNKNOWN
}

function showItem(
  { type, item }: Shown,
  selects: readonly SelectedField[] | undefined,
  { all, rule }: Around,
): unknown {
  const names = rule.shows
  if (selects === undefined)
    return names === undefined
      ? item
      : Object.fromEntries(names.map((name) => [name, memberOf(type, item, name, all)]))
  const defaults = all.get(type)?.type.defaults ?? {}
  const entries = selects
    .filter(({ on }) => on === undefined || isOfType(on, type, all))
    .map((field): [string, unknown] => {
      const key = memberKey(field)
      if (field.name === '__typename') return [field.alias, type]
      const linked = field.fields.length === 0 ? undefined : linkedTo(all, type, item, key)
      if (linked === undefined) {
        const value = Object.hasOwn(item, key)
          ? item[key]
          : Object.hasOwn(defaults, key)
            ? defaults[key]
            : UNKNOWN
        return [field.alias, show(value, field.fields, { all, rule })]
      }
      const { found } = linked
      const shown = Array.isArray(found)
        ? found.map((each: Item) => new Shown(linked.type, each))
        : found && new Shown(linked.type, found as Item)
      return [field.alias, show(shown, field.fields, { all, rule })]
    })
  return entries.some(([, part]) => part === UNKNOWN) ? UNKNOWN : Object.fromEntries(entries)
}

// A member, or the ids of the objects that name this one.
function memberOf(type: string, item: Item, name: string, all: All): unknown {
  if (all.get(type)?.type.links[name]?.isIds !== true) return item[name]
  const linked = linkedTo(all, type, item, name)
  const others = linked && all.get(linked.type)?.type
  return Array.isArray(linked?.found)
    ? linked.found.map((each: Item) => each[others?.id ?? 'id'])
    : item[name]
}

// A type that no object is known to have may be an interface.
function isOfType(wanted: string, type: string, all: All): boolean {
  const key = nameKey(wanted)
  return key === nameKey(type) || ![...all.keys()].some((each) => nameKey(each) === key)
}

/** What a field is called in an object: with its arguments, where it has some. */
export function memberKey({ name, args }: SelectedField): string {
  return Object.keys(args).length === 0 ? name : `${name}(${JSON.stringify(args)})`
}

// A failure names what was called for.
function adaptMissing({ value, error, ...rest }: CallOutcome, id: unknown): CallOutcome {
  const adapt = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replaceAll(ID, String(id))
    if (Array.isArray(part)) return part.map(adapt)
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([name, each]) => [name, adapt(each)]))
      : part
  }
  return { ...rest, ...(error === undefined ? { value: adapt(value) } : { error: adapt(error) }) }
}

/** A type's name without what may differ where the same is meant: `Books` and `book`. */
export function nameKey(name: string): string {
  return singular(name).replaceAll('_', '')
}

/** Stands for the id in what is answered where there is no object. */
export const ID = '{id}'
