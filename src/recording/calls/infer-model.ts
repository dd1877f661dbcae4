import type { CallModel, CallRule, ListRule } from '../../engine/call-model.ts'
import { canonicalText } from '../../engine/random.ts'
import { readPointer } from '../../engine/schema/pointer.ts'
import { compareTexts, groupBy } from '../../grouping.ts'
import { constantHeaders } from '../inference/answer-headers.ts'
import { typeOf } from '../inference/recorded.ts'
import type { Sample } from '../inference/sample.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { allowedIn, boundsIn } from './allowed-values.ts'
import { argumentsOf, CHANGING, CREATING, membersOf, REMOVING } from './call.ts'
import { confirm } from './confirm-rules.ts'
import { type Counted, countingRules } from './counted-results.ts'
import { withCounters, withReferences } from './counters.ts'
import { leavesOutEmpty, replaceAt } from './envelope.ts'
import { conflictIn } from './conflicts.ts'
import { failureOf, needsOf, refusalOf, withMissing, withRefusal } from './failures.ts'
import { isLikePart, partsGiven } from './given-objects.ts'
import { ruleOf } from './infer-rule.ts'
import { issuedIn } from './issued-numbers.ts'
import { keptValuesIn } from './kept-values.ts'
import { countsOf } from './totals.ts'
import type { Item } from './objects.ts'
import { membershipsIn } from './memberships.ts'
import { findLinks } from './object-links.ts'
import { firstCalls, type Known, type Makers, objectType } from './object-types.ts'
import type { CallSample } from './call-sample.ts'
import { firstsOf, readCalls } from './occurrences.ts'
import { withUnseen } from './unseen-objects.ts'
import { settingsIn } from './settings.ts'
import { typesOf } from './place-types.ts'

/**
 * What calls do, as a recording shows it; `undefined` where it shows nothing of objects.
 * @param root the path below which all of them are, where their protocol has such
 */
