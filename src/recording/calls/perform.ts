import type { CallModel, CallOutcome, CallRule } from '../../engine/call-model.ts'
import { canonicalText } from '../../engine/random.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Fresh } from '../match/nearest-answer.ts'
import { argumentsOf, type Call, membersOf } from './call.ts'
import { idsIn, isHeld, isThere, itemCalled, ofOneType } from './called-objects.ts'
import { performChoice } from './choice.ts'
import { isEmpty, withCount } from './envelope.ts'
import { adaptMissing, refusedBy, unknownOf } from './adapt-outcome.ts'
import { withSizes } from './counted-results.ts'
import {
  countedMembers,
  freshId,
  type Item,
  linkedIn,
  noteChange,
  type Objects,
  put,
  remove,
} from './objects.ts'
import {
  absentIn,
  conflictOf,
  copied,
  given,
  memberIn,
  newMembers,
  renamedBy,
  renamedIn,
  usual,
  withRemaining,
} from './given-members.ts'
import { makeParts, withNamed } from './given-objects.ts'
import { givenTo } from './object-types.ts'
import { listItems } from './list-items.ts'
import { joinedWith, performJoin, withJoined, withOthers } from './joined.ts'
import { twinOf } from './made-again.ts'
import { stepped, withSteps } from './stepped-members.ts'
import { withIssued } from './issued-numbers.ts'
import { partsOfOwners, withSequences } from './sequences.ts'
import { refusedByState } from './state-refusals.ts'
import { withNumbers } from './server-numbers.ts'
import { fillTemplate, withTemplates } from './templates.ts'
import { type Part, placed, show, Shown, shownBy, UNKNOWN, withEchoes } from './show.ts'

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
  const outcome = performRule(found, model, all, call, fresh)
  return outcome === undefined || found.issued === undefined ? outcome : withIssued(outcome, found, all)
}

