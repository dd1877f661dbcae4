import type { CallModel, CallOutcome, CallRule } from '../../engine/call-model.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { type Fresh, freshLike } from '../match/nearest-answer.ts'
import { argumentsOf, type Call, membersOf } from './call.ts'
import { performChoice } from './choice.ts'
import { isEmpty, replaceAt, withCount } from './envelope.ts'
import { adaptMissing, isBlank, unknownOf } from './adapt-outcome.ts'
import {
  countedMembers,
  freshId,
  type Item,
  linkedIn,
  memberLike,
  noteChange,
  type Objects,
  put,
  remove,
} from './objects.ts'
import { givenTo } from './object-types.ts'
import { listItems } from './list-items.ts'
import { fillTemplate, withTemplates } from './templates.ts'
import { likeBefore, type Part, placed, show, Shown, UNKNOWN, withEchoes } from './show.ts'

type All = ReadonlyMap<string, Objects>
type Args = ReturnType<typeof argumentsOf>

/** What a call comes to, by what the objects are now; it changes them. `undefined` where the model does not say it. */
export function performCall(
  model: Pick<CallModel, 'calls' | 'envelope' | 'unknown'>,
  all: All,
  call: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const found = Object.hasOwn(model.calls, call.name) ? model.calls[call.name] : undefined
  if (found === undefined) return unknownOf(model, call)
  const rule = ofOneType(found, all, call)
  const framed = { ...(rule.frame && { frame: rule.frame }) }
  if (rule.does === 'say') return { ...selected({ value: rule.result }, call), ...framed }
  const args = argumentsOf(call)
  const isLacking = (name: string): boolean =>
    isEmpty(args.get(name)) ? !isObject(call.args[name]) : isBlank(args.get(name))
  const [, refused] = Object.entries(rule.refused ?? {}).find(([name]) => isLacking(name)) ?? []
  if (refused !== undefined) return refused
  const failed = (outcome: CallOutcome | undefined, id: unknown): CallOutcome | undefined => {
    const { value, ...adapted } = adaptMissing(outcome ?? {}, id)
    const isShown = isObject(value) && Object.keys(rule.echoes ?? {}).length > 0
    return (
      outcome && selected({ ...adapted, value: isShown ? withEchoes(value, rule.echoes, args) : value }, call)
    )
  }
  for (const { argument, type, outcome } of rule.needs ?? []) {
    const wanted = args.get(argument)
    if (!isEmpty(wanted) && all.get(type)?.items.has(String(wanted)) === false) return failed(outcome, wanted)
  }
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
  const shown = (part: Part): CallOutcome | undefined => {
    const whole = withOthers(placed(rule, part, args), rule, part, all)
    const value = show(whole, call.selects, { all, rule: shownBy(rule, call) })
    return value === UNKNOWN ? undefined : { value, ...framed }
  }
  const itemOf = (item: Item): Shown => new Shown(rule.type, item, item[objects.type.id])
  const { list = { filter: [] } } = rule
  if (rule.does === 'list') {
    const linked = linkedIn(all, rule.type)
    const { items, ...counts } = listItems(objects, list, { args, given: call.args, linked })
    const isOfIds = list.isOfIds === true
    return shown({ items: items.map((item) => (isOfIds ? item[objects.type.id] : itemOf(item))), ...counts })
  }
  const id = rule.id === undefined ? undefined : args.get(rule.id)
  if (rule.does === 'create' || rule.does === 'put') {
    if (rule.does === 'put' && id === undefined) return undefined
    const own = id ?? args.get(objects.type.id)
    const { templates = {} } = objects.type
    const seed = { ...fresh, seed: `${fresh.seed} ${objects.items.size}` }
    const template = templates[objects.type.id]
    const sent = givenTo(call)
    const named = template === undefined ? undefined : fillTemplate(template, sent, seed)
    const key = isEmpty(own) ? (named ?? freshId(objects, fresh)) : own
    const before = objects.items.get(String(key))
    const members = given(call, objects, rule)
    if (!isThere(all, objects, members)) return failed(rule.missing, id)
    const taken = conflictOf(rule, objects, { ...call.args, ...members, [objects.type.id]: key })
    if (taken !== undefined) return taken
    noteChange(objects, String(key), undefined)
    const plain = {
      ...usual(objects, rule, seed),
      ...members,
      ...copied(rule, args),
      ...rule.sets,
      ...countedMembers(objects, key),
      [objects.type.id]: key,
    }
    const made = withTemplates(plain, templates, { ...sent, [objects.type.id]: key }, seed)
    store(objects, made)
    objects.made.set(String(key), fresh.now)
    const isWhole = rule.isId !== true
    return shown({ item: isWhole ? itemOf(made) : key, before: before && [itemOf(before)] })
  }
  if (rule.does === 'remove' && (rule.touched !== undefined || rule.until !== undefined)) {
    if (id === undefined) return undefined
    const to = rule.until === undefined ? undefined : args.get(rule.until)
    const { items } = listItems(
      objects,
      { filter: [], range: { from: 'from', to: 'to' } },
      {
        args: rangeOf(id, to),
      },
    )
    for (const item of items) remove(all, rule.type, String(item[objects.type.id]))
    return shown({ before: items.map(itemOf), touched: items.length })
  }
  const ids = rule.id === undefined ? [rule.only].filter((each) => each !== undefined) : idsIn(call, rule.id)
  const [first] = ids
  if (first === undefined) return undefined
  const stored = ids.flatMap((each): Item[] => {
    const found = objects.items.get(String(each))
    return found === undefined ? [] : [found]
  })
  const [before] = stored
  if (before === undefined) return failed(rule.missing, first)
  if (rule.does === 'remove') for (const each of ids) remove(all, rule.type, String(each))
  let now = before
  if (rule.does === 'change')
    for (const each of stored) {
      const old = each[objects.type.id]
      const renamed = renamedIn(call, objects.type)
      const own = renamed[objects.type.id] ?? old
      noteChange(objects, String(own), undefined)
      if (own !== old) objects.items.delete(String(old))
      const plain = {
        ...{ ...each, ...given(call, objects, rule), ...copied(rule, args), ...renamed },
        ...{ ...rule.sets, ...countedMembers(objects, own) },
        [objects.type.id]: own,
      }
      const changed =
        Object.keys(renamed).length === 0 ? plain : withTemplates(plain, objects.type.templates, {}, fresh)
      store(objects, changed)
      if (each === before) now = changed
    }
  return shown({
    item: itemOf(withRemaining(objects, rule, now, fresh.now)),
    before: stored.map(itemOf),
  })
}