export function inferCalls(
  samples: readonly Sample[],
  protocol: Protocol,
  root?: string,
): CallModel | undefined {
  if (protocol.calls === undefined) return undefined
  const { calls: all, envelope, choices } = readCalls(samples, protocol.calls)
  const [calls, silent] = [true, false].map((isSpoken) =>
    all.filter(({ call }) => (call.isSilent !== true) === isSpoken),
  ) as [CallSample[], CallSample[]]
  const first = samples.find(({ status, mimeType }) => status < 300 && mimeType !== '')
  const contentType = first?.responseHeaders['content-type'] ?? typeOf(first?.mimeType ?? 'application/json')
  const constant = constantHeaders(samples.filter(({ status }) => status < 300))
  const common = Object.keys(constant).length > 0 ? { headers: constant } : {}
  const { semantics } = protocol.calls
  if (semantics !== undefined) {
    const omits = protocol.calls.mayOmitEmpty === true ? { omitsEmpty: true } : {}
    const learned = semantics.learn(calls, root)
    return { protocol: protocol.name, contentType, ...common, calls: {}, ...omits, ...learned }
  }
  const types = typesOf(calls)
  const links = findLinks(calls, types)
  const known = { calls, types, links, firsts: firstCalls(calls, types) }
  const byName = groupBy(calls, ({ call }) => call.name)
  const ranges = new Map<string, ListRule['range']>()
  const single = new Map(
    [...byName].flatMap(([name, own]): [string, CallRule][] => {
      const rule = choices.has(name) ? undefined : ruleOf(own, known)
      if (rule?.list?.range !== undefined) ranges.set(rule.type, rule.list.range)
      return rule === undefined ? [] : [[name, rule]]
    }),
  )
  // Of what is listed by the members that are wanted, all are there once it is made.
  const wholes = new Set(
    [...single.values()].flatMap(({ list, type }) => (list?.fields === undefined ? [] : [type])),
  )
  const found = [...single].map(([name, rule]): [string, CallRule] => [
    name,
    withRange(
      rule.does === 'create' && wholes.has(rule.type) ? { ...rule, isWhole: true } : rule,
      ranges.get(rule.type),
    ),
  ])
  const rules = new Map([...countsOf(byName, found), ...found])
  for (const [name, choice] of choices) {
    const inner = Object.values(choice.calls).map(({ call }) => rules.get(call)?.type)
    rules.set(name, {
      does: 'choose',
      type: inner.find((type) => type !== undefined) ?? '',
      result: null,
      choice,
    })
  }
  const kept = keptValuesIn(calls, rules)
  for (const [name, rule] of kept.rules) rules.set(name, withNeeds(rule, byName.get(name) ?? [], known))
  const settings = settingsIn(calls.filter(({ call }) => !rules.has(call.name)))
  for (const [name, rule] of settings.flatMap((each) => each.calls)) rules.set(name, rule)
  const memberships = membershipsIn(known, rules)
  for (const [name, rule] of memberships.rules) rules.set(name, rule)
  for (const [name, shown] of memberships.shown) {
    const rule = rules.get(name)
    if (rule !== undefined) rules.set(name, withJoins(rule, shown))
  }
  for (const [name, own] of byName) {
    const fine = own.filter(({ outcome }) => outcome.error === undefined)
    const isBare = envelope !== undefined && fine.every(({ count }) => count === undefined)
    const rule = rules.get(name) ?? (fine.length === own.length ? sayingRule(fine) : undefined)
    if (rule !== undefined) rules.set(name, isBare ? { ...rule, isBare } : rule)
  }
  // What is there already is refused for that, whatever else was left out.
  const refused = new Map(
    [...byName].map(([name, own]) => [
      name,
      refusalOf(rules.get(name)?.conflict === undefined ? own : conflictIn(own).others),
    ]),
  )
  const made = madeBefore(calls, rules)
  const parts = partsGiven(calls, rules, links)
  const namedTypes = new Set(
    [...links.values()].flatMap((own) =>
      Object.values(own).flatMap(({ type, named }) => (named === undefined ? [] : [type])),
    ),
  )
  const makers: Makers = {
    isMade: (key, { call, ...sample }, item) =>
      rules.get(call.name)?.does === 'create' ||
      rules.get(call.name)?.said !== undefined ||
      isMakingSeveral(call, rules.get(call.name)) ||
      (call.isChange === true && namedTypes.has(key.slice(0, key.indexOf(' ')))) ||
      (made.get(key) ?? Infinity) <
        calls.findIndex((each) => each.call === call && each.value === sample.value) ||
      parts.some(
        (each) =>
          key.startsWith(`${each.type} `) &&
          calls.indexOf(each.sample) <= indexIn(calls, call) &&
          isLikePart(each, item),
      ) ||
      silent.some((each) => isMadeBy(each, item, rules) && all.indexOf(each) < indexIn(all, call)),
  }
  const objectTypes = Object.fromEntries(
    [...new Set(types.values())].map((type) => [type, objectType(type, known, makers)] as const),
  )
  for (const [type, object] of kept.types) objectTypes[type] ??= object
  for (const { type, object } of settings) objectTypes[type] ??= object
  for (const [type, object] of memberships.types) objectTypes[type] = object
  for (const [name, issued] of issuedIn(calls, rules)) {
    const rule = rules.get(name)
    if (rule !== undefined) rules.set(name, { ...rule, issued })
  }
  const unknown = unknownCalls(samples, protocol)
  const plain = {
    ...{ protocol: protocol.name, contentType, ...common },
    types: objectTypes,
    calls: Object.fromEntries(
      [...rules].map(([name, rule]) => [
        name,
        {
          ...withMissing(withRefusal(rule, name, refused, rules), rules),
          ...allowedIn(byName.get(name) ?? [], calls),
          ...boundsIn(byName.get(name) ?? []),
        },
      ]),
    ),
    ...(protocol.calls.mayOmitEmpty === true &&
      leavesOutEmpty(calls.map(({ value }) => value)) && { omitsEmpty: true }),
    ...(envelope !== undefined && { envelope }),
    ...(unknown !== undefined && { unknown }),
  }
  const model = withUnseen(withCounters(withReferences(plain, calls), calls, types), all)
  const counted: Counted[] = []
  const { calls: rest } = confirm(model, all, (sample, objects) => {
    const sizes = new Map([...objects].map(([type, { items }]) => [type, items.size]))
    if (!rules.has(sample.call.name)) counted.push({ sample, sizes })
  })
  const confirmed = [...Object.entries(rest), ...countingRules(counted)].map(([name, rule]) => [
    name,
    withoutObjects(rule),
  ])
  return confirmed.length === 0 ? undefined : { ...model, calls: Object.fromEntries(confirmed) }
}

