import type { CallBounds, CallOutcome, CallRule } from '../../engine/call-model.ts'
import { greatestOf, leastOf } from '../../statistics.ts'
import { argumentsOf } from './call.ts'
import { mapTexts } from '../protocols/protocol.ts'
import { ID } from './adapt-outcome.ts'
import { failureOf, saidOf, textsIn } from './failures.ts'
import type { CallSample } from './call-sample.ts'

/** A word in quotes, as errors have those that are allowed; what is JSON within JSON has them escaped. */
const QUOTED = /(?<=(["'`])\\?)[\w-]{1,40}(?=\\?\1)/g

/**
 * The arguments with one of several words, as errors say that name some which were taken, and what another one is refused
 * with.
 */
export function allowedIn(own: readonly CallSample[], all: readonly CallSample[]): Pick<CallRule, 'allowed'> {
  const fine = own.filter(({ outcome }) => outcome.error === undefined).map(({ call }) => argumentsOf(call))
  const found = own.flatMap((failed): (readonly [string, NonNullable<CallRule['allowed']>[string]])[] => {
    if (failed.outcome.error === undefined) return []
    const named = wordsIn(failed.outcome)
    return [...argumentsOf(failed.call)].flatMap(([argument, value]) => {
      const taken = new Set(fine.flatMap((args) => args.get(argument) ?? []))
      const member = argument.slice(argument.lastIndexOf('.') + 1)
      if (typeof value !== 'string' || taken.size === 0 || taken.has(value)) return []
      if (isOfEnum(failed.outcome, argument) && named.has(value)) {
        const seen = all.flatMap(({ objects }) => objects.flatMap(({ item }) => item[member] ?? []))
        const words = [...taken, ...seen].filter((each) => typeof each === 'string' && ENUM_VALUE.test(each))
        const values = [...new Set(words.map(String))].filter((each) => each !== value)
        return values.length < 2 ? [] : [[argument, { values, outcome: quoting(failed, value) }] as const]
      }
      const isOf = [...taken].every((each) => named.has(String(each)))
      if (!isOf || !named.has(member)) return []
      const values = [...named].filter((each) => each !== value)
      return [[argument, { values, outcome: failureOf(failed, value) }] as const]
    })
  })
  return found.length === 0 ? {} : { allowed: Object.fromEntries(found.toReversed()) }
}

const ENUM_VALUE = /^[A-Z_a-z]\w{0,60}$/

// Errors of GraphQL name the argument and say of what type it is, rather than its values.
function isOfEnum({ error }: CallOutcome, argument: string): boolean {
  const text = JSON.stringify(error ?? '')
  return /\benum\b/i.test(text) && text.includes(argument)
}

// What is refused stands in quotes.
function quoting({ outcome }: CallSample, value: string): CallOutcome {
  return saidOf(
    outcome,
    mapTexts(outcome.error, (text) => text.replaceAll(`"${value}"`, `"${ID}"`)),
  )
}

/**
 * The arguments that are numbers within bounds: one outside of all that were taken was refused, and what that says names the
 * argument or the bound. A bound is what is said, or zero below what is negative or zero.
 */
export function boundsIn(own: readonly CallSample[]): Pick<CallRule, 'bounds'> {
  const fine = own.filter(({ outcome }) => outcome.error === undefined).map(({ call }) => argumentsOf(call))
  const bounds: Record<string, CallBounds> = {}
  for (const failed of own) {
    const { error } = failed.outcome
    if (error === undefined) continue
    const text = JSON.stringify(error)
    const said = (textsIn(error).match(NUMBER) ?? []).map(Number)
    for (const [argument, value] of argumentsOf(failed.call)) {
      const taken = fine
        .flatMap((args) => args.get(argument) ?? [])
        .filter((each) => typeof each === 'number')
      if (typeof value !== 'number' || taken.length === 0) continue
      const [least, most] = [leastOf(taken), greatestOf(taken)]
      const isNamed = text.toLowerCase().includes(argument.slice(argument.lastIndexOf('.') + 1).toLowerCase())
      const outcome = failureOf(failed, value)
      const from = said.find((each) => value < each && each <= least)
      const to = said.find((each) => most <= each && each < value)
      if (from !== undefined) bounds[argument] = { ...bounds[argument], least: from, outcome }
      else if (to !== undefined) bounds[argument] = { ...bounds[argument], most: to, outcome }
      else if (isNamed && value <= 0 && least > 0)
        bounds[argument] = {
          ...bounds[argument],
          least: 0,
          isAbove: value === 0 || bounds[argument]?.isAbove === true,
          outcome,
        }
    }
  }
  return Object.keys(bounds).length === 0 ? {} : { bounds }
}

/** A number in a text, and not within a name or the code of an error. */
const NUMBER = /(?<![\w.-])-?\d{1,15}(?:\.\d{1,9})?(?![\w.-])/g

function wordsIn({ error }: CallOutcome): ReadonlySet<string> {
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  return new Set(text.replaceAll('\\', '').match(QUOTED))
}
