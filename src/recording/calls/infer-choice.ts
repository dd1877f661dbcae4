import type { ChoiceRule, Envelope } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import type { ReadCall } from './call.ts'
import { keyOf, listOf, PREFIX } from './choice.ts'
import type { Item } from './objects.ts'

const THEN = /^(success|then|if_?true|on_?success|operations|ops)$/i
const OTHERWISE = /^(fail(ure|ed)?|else|otherwise|if_?false|on_?fail(ure)?)$/i

/** The calls that make other calls, on a condition or without one, by name. */
export function findChoices(
  calls: readonly ReadCall[],
  envelope: Envelope | undefined,
): ReadonlyMap<string, ChoiceRule> {
  const byName = groupBy(calls, ({ call }) => call.name)
  const found = [...byName].flatMap(([name, own]): [string, ChoiceRule][] => {
    const others = [...byName.keys()].filter((each) => each !== name)
    const fine = own.filter(({ outcome }) => outcome.error === undefined)
    const rule = choiceOf(name, fine, others, envelope)
    return rule === undefined ? [] : [[name, rule]]
  })
  return new Map(found)
}

function choiceOf(
  name: string,
  own: readonly ReadCall[],
  others: readonly string[],
  envelope: Envelope | undefined,
): ChoiceRule | undefined {
  const lists = new Map<string, Item[]>()
  for (const { call } of own)
    for (const [argument, value] of Object.entries(call.args))
      if (Array.isArray(value)) lists.set(argument, [...(lists.get(argument) ?? []), ...listOf(value)])
  const isOfCalls = (items: readonly Item[]): boolean =>
    items.length > 0 &&
    items.every((each) => innerOf(each) !== undefined && calledBy(each, others) !== undefined)
  const branches = [...lists].filter(([, items]) => isOfCalls(items)).map(([argument]) => argument)
  const results = own.flatMap(({ value }) => Object.entries(isObject(value) ? value : {}))
  const resultLists = results.filter(([, value]) => listOf(value).some((each) => innerOf(each) !== undefined))
  const [[member] = []] = resultLists
  if (branches.length === 0 || member === undefined) return undefined
  const [holds] = results.find(([, value]) => typeof value === 'boolean') ?? []
  const conditions = [...lists.keys()].find((argument) => !branches.includes(argument)) ?? 'compare'
  const then = branches.find((each) => THEN.test(each)) ?? branches.find((each) => !OTHERWISE.test(each))
  const otherwise = branches.find((each) => OTHERWISE.test(each)) ?? 'failure'
  const answers = resultLists.filter(([each]) => each === member).flatMap(([, value]) => listOf(value))
  const calls = Object.fromEntries(
    branches
      .flatMap((argument) => lists.get(argument) ?? [])
      .map((each) => [innerOf(each)?.[0] ?? '', calledBy(each, others) ?? ''] as const)
      .map(([inner, call]) => [inner, { call, result: resultName(inner, answers) }]),
  )
  const [, first] = answers.map(innerOf).find((each) => each !== undefined) ?? []
  const around = Object.entries(isObject(first) ? first : {}).filter(
    ([each]) => envelope !== undefined && Object.hasOwn(envelope.members, each),
  )
  return {
    ...{ conditions, then: then ?? 'success', otherwise, results: `/${member}` },
    calls: { ...othersLike(calls, name, others), ...calls },
    ...(holds !== undefined && { holds: `/${holds}` }),
    ...(around.length > 0 && { envelope: Object.fromEntries(around) }),
  }
}

function innerOf(item: Item): readonly [string, Item] | undefined {
  const [first, ...rest] = Object.entries(item)
  return first !== undefined && rest.length === 0 && isObject(first[1]) ? [first[0], first[1]] : undefined
}

function plainOf(member: string): string {
  return keyOf(member.replace(PREFIX, ''))
}

// A call is named by the last part of its path.
function calledBy(item: Item, others: readonly string[]): string | undefined {
  const plain = plainOf(innerOf(item)?.[0] ?? '')
  return plain === '' ? undefined : others.find((each) => keyOf(lastOf(each)) === plain)
}

function lastOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('.')) + 1)
}

function resultName(inner: string, answers: readonly Item[]): string {
  const names = answers.flatMap((each) => innerOf(each)?.[0] ?? [])
  const found = names.find((each) => plainOf(each) === plainOf(inner))
  const [example = ''] = names
  const prefix = PREFIX.exec(example)?.[0] ?? ''
  return found ?? prefix + inner.replace(PREFIX, '')
}

// Calls beside it that were not made within it may be.
function othersLike(
  known: ChoiceRule['calls'],
  name: string,
  others: readonly string[],
): ChoiceRule['calls'] {
  const [first] = Object.entries(known)
  const prefixOf = (member: string): string => PREFIX.exec(member)?.[0] ?? ''
  const [prefix, ofResult] = [prefixOf(first?.[0] ?? ''), prefixOf(first?.[1].result ?? '')]
  const folder = name.slice(0, name.length - lastOf(name).length)
  const beside = others.filter((each) => each === folder + lastOf(each))
  return Object.fromEntries(
    beside.map((call) => [prefix + lastOf(call), { call, result: ofResult + lastOf(call) }]),
  )
}

/** The calls that were made within a call, with their results. */
export function innerCalls(
  { call, value, outcome, count }: ReadCall,
  choices: ReadonlyMap<string, ChoiceRule>,
): readonly ReadCall[] {
  const choice = choices.get(call.name)
  if (choice === undefined || outcome.error !== undefined || !isObject(value)) return []
  const { then, otherwise, holds, results, calls, envelope = {} } = choice
  const isMet = holds === undefined || value[holds.slice(1)] === true
  const answers = listOf(value[results.slice(1)])
  return listOf(call.args[isMet ? then : otherwise]).flatMap((each, at): ReadCall[] => {
    const [member = '', args = {}] = innerOf(each) ?? []
    const known = calls[member]
    const [, answer] = (answers[at] && innerOf(answers[at])) ?? []
    if (known === undefined || answer === undefined) return []
    const own = Object.fromEntries(Object.entries(answer).filter(([name]) => !Object.hasOwn(envelope, name)))
    return [{ call: { name: known.call, args }, outcome: { value: own }, value: own, count, isInner: true }]
  })
}
