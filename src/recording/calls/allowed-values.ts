import type { CallOutcome, CallRule } from '../../engine/call-model.ts'
import { argumentsOf } from './call.ts'
import { failureOf } from './failures.ts'
import type { CallSample } from './occurrences.ts'

/** A word in quotes, as errors have those that are allowed; what is JSON within JSON has them escaped. */
const QUOTED = /(?<=(["'`])\\?)[\w-]{1,40}(?=\\?\1)/g

/**
 * The arguments with one of several words, as errors say that name some which were taken, and what another one is refused
 * with.
 */
export function allowedIn(own: readonly CallSample[]): Pick<CallRule, 'allowed'> {
  const fine = own.filter(({ outcome }) => outcome.error === undefined).map(({ call }) => argumentsOf(call))
  const found = own.flatMap((failed): (readonly [string, NonNullable<CallRule['allowed']>[string]])[] => {
    if (failed.outcome.error === undefined) return []
    const named = wordsIn(failed.outcome)
    return [...argumentsOf(failed.call)].flatMap(([argument, value]) => {
      const taken = new Set(fine.flatMap((args) => args.get(argument) ?? []))
      const isOf = [...taken].every((each) => named.has(String(each)))
      if (typeof value !== 'string' || taken.size === 0 || taken.has(value) || !isOf) return []
      if (!named.has(argument.slice(argument.lastIndexOf('.') + 1))) return []
      const values = [...named].filter((each) => each !== value)
      return [[argument, { values, outcome: failureOf(failed, value) }] as const]
    })
  })
  return found.length === 0 ? {} : { allowed: Object.fromEntries(found.toReversed()) }
}

function wordsIn({ error }: CallOutcome): ReadonlySet<string> {
  const text = typeof error === 'string' ? error : JSON.stringify(error)
  return new Set(text.replaceAll('\\', '').match(QUOTED))
}
