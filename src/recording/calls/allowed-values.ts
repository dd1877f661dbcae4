import type { CallBounds, CallOutcome, CallRule } from '../../engine/call-model.ts'
import { formatsOf } from '../../shape/formats.ts'
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
 * What arguments must be, as refusals show that say so: numbers within bounds, texts of some length or of a format. A bound
 * is what is said, or zero below what is negative or zero.
 */
export function boundsIn(own: readonly CallSample[]): Pick<CallRule, 'bounds'> {
  const fine = own.filter(({ outcome }) => outcome.error === undefined).map(({ call }) => argumentsOf(call))
  const found = own.flatMap((failed): CallBounds[] => {
    if (failed.outcome.error === undefined) return []
    const args = [...argumentsOf(failed.call)].flatMap(([argument, value]): Given[] => {
      const taken = fine.flatMap((each) => each.get(argument) ?? [])
      const isOfType = taken.length > 0 && taken.every((each) => typeof each === typeof value)
      return isOfType ? [{ argument, value, taken, isNamed: names(failed.outcome, argument) }] : []
    })
    // What names an argument says nothing of others.
    const named = args.filter(({ isNamed }) => isNamed)
    const texts = (named.length > 0 ? named : args).filter(({ value }) => typeof value === 'string')
    const numbers = args.filter(({ value }) => typeof value === 'number')
    const bounds = [...numbers, ...texts].flatMap((given) => boundOf(given, failed.outcome))
    const all = bounds.length > 0 ? bounds : named.flatMap(formatIn)
    return all.map((each) => ({
      ...each,
      outcome: failureOf(failed, argumentsOf(failed.call).get(each.argument)),
    }))
  })
  const sharpestLast = found.toSorted((a, b) => Number(a.isAbove ?? false) - Number(b.isAbove ?? false))
  const bounds = [...new Map(sharpestLast.map((each) => [keyOf(each), each])).values()]
  return bounds.length === 0 ? {} : { bounds }
}

/** An argument that was refused, and those of its name that were not. */
interface Given {
  readonly argument: string
  readonly value: unknown
  readonly taken: readonly unknown[]
  /** Whether the refusal has its name. */
  readonly isNamed: boolean
}

type Bound = Omit<CallBounds, 'outcome'>

function boundOf({ argument, value, taken, isNamed }: Given, { error }: CallOutcome): readonly Bound[] {
  const sizes = taken.map(sizeOf)
  const [size, least, most] = [sizeOf(value), leastOf(sizes), greatestOf(sizes)]
  const text = textsIn(error)
  if (typeof value === 'string' && !SAYS_SIZE.test(text)) return []
  const said = (text.match(NUMBER) ?? []).map(Number)
  const from = said.find((each) => size < each && each <= least)
  const to = said.find((each) => most <= each && each < size)
  if (from !== undefined) return [{ argument, least: from }]
  if (to !== undefined) return [{ argument, most: to }]
  const isBelow = typeof value === 'number' && isNamed && value <= 0 && least > 0
  return isBelow ? [{ argument, least: 0, ...(value === 0 && { isAbove: true }) }] : []
}

/** How errors say that a text is too short or too long. */
const SAYS_SIZE =
  /\b(characters?|chars|letters|digits|length|long|longer|short|shorter|least|most|min|max|minimum|maximum|exceeds?|than|between)\b/i

// What all that were taken are, and this one is not: of a format, or with some sign in it.
function formatIn({ argument, value, taken }: Given): readonly Bound[] {
  if (typeof value !== 'string') return []
  const [first = '', ...others] = taken.map(String)
  const format = formatsOf(first).find((each) => others.every((other) => formatsOf(other).includes(each)))
  if (format !== undefined) return formatsOf(value).includes(format) ? [] : [{ argument, format }]
  const sign = first.match(SIGN)?.find((each) => others.every((other) => other.includes(each)))
  return sign === undefined || value.includes(sign) ? [] : [{ argument, sign }]
}

/** A character that is neither of a word nor between words. */
const SIGN = /[^\p{L}\p{N}\s]/gu

function sizeOf(value: unknown): number {
  return typeof value === 'string' ? value.length : Number(value)
}

function keyOf({ argument, least, most, format, sign }: CallBounds): string {
  return JSON.stringify([argument, least !== undefined, most !== undefined, format, sign])
}

function names({ error }: CallOutcome, argument: string): boolean {
  const member = argument.slice(argument.lastIndexOf('.') + 1).toLowerCase()
  return JSON.stringify(error).toLowerCase().includes(member)
}

/** A number in a text, and not within a name or the code of an error. */
const NUMBER = /(?<![\w.-])-?\d{1,15}(?:\.\d{1,9})?(?![\w.-])/g

function wordsIn({ error }: CallOutcome): ReadonlySet<string> {
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  return new Set(text.replaceAll('\\', '').match(QUOTED))
}
