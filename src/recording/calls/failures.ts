import type { CallNeed, CallOutcome, CallRule } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { argumentsOf, isReading, REMOVING } from './call.ts'
import { valueAt } from './envelope.ts'
import type { Known } from './object-types.ts'
import type { CallSample } from './call-sample.ts'
import { nameKey } from './show.ts'
import { isBlank, marksOf } from './adapt-outcome.ts'
import { literalPattern } from '../../routing/path-template.ts'

/** An argument that all calls have which succeeded, and one that failed has not. */
export function refusalOf(own: readonly CallSample[]): readonly [string, CallOutcome] | undefined {
  const [fine, failed] = [true, false].map((isFine) =>
    own.filter(({ outcome }) => (outcome.error === undefined) === isFine),
  ) as [CallSample[], CallSample[]]
  const given = ({ call }: CallSample, name: string): unknown =>
    Object.hasOwn(call.args, name) ? call.args[name] : argumentsOf(call).get(name)
  const isGiven = (each: CallSample, name: string): boolean => !isBlank(given(each, name))
  const [first] = fine
  const all = first === undefined ? [] : [...Object.keys(first.call.args), ...argumentsOf(first.call).keys()]
  const names = [...new Set(all)].filter((name) => fine.every((each) => isGiven(each, name)))
  // What was given otherwise may be what is wrong.
  const isOfChange = first?.call.isChange === true
  const isElse = (name: string, each: CallSample): boolean =>
    isGiven(each, name) && first !== undefined && given(each, name) !== given(first, name)
  // What an argument has within may be left out.
  const lacks = (each: CallSample, name: string): boolean =>
    !isGiven(each, name) && (!name.includes('.') || given(each, name) !== undefined)
  for (const each of failed) {
    const named = names.find(
      (name) =>
        (lacks(each, name) && isNamed(name, each.outcome.error)) ||
        (!isGiven(each, name) && isQuoted(name, each.outcome.error)),
    )
    if (named !== undefined) return [named, saidOf(each.outcome)]
  }
  for (const each of failed) {
    const lacking = names.filter((name) => lacks(each, name))
    const { error } = each.outcome
    // What speaks of an argument that was given is about that.
    const isOther =
      fine.length < 2 &&
      names.some((name) => isNamed(given(each, name), error) || (isOfChange && isElse(name, each)))
    if (lacking[0] !== undefined && !isOther) return [lacking[0], saidOf(each.outcome)]
  }
  return undefined
}

/** Whether a failure names an argument in quotes, or what is within it by its own name. */
export function isQuoted(name: string, error: unknown): boolean {
  const own = name.slice(name.lastIndexOf('.') + 1)
  const text = textsIn(error)
  return [`"`, `'`].some((quote) => text.includes(quote + own + quote))
}

/** Whether a failure says a value. */
export function isNamed(value: unknown, error: unknown): boolean {
  if (isBlank(value)) return false
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  if (typeof value === 'string' && value.length < MIN_TEXT)
    return new RegExp(`(?<![\\w.:/-])${literalPattern(value)}(?![\\w.:/-])`).test(text)
  if (typeof value === 'string') return text.includes(value)
  // A small number is the code of an error by chance.
  const isSmall = typeof value === 'number' && Math.abs(value) < MIN_NUMBER
  return typeof value === 'number' && (isSmall ? textsIn(error) : text).includes(String(value))
}

const MIN_NUMBER = 100
/** Shorter texts are within words by chance. */
const MIN_TEXT = 3

/** All texts within a value. */
export function textsIn(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? Object.values(value).map(textsIn).join(' ') : ''
}

/** Arguments that have the same long value, such as a token, in all calls that did not fail, and another in one that did. */
export function expectedIn(own: readonly CallSample[]): Pick<CallRule, 'expected'> {
  const fine = own.filter(({ outcome }) => outcome.error === undefined)
  const entries = Object.entries(fine[0]?.call.args ?? {}).flatMap(([name, value]) => {
    const isToken = typeof value === 'string' && value.length >= MIN_TOKEN && !/\s/.test(value)
    if (!isToken || fine.length < 2 || !fine.every(({ call }) => call.args[name] === value)) return []
    const failed = own.find(
      ({ call, outcome }) =>
        outcome.error !== undefined && !isBlank(call.args[name]) && call.args[name] !== value,
    )
    return failed === undefined
      ? []
      : [[name, { value, outcome: failureOf(failed, failed.call.args[name]) }] as const]
  })
  return entries.length === 0 ? {} : { expected: Object.fromEntries(entries) }
}

