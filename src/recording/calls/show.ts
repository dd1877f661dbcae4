import type { CallEdge, CallRule } from '../../engine/call-model.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { SelectedField } from '../../routing/selection.ts'
import { singular } from '../inference/names.ts'
import { argumentsOf, type Call, ERROR_TYPE } from './call.ts'
import { replaceAt, valueAt } from './envelope.ts'
import { type Item, linkedIn, linkedTo, type Objects } from './objects.ts'
import { listItems, tokenOf } from './list-items.ts'
import { ObjectMap } from './object-map.ts'
import { cursorOf } from './page-cursors.ts'

type All = ReadonlyMap<string, Objects>

/** An object as a result shows it. */
export class Shown {
  readonly type: string
  readonly item: Item
  readonly id: unknown

  constructor(type: string, item: Item, id?: unknown) {
    this.type = type
    this.item = item
    this.id = id
  }
}

export interface Part {
  readonly item?: unknown
  readonly items?: readonly unknown[]
  readonly total?: number
  readonly hasMore?: boolean
  readonly next?: number
  readonly nextId?: unknown
  /** How many come before the first. */
  readonly start?: number
  /** Objects as they were. */
  readonly before?: readonly Shown[] | undefined
  /** How many there were. */
  readonly touched?: number
}

export const UNKNOWN = Symbol('what nothing says')

/** A result with what is in it. */
export function placed(
  { result, at, list, before: then, touched: counted, echoes }: CallRule,
  { item, items, total, hasMore, nextId, next = 0, start = 0, before, touched }: Part,
  args: ReturnType<typeof argumentsOf>,
): unknown {
  const isCount = list?.countOnly !== undefined && args.get(list.countOnly) === true
  const isRequested = then !== undefined && (then.by === undefined || args.get(then.by) === true)
  const { cursor, edge } = list ?? {}
  const tokenAt = (index: number): string | null => {
    const each = items?.[index]
    const id = each instanceof Shown ? each.id : undefined
    return cursor?.form === undefined || each === undefined ? null : cursorOf(cursor.form, start + index, id)
  }
  const wrapped = edge === undefined ? items : items?.map((each, no) => around(edge, each, tokenAt(no)))
  const last =
    cursor?.form === undefined
      ? hasMore === true
        ? (nextId ?? tokenOf(next, valueAt(result, cursor?.at ?? '')))
        : END
      : tokenAt((items?.length ?? 0) - 1)
  const parts: readonly (readonly [pointer: string | undefined, value: unknown])[] = [
    [at, isCount ? undefined : (wrapped ?? item)],
    ...(list?.plain ?? []).map((pointer) => [pointer, items] as const),
    [list?.total, total],
    [list?.more, hasMore === true && !isCount],
    [list?.previous, start > 0],
    [cursor?.at, last],
    [cursor?.start, tokenAt(0)],
    [counted, touched],
    [then?.at, isRequested ? (then.isList === true ? before : before?.[0]) : undefined],
  ]
  return parts.reduce<unknown>(
    (whole, [pointer, value]) => {
      if (pointer === undefined) return whole
      if (value === END) return withoutAt(whole, readPointer(cursor?.around ?? pointer), cursor?.end)
      return replaceAt(whole, readPointer(pointer), likeBefore(value, valueAt(result, pointer)))
    },
    withEchoes(result, echoes, args),
  )
}

function around({ result, at, cursor }: CallEdge, item: unknown, token: unknown): unknown {
  const whole = replaceAt(result, readPointer(at), item)
  return cursor === undefined ? whole : replaceAt(whole, readPointer(cursor), token)
}

/** A result with what it repeats of the arguments. */
export function withEchoes(
  result: unknown,
  echoes: CallRule['echoes'] = {},
  args: ReturnType<typeof argumentsOf>,
): unknown {
  const said = (name: string): unknown =>
    name.includes('{')
      ? name.replace(/\{([^{}]+)\}/g, (_, each: string) => String(args.get(each) ?? ''))
      : (args.get(name) ?? null)
  return Object.entries(echoes).reduce(
    (around, [pointer, name]) => replaceAt(around, readPointer(pointer), said(name)),
    result,
  )
}

const END = Symbol('the end of a list')

function withoutAt(value: unknown, [name = '', ...below]: readonly string[], end: unknown): unknown {
  if (!isObject(value)) return value
  if (below.length > 0)
    return Object.hasOwn(value, name) ? { ...value, [name]: withoutAt(value[name], below, end) } : value
  const { [name]: _token, ...others } = value
  return end === undefined ? others : { ...others, [name]: end }
}

