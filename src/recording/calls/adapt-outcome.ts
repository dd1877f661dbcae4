import type { CallModel, CallOutcome, CallRule } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { argumentsOf, type Call } from './call.ts'
import { isEmpty } from './envelope.ts'

/** A failure that names what was called for. */
export function adaptMissing({ value, error, ...rest }: CallOutcome, id: unknown): CallOutcome {
  const adapt = (part: unknown): unknown => {
    if (part === ID) return id
    if (typeof part === 'string') return part.replaceAll(TEXT_ID, String(id)).replaceAll(ID, String(id))
    if (Array.isArray(part)) return part.map(adapt)
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([name, each]) => [name, adapt(each)]))
      : part
  }
  return { ...rest, ...(error === undefined ? { value: adapt(value) } : { error: adapt(error) }) }
}

/** Stands for the id in what is answered where there is no object: alone, for the value as it was given. */
export const ID = '{id}'
/** Stands for the id as a text. */
export const TEXT_ID = '{id:text}'

/** Whether a value is none, or a text that says nothing. */
export function isBlank(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '')
}

/**
 * What is answered to a call of a name that was not recorded. Those that were are not unknown, and answers to several
 * calls say it in ways of their own.
 */
export function unknownOf(
  { unknown }: Pick<CallModel, 'unknown'>,
  { name, isPart }: Call,
): CallOutcome | undefined {
  return unknown === undefined || isPart === true || unknown.names.includes(name)
    ? undefined
    : adaptMissing(unknown.outcome, name)
}

/** How a call is refused by its arguments alone: one is missing, has another value than it must, or none of some words. */
export function refusedBy(
  { refused = {}, expected = {}, allowed = {} }: CallRule,
  call: Call,
): CallOutcome | undefined {
  const args = argumentsOf(call)
  const isLacking = (name: string): boolean =>
    isEmpty(args.get(name)) ? !isCompound(call.args[name]) : isBlank(args.get(name))
  const [, lacking] = Object.entries(refused).find(([name]) => isLacking(name)) ?? []
  if (lacking !== undefined) return lacking
  const [, other] = Object.entries(expected).find(([name, { value }]) => call.args[name] !== value) ?? []
  if (other !== undefined) return adaptMissing(other.outcome, undefined)
  for (const [name, { values, outcome }] of Object.entries(allowed)) {
    const value = args.get(name)
    if (typeof value === 'string' && !values.includes(value)) return adaptMissing(outcome, value)
  }
  return undefined
}

function isCompound(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