// What one name of no call is refused with, all such names are.
function unknownCalls(
  samples: readonly Sample[],
  { calls, isUnknown = () => false }: Protocol,
): CallModel['unknown'] {
  const refused = samples.filter((sample) => isUnknown(sample))
  const [failed] = calls === undefined ? [] : readCalls(refused, calls).calls
  if (calls === undefined || failed?.outcome.error === undefined) return undefined
  const others = samples.filter((sample) => !refused.includes(sample))
  const known = readCalls(others, calls).calls.map(({ call }) => call.name)
  const names = [...new Set(known)].toSorted(compareTexts)
  return { names, outcome: failureOf(failed, failed.call.name) }
}

// What is kept may be kept for objects, which must be there.
function withNeeds(rule: CallRule, own: readonly CallSample[], { firsts, types }: Known): CallRule {
  const isKnown = (type: string, id: unknown): boolean => firsts.has(`${type} ${String(id)}`)
  const needs = needsOf(own, rule, () => undefined, isKnown, new Set(types.values()))
  return needs.length === 0 ? rule : { ...rule, needs }
}

// What calls join says which objects are listed, in place of members that happened to be alike.
function withJoins(rule: CallRule, shown: Pick<CallRule, 'joined' | 'needs'>): CallRule {
  const given = new Set(Object.values(shown.joined ?? {}).map(({ argument }) => argument))
  const filter = rule.list?.filter.filter(({ argument }) => !given.has(argument)) ?? []
  return { ...rule, ...shown, ...(rule.list && { list: { ...rule.list, filter } }) }
}

// A range is said alike by all calls of a type.
function withRange(rule: CallRule, range: ListRule['range']): CallRule {
  const isOfRange = range !== undefined && rule.does === 'remove' && rule.id === range.from
  return isOfRange ? { ...rule, until: range.to } : rule
}

// What always says the same, whatever it is given, is about no object.
function sayingRule(fine: readonly CallSample[]): CallRule | undefined {
  const [first] = fine
  const text = canonicalText(first?.value)
  if (first === undefined || !fine.every(({ value }) => canonicalText(value) === text)) return undefined
  const given = new Set(fine.map(({ call }) => canonicalText(call.args)))
  const isGiven = fine.some(({ call }) => argumentsOf(call).size > 0)
  if (isGiven && given.size === 1 && !SAYS_NOTHING.test(text)) return undefined
  const { frame } = first.outcome
  return { does: 'say', type: '', result: first.value, ...(frame !== undefined && { frame }) }
}

/** What is said of anything that was done. */
const SAYS_NOTHING = /^(null|true|""|\{\}|"(ok|success|done)")$/i

function indexIn(all: readonly CallSample[], call: CallSample['call']): number {
  return all.findIndex((each) => each.call === call)
}

// What a change lists first, which is called as one that makes, it made.
function isMakingSeveral({ name, isChange }: CallSample['call'], rule: CallRule | undefined): boolean {
  const isMaking = CREATING.test(name) && !REMOVING.test(name) && !CHANGING.test(name)
  return isChange === true && isMaking && rule?.does === 'list'
}

// Whether a call without an answer gave an object all that it was given.
function isMadeBy({ call }: CallSample, item: Item, rules: ReadonlyMap<string, CallRule>): boolean {
  const given = Object.entries(membersOf(call))
  const isLike = given.every(([name, value]) => canonicalText(item[name]) === canonicalText(value))
  return given.length > 0 && isLike && rules.get(call.name)?.does === 'create'
}

// Where objects are that calls made without showing them: the first call with each id.
function madeBefore(
  calls: readonly CallSample[],
  rules: ReadonlyMap<string, CallRule>,
): ReadonlyMap<string, number> {
  return firstsOf(
    calls.flatMap(({ call, value, outcome }, at): [string, number][] => {
      const rule = rules.get(call.name)
      if (outcome.error !== undefined) return []
      if (rule?.isId === true) return [[`${rule.type} ${String(value)}`, at]]
      if (rule?.does === 'change')
        return Object.entries(call.args).flatMap(([name, each]) =>
          /^new/i.test(name) || name === rule.renames ? [[`${rule.type} ${String(each)}`, at] as const] : [],
        )
      if (rule?.does !== 'put' || rule.id === undefined) return []
      return [[`${rule.type} ${String(argumentsOf(call).get(rule.id))}`, at]]
    }),
  )
}

// What is around objects is kept, and not those that happened to be there.
function withoutObjects(rule: CallRule): CallRule {
  const { at, result } = rule
  return at === undefined ? rule : { ...rule, result: replaceAt(result, readPointer(at), null) }
}