/** A number that stands in a text by itself. */
export const NUMBER_IN_TEXT = /(?<![\w.-])\d+(?![\w.-])/

/** Numbers and flags that are texts stay such, and those within a sentence have their place in it. */
export function likeBefore(value: unknown, before: unknown): unknown {
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  if (typeof value === 'number' && typeof before === 'string' && / /.test(before))
    return before.replace(NUMBER_IN_TEXT, String(value))
  return isPlain && typeof before === 'string' ? String(value) : value
}

interface Around {
  readonly all: All
  readonly rule: CallRule
}

/** A value with the members that are selected of it; `UNKNOWN` where one of them is that. */
export function show(value: unknown, selects: readonly SelectedField[] | undefined, around: Around): unknown {
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
      const count = countedIn(all, type, { ...defaults, ...item }, key)
      if (count !== undefined) return [field.alias, count]
      const listed = all.get(type)?.type.links[field.name]?.shown
      if (listed !== undefined) return [field.alias, showLinked(listed, { type, item }, field, { all, rule })]
      const linked =
        field.fields.length === 0 ? undefined : linkedTo(all, type, { ...defaults, ...item }, key)
      const { unseen = [] } = all.get(type)?.type.links[key] ?? {}
      if (linked === undefined && unseen.includes(String(item[all.get(type)?.type.id ?? ''])))
        return [field.alias, UNKNOWN]
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

// How many others there are, where a member says that.
function countedIn(all: All, type: string, item: Item, member: string): number | undefined {
  const own = all.get(type)?.type
  if (own?.counts === undefined) return undefined
  const { counts, links, id } = own
  const list = Object.hasOwn(counts, member) ? counts[member] : undefined
  const isUnseen = links[list ?? '']?.unseen?.includes(String(item[id])) === true
  const found = list === undefined || isUnseen ? undefined : linkedTo(all, type, item, list)?.found
  return Array.isArray(found) ? found.length : undefined
}

// The list of objects that belong to another one, as the arguments of its field want it.
function showLinked(
  rule: CallRule,
  { type, item }: Pick<Shown, 'type' | 'item'>,
  field: SelectedField,
  { all }: Around,
): unknown {
  const objects = all.get(rule.type)
  const linked = linkedTo(all, type, item, field.name)
  if (objects === undefined || !Array.isArray(linked?.found)) return UNKNOWN
  const { id } = objects.type
  const items = new ObjectMap<Item>()
  for (const each of linked.found as readonly Item[]) items.set(String(each[id]), each)
  const args = argumentsOf(field)
  const list = rule.list ?? { filter: [] }
  const wanted = { args, given: field.args, linked: linkedIn(all, rule.type) }
  const { items: found, ...counts } = listItems({ ...objects, items }, list, wanted)
  const part = { items: found.map((each) => new Shown(rule.type, each, each[id])), ...counts }
  return show(placed(rule, part, args), field.fields, { all, rule })
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

// A type that no object is known to have may be an interface, but for one of errors.
function isOfType(wanted: string, type: string, all: All): boolean {
  const key = nameKey(wanted)
  return (
    key === nameKey(type) ||
    (!ERROR_TYPE.test(wanted) && ![...all.keys()].some((each) => nameKey(each) === key))
  )
}

/** What a field is called in an object: with its arguments, where it has some. */
export function memberKey({ name, args }: SelectedField): string {
  return Object.keys(args).length === 0 ? name : `${name}(${JSON.stringify(args)})`
}

/** The name of a field in what an object has of it, without its arguments. */
export function fieldName(member: string): string {
  return member.replace(/\(.*$/s, '')
}

/** A type's name without what may differ where the same is meant: `Books` and `book`. */
export function nameKey(name: string): string {
  return singular(name).replaceAll('_', '')
}

/** A rule that shows the members of objects which a call wants to see. */
export function shownBy(rule: CallRule, call: Call): CallRule {
  const { list, fields: named = list?.fields } = rule
  const fields = named === undefined ? undefined : call.args[named]
  const wanted = Array.isArray(fields) ? fields.map(String) : undefined
  const hidden = Object.entries(list?.hides ?? {}).flatMap(([flag, names]) =>
    call.args[flag] === true ? names : [],
  )
  const unasked = (rule.asks ?? []).filter((name) => call.args[name] !== true)
  hidden.push(...unasked)
  if (wanted === undefined && hidden.length === 0) return rule
  return { ...rule, shows: (wanted ?? rule.shows ?? []).filter((name) => !hidden.includes(name)) }
}