// An object may be of several types, of which one has the id.
function ofOneType(rule: CallRule, all: All, call: Call): CallRule {
  const id = rule.id === undefined ? undefined : argumentsOf(call).get(rule.id)
  const type = rule.orTypes?.find((each) => all.get(each)?.items.has(String(id)) === true)
  return type === undefined ? rule : { ...rule, type }
}

// Objects that the one in a result has as members may be in it, too.
function withOthers(result: unknown, { also = {} }: CallRule, { item }: Part, all: All): unknown {
  if (!(item instanceof Shown)) return result
  return Object.entries(also).reduce((whole, [pointer, { type, by }]) => {
    const other = all.get(type)?.items.get(String(item.item[by]))
    return replaceAt(whole, readPointer(pointer), other === undefined ? null : new Shown(type, other))
  }, result)
}

// What is selected of a value, where something is.
function selected(outcome: CallOutcome, { selects }: Call): CallOutcome | undefined {
  if (selects === undefined || outcome.error !== undefined) return outcome
  const value = show(outcome.value, selects, { all: new Map(), rule: NO_RULE })
  return value === UNKNOWN ? undefined : { ...outcome, value }
}

const NO_RULE: CallRule = { does: 'say', type: '', result: null }

function copied({ copies = {} }: CallRule, args: Args): Item {
  const entries = Object.entries(copies)
    .filter(([, argument]) => args.has(argument))
    .map(([member, argument]) => [member, args.get(argument)])
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

// What results show of an object and requests do not give is as it usually is.
function usual({ type }: Objects, { shows, isId, isWhole }: CallRule, seed: Fresh): Item {
  const { defaults, fresh = [] } = type
  const names = isId === true || isWhole === true ? Object.keys(defaults) : (shows ?? [])
  const known = names.filter((name) => Object.hasOwn(defaults, name))
  const valueOf = (name: string): unknown =>
    fresh.includes(name) ? freshLike(String(defaults[name]), seed) : defaults[name]
  return Object.fromEntries(known.map((name) => [name, valueOf(name)]))
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

// What another object of the type has already.
function conflictOf({ conflict }: CallRule, { items }: Objects, made: Item): CallOutcome | undefined {
  const wanted = conflict && made[conflict.member]
  if (conflict === undefined || wanted === undefined || made[conflict.unless ?? ''] === true) return undefined
  const isTaken = [...items.values()].some((each) => each[conflict.member] === wanted)
  return isTaken ? adaptMissing(conflict.outcome, wanted) : undefined
}

// Arguments such as `NewName` give the member `Name` another value.
function renamedIn({ args }: Call, { defaults, id }: Objects['type']): Item {
  const entries = Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
    const [, word = ''] = /^new[-_]?(.+)$/i.exec(name) ?? []
    const member = word === '' ? undefined : memberLike(word, [...Object.keys(defaults), id])
    return member === undefined || Object.hasOwn(defaults, name) ? [] : [[member, value]]
  })
  return Object.fromEntries(entries)
}