const MIN_TOKEN = 8

/** What one call of a type refuses, others of it refuse alike. */
export function withRefusal(
  rule: CallRule,
  name: string,
  refused: ReadonlyMap<string, readonly [string, CallOutcome] | undefined>,
  rules: ReadonlyMap<string, CallRule>,
): CallRule {
  const own = refused.get(name)
  const id = rule.id ?? rule.list?.range?.from
  const alike = [...refused].find(
    ([other, each]) => each !== undefined && each[0] === id && rules.get(other)?.type === rule.type,
  )?.[1]
  const found = own ?? alike
  return found === undefined ? rule : { ...rule, refused: { [found[0]]: found[1] } }
}

/** What one call says of an object that is not there, others of its type say, unless it says the call's own name. */
export function withMissing(rule: CallRule, rules: ReadonlyMap<string, CallRule>): CallRule {
  const isOfOne = rule.does === 'read' || rule.does === 'change' || rule.does === 'remove'
  if (!isOfOne || rule.id === undefined || rule.by !== undefined || rule.missing !== undefined) return rule
  const other = [...rules].find(
    ([name, { type, by, missing }]) =>
      type === rule.type &&
      by === undefined &&
      missing?.error !== undefined &&
      !JSON.stringify(missing.error).includes(name.slice(name.lastIndexOf('.') + 1)),
  )
  return other?.[1].missing === undefined ? rule : { ...rule, missing: other[1].missing }
}

/** What is said of an object that was removed, where that does not fail. */
export function goneOf(
  own: readonly CallSample[],
  id: string,
  calls: readonly CallSample[],
): CallRule['missing'] | undefined {
  const isGone = ({ call }: CallSample): boolean => {
    const wanted = String(argumentsOf(call).get(id))
    const at = calls.findIndex((each) => each.call === call)
    const last = calls
      .slice(0, at)
      .findLast(
        (each) =>
          each.outcome.error === undefined &&
          [...argumentsOf(each.call).values()].some((value) => String(value) === wanted) &&
          !isReading(each.call.name),
      )
    return last !== undefined && REMOVING.test(last.call.name)
  }
  const shows = ({ objects, call }: CallSample): boolean =>
    objects.some((each) => String(each.item[each.id]) === String(argumentsOf(call).get(id)))
  const sample = own.find((each) => each.outcome.error === undefined && isGone(each) && !shows(each))
  return sample && { value: opened(sample.value, argumentsOf(sample.call).get(id)) }
}

/**
 * What an answer says of an id is said of any.
 * @param at where results have the object, as a JSON pointer
 * @param isThere whether the object was there, so that it failed for another reason
 */
export function missingOf(
  own: readonly CallSample[],
  id: string,
  at?: string,
  isThere: (each: CallSample) => boolean = () => false,
): CallRule['missing'] | undefined {
  const failed = own.filter((each) => isFailed(each, at))
  const sample = failed.find((each) => !isThere(each)) ?? failed[0]
  const wanted = sample && argumentsOf(sample.call).get(id)
  return sample === undefined || wanted === undefined ? undefined : failureOf(sample, wanted)
}

function isFailed({ outcome, value }: CallSample, at = ''): boolean {
  return outcome.error !== undefined || value === null || (at !== '' && valueAt(value, at) === null)
}

/** How a call failed, with places for an id or a name that this was for. */
export function failureOf({ outcome, value }: CallSample, id: unknown): CallOutcome {
  const { error } = outcome
  if (error === undefined) return { value: opened(value, id) }
  return saidOf(outcome, opened(error, id))
}

/** A failure, with what it says. */
export function saidOf({ error, status, headers }: CallOutcome, said = error): CallOutcome {
  return { error: said, ...(status !== undefined && { status }), ...(headers !== undefined && { headers }) }
}

/**
 * The arguments with ids of other objects that must be there, as calls show that failed for an id of none.
 * @param rule what the calls do that did not fail
 * @param typeOf the type of the objects that a member of what is made or changed names
 */
