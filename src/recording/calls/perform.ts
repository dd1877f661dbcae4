import type { CallModel, CallOutcome, CallRule } from '../../engine/call-model.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { SelectedField } from '../../routing/selection.ts'
import type { Fresh } from '../match/nearest-answer.ts'
import { argumentsOf, type Call, membersOf } from './call.ts'
import { singular } from '../inference/names.ts'
import { freshId, type Item, linkedTo, listItems, type Objects, put } from './objects.ts'

type All = ReadonlyMap<string, Objects>

/** What a call comes to, by what the objects are now; it changes them. `undefined` where the model does not say it. */
export function performCall(
  { calls }: Pick<CallModel, 'calls'>,
  all: All,
  call: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const rule = Object.hasOwn(calls, call.name) ? calls[call.name] : undefined
  const objects = rule && all.get(rule.type)
  if (rule === undefined || objects === undefined) return undefined
  const shown = (found: Part): CallOutcome | undefined => {
    const value = show(placed(rule, found), call.selects, { all, rule })
    return value === UNKNOWN ? undefined : { value, ...(rule.frame && { frame: rule.frame }) }
  }
  if (rule.does === 'list') {
    const { items, total } = listItems(
      [...objects.items.values()],
      rule.list ?? { filter: [] },
      argumentsOf(call),
    )
    return shown({ items: items.map((item) => new Shown(rule.type, item)), total })
  }
  const id = rule.id === undefined ? undefined : argumentsOf(call).get(rule.id)
  if (rule.does === 'create') {
    const made = {
      ...usual(objects, rule),
      ...given(call, objects, rule),
      [objects.type.id]: id ?? freshId(objects, fresh),
    }
    put(objects, made)
    return shown({ item: rule.isId === true ? made[objects.type.id] : new Shown(rule.type, made) })
  }
  if (id === undefined) return undefined
  const stored = objects.items.get(String(id))
  if (stored === undefined) return rule.missing && adaptMissing(rule.missing, id)
  if (rule.does === 'remove') objects.items.delete(String(id))
  const now =
    rule.does === 'change'
      ? { ...stored, ...given(call, objects, rule), ...rule.sets, [objects.type.id]: stored[objects.type.id] }
      : stored
  if (rule.does === 'change') put(objects, now)
  return shown({ item: new Shown(rule.type, now) })
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

function placed({ result, at, list }: CallRule, { item, items, total }: Part): unknown {
  const around = at === undefined ? result : replaceAt(result, readPointer(at), items ?? item)
  return list?.total === undefined ? around : replaceAt(around, readPointer(list.total), total)
}

/** A value with another one at a place. */
export function replaceAt(value: unknown, [name, ...below]: readonly string[], other: unknown): unknown {
  if (name === undefined) return other
  if (Array.isArray(value))
    return value.map((each: unknown, at) => (String(at) === name ? replaceAt(each, below, other) : each))
  return isObject(value) ? { ...value, [name]: replaceAt(value[name], below, other) } : value
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
    return names === undefined ? item : Object.fromEntries(names.map((name) => [name, item[name]]))
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