function performRule(
  found: CallRule,
  model: Pick<CallModel, 'calls' | 'envelope' | 'unknown'>,
  all: All,
  call: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const rule = ofOneType(found, all, call)
  if (rule.leaves?.some((name) => Object.hasOwn(call.args, name)) === true) return undefined
  const framed = { ...(rule.frame && { frame: rule.frame }) }
  if (rule.does === 'say') return { ...selected({ value: withSizes(rule, all) }, call), ...framed }
  const args = argumentsOf(call)
  const refused = refusedBy(rule, call)
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
  if (rule.ends !== undefined)
    return performJoin(rule, all, args) ? { value: rule.result, ...framed } : undefined
  const objects = all.get(rule.type)
  if (objects === undefined) return undefined
  const shown = (part: Part): CallOutcome | undefined => {
    const whole = withJoined(withOthers(placed(rule, part, args), rule, part, all), rule, all, args)
    const value = show(whole, call.selects, { all, rule: shownBy(rule, call) })
    return value === UNKNOWN ? undefined : { value, ...framed }
  }
  const itemOf = (item: Item): Shown => new Shown(rule.type, item, item[objects.type.id])
  const { list = { filter: [] } } = rule
  if (rule.does === 'list') {
    const linked = linkedIn(all, rule.type)
    const joined = rule.joined?.[rule.at ?? '']
    const own = joined && new Set(joinedWith(joined, all, args))
    const { items, ...counts } = listItems(objects, list, { args, given: call.args, linked, own })
    const isOfIds = list.isOfIds === true
    const absent = absentIn(list, call, objects)
    const found = items.map((item) => (isOfIds ? item[objects.type.id] : itemOf(item)))
    return shown({ items: [...absent, ...found], ...counts })
  }
  const id = rule.id === undefined ? undefined : args.get(rule.id)
  if (rule.does === 'create' || rule.does === 'put') {
    if (rule.does === 'put' && id === undefined) return undefined
    const own = id ?? args.get(objects.type.id)
    const { templates = {}, id: name } = objects.type
    const seed = { ...fresh, seed: `${fresh.seed} ${objects.items.size}` }
    const sent = givenTo(call)
    const named = templates[name] && fillTemplate(templates[name], sent, seed)
    const key = isEmpty(own) ? (named ?? freshId(objects, fresh)) : own
    const before = objects.items.get(String(key))
    const members = withNamed(given(call, objects, rule), objects, all, fresh)
    if (!isThere(all, objects, members)) return failed(rule.missing, id)
    const taken = conflictOf(rule, objects, { ...call.args, ...members, [objects.type.id]: key })
    if (taken !== undefined) return taken
    const beginning = { ...usual(objects, rule, seed, call), ...members, ...copied(rule, args) }
    const { again } = rule
    const twin =
      again &&
      twinOf(rule, objects, withTemplates(beginning, templates, { ...sent, [objects.type.id]: key }, seed))
    if (again !== undefined && twin !== undefined) {
      const whole = placed({ ...rule, ...again, echoes: {} }, { item: itemOf(twin) }, args)
      const value = show(whole, call.selects, { all, rule: shownBy(rule, call) })
      return value === UNKNOWN ? undefined : { value, ...framed }
    }
    noteChange(objects, String(key), undefined)
    const kept = rule.said && before
    const plain = withSequences(objects, {
      ...usual(objects, rule, seed, call),
      ...kept,
      ...members,
      ...copied(rule, args, before),
      ...rule.sets,
      ...countedMembers(objects, key),
      [objects.type.id]: key,
    })
    const owners = partsOfOwners(objects.type, plain, (type, own) => all.get(type)?.items.get(own))
    const filled = withTemplates(plain, templates, { ...sent, ...owners, [objects.type.id]: key }, seed)
    const isSame = kept !== undefined && canonicalText(filled) === canonicalText(kept)
    const made = isSame
      ? filled
      : withNumbers(objects, { ...filled, ...newMembers(objects, kept, seed) }, before, sent)
    store(objects, made)
    objects.made.set(String(key), fresh.now)
    makeParts(membersOf(call), objects, key, all, fresh)
    const isWhole = rule.isId !== true
    if (rule.said !== undefined) {
      const { said } = rule
      const saying = (isSame ? said.same : undefined) ?? (before === undefined ? said.made : said.changed)
      const { shows = rule.shows, sets = {} } = saying ?? {}
      const value = show(placed(rule, { item: itemOf({ ...made, ...sets }) }, args), undefined, {
        ...{ all, rule: { ...rule, ...(shows && { shows }) } },
      })
      return value === UNKNOWN ? undefined : { value, ...framed }
    }
    const item = rule.member === undefined ? itemOf(made) : memberIn(rule, made)
    return shown({ item: isWhole ? item : key, before: before && [itemOf(before)] })
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
    const found = itemCalled(objects, rule, each)
    return found === undefined ? [] : [found]
  })
  const [before] = stored
  if (before === undefined) return failed(rule.missing, first)
  const isAlready = Object.entries(rule.sets ?? {}).every(([name, value]) => before[name] === value)
  if (rule.already !== undefined && isAlready) return failed(rule.already, first)
  if (rule.held !== undefined && isHeld(rule.held, all, ids)) return failed(rule.held.outcome, first)
  const short = refusedByState(rule, before, args)
  if (short !== undefined) return short
  const { second } = rule
  const secondId = second && args.get(second.id)
  const other = secondId === undefined ? undefined : objects.items.get(String(secondId))
  if (secondId !== undefined && other === undefined) return failed(rule.missing, secondId)
  if (rule.does === 'remove') for (const each of ids) remove(all, rule.type, String(each))
  let now = before
  if (rule.does === 'change')
    for (const each of stored) {
      const old = each[objects.type.id]
      const renamed = { ...renamedIn(call, objects.type), ...renamedBy(rule, call, objects.type) }
      const own = renamed[objects.type.id] ?? old
      noteChange(objects, String(own), undefined)
      if (own !== old) objects.items.delete(String(old))
      const plain = {
        ...{
          ...each,
          ...withNamed(given(call, objects, rule), objects, all, fresh),
          ...copied(rule, args, each),
          ...renamed,
        },
        ...{ ...rule.sets, ...stepped(rule, each, args, objects.type.defaults) },
        ...countedMembers(objects, own),
        [objects.type.id]: own,
      }
      const changed =
        Object.keys(renamed).length === 0 ? plain : withTemplates(plain, objects.type.templates, {}, fresh)
      store(objects, changed)
      if (each === before) now = changed
    }
  if (rule.does === 'remove') now = { ...now, ...given(call, objects, rule) }
  const otherNow = second && other && { ...other, ...stepped(second, other, args, objects.type.defaults) }
  if (otherNow !== undefined) store(objects, otherNow)
  if (rule.stepped !== undefined)
    return { value: withSteps(withEchoes(rule.result, rule.echoes, args), rule, now, otherNow), ...framed }
  return shown({
    item:
      rule.member === undefined ? itemOf(withRemaining(objects, rule, now, fresh.now)) : memberIn(rule, now),
    before: stored.map(itemOf),
  })
}

// What is selected of a value, where something is.
function selected(outcome: CallOutcome, { selects }: Call): CallOutcome | undefined {
  if (selects === undefined || outcome.error !== undefined) return outcome
  const value = show(outcome.value, selects, { all: new Map(), rule: NO_RULE })
  return value === UNKNOWN ? undefined : { ...outcome, value }
}

const NO_RULE: CallRule = { does: 'say', type: '', result: null }

function store(objects: Objects, item: Item): void {
  put(objects, item)
  const { history, type } = objects
  const last = history.at(-1)
  if (type.isCounted === true && last !== undefined) history[history.length - 1] = [last[0], last[1], item]
}

function rangeOf(from: string | number | boolean, to: string | number | boolean | undefined): Args {
  return new Map([['from', from], ...(to === undefined ? [] : [['to', to] as const])])
}