export function needsOf(
  own: readonly CallSample[],
  rule: CallRule,
  typeOf: (member: string) => string | undefined,
  isKnown: (type: string, id: unknown) => boolean,
  types: ReadonlySet<string>,
): readonly CallNeed[] {
  // What says nothing where it did something fails otherwise.
  const saysNothing = rule.result === null && rule.at === undefined
  const hasFailed = (each: CallSample): boolean =>
    saysNothing ? each.outcome.error !== undefined : isFailed(each, rule.at)
  const fine = own.filter((each) => !hasFailed(each))
  const copied = Object.entries(rule.copies ?? {}).flatMap(([member, argument]) => {
    const type = typeOf(member)
    return type === undefined ? [] : [{ argument, type }]
  })
  // An argument may be called as a type of which it always has an id: `bookId`.
  const called = [...argumentsOf(own[0]?.call ?? { name: '', args: {} }).keys()].flatMap((argument) => {
    const [, stem = ''] = /^(.{3,}?)_?id$/i.exec(argument) ?? []
    const type = [...types].find((each) => nameKey(each.toLowerCase()) === nameKey(stem.toLowerCase()))
    const isSound =
      type !== undefined &&
      type !== rule.type &&
      fine.length > 0 &&
      fine.every(({ call }) => isKnown(type, argumentsOf(call).get(argument)))
    return isSound ? [{ argument, type }] : []
  })
  const named = [...copied, ...called]
  const found = own.filter(hasFailed).flatMap((failed): CallNeed[] => {
    const need = named.flatMap(({ argument, type }): CallNeed[] => {
      const id = argumentsOf(failed.call).get(argument)
      if (id === undefined || isKnown(type, id)) return []
      return [{ argument, type, outcome: failureOf(failed, id) }]
    })
    return need.slice(0, 1)
  })
  return found.filter(({ argument }, at) => found.findIndex((each) => each.argument === argument) === at)
}

/**
 * Whether what calls were about was never seen again, and was refused when they were repeated: they removed it, whatever
 * they are called.
 */
export function isGoneAfter(
  fine: readonly CallSample[],
  { id, type }: CallRule,
  { calls, types }: Pick<Known, 'calls' | 'types'>,
): boolean {
  const idOf = ({ call }: CallSample): string => String(argumentsOf(call).get(id ?? ''))
  const all = fine.map((each) => {
    const later = calls.slice(calls.indexOf(each) + 1)
    const isShown = isShownAfter(each, { id: id ?? '', type }, { calls, types })
    const again = later.filter(
      ({ call }) => call.name === each.call.name && idOf(each) === idOf({ ...each, call }),
    )
    return {
      isShown,
      isRefused: again.length > 0 && again.every(({ outcome }) => outcome.error !== undefined),
    }
  })
  return all.every(({ isShown }) => !isShown) && all.some(({ isRefused }) => isRefused)
}

/** Whether the object that a call names is seen in a later result. */
export function isShownAfter(
  each: CallSample,
  { id, type }: Pick<CallRule, 'id' | 'type'>,
  { calls, types }: Pick<Known, 'calls' | 'types'>,
): boolean {
  const wanted = String(argumentsOf(each.call).get(id ?? ''))
  return calls
    .slice(calls.indexOf(each) + 1)
    .some(({ objects }) =>
      objects.some((seen) => types.get(seen.place) === type && String(seen.item[seen.id]) === wanted),
    )
}

/** A value with a mark in place of an id or of what has another name, and another one where it is written as a text. */
export function opened(value: unknown, given: unknown, name = 'id'): unknown {
  const id = String(given)
  const [mark, textMark] = marksOf(name)
  const whole = new RegExp(`(?<![\\w.:/"=-])${literalPattern(id)}(?![\\w:/"=-])`, 'g')
  const open = (part: unknown): unknown => {
    if (part === given) return mark
    if (typeof part === 'number') return String(part) === id ? mark : part
    if (part === id) return textMark
    if (typeof part === 'string') return part.replaceAll(whole, mark)
    if (Array.isArray(part)) return part.map(open)
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([name, each]) => [name, open(each)]))
      : part
  }
  return open(value)
}
