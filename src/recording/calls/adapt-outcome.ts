import type { CallBounds, CallModel, CallOutcome, CallRule } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { formatsOf } from '../../shape/formats.ts'
import { argumentsOf, type Call } from './call.ts'
import { isEmpty } from './envelope.ts'

/** A failure that names what was called for. @param name what stands for it */
export function adaptMissing({ value, error, ...rest }: CallOutcome, id: unknown, name = 'id'): CallOutcome {
  const [mark, textMark] = marksOf(name)
  const adapt = (part: unknown): unknown => {
    if (part === mark) return id
    if (typeof part === 'string') return part.replaceAll(textMark, String(id)).replaceAll(mark, String(id))
    if (Array.isArray(part)) return part.map(adapt)
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([name, each]) => [name, adapt(each)]))
      : part
  }
  return { ...rest, ...(error === undefined ? { value: adapt(value) } : { error: adapt(error) }) }
}

/** What stands for a value in what is answered: alone, for the value as it is, and for it as a text. */
export function marksOf(name: string): readonly [mark: string, textMark: string] {
  return [`{${name}}`, `{${name}:text}`]
}

/** Stands for the id in what is answered where there is no object. */
export const [ID] = marksOf('id')

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
  {
    refused = {},
    expected = {},
    allowed = {},
    bounds = [],
  }: Pick<CallRule, 'refused' | 'expected' | 'allowed' | 'bounds'>,
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
  const out = bounds.find((each) => isOutside(each, args.get(each.argument)))
  return out && adaptMissing(out.outcome, args.get(out.argument))
}

function isOutside(
  { least = -Infinity, most = Infinity, isAbove = false, format, sign }: CallBounds,
  value: unknown,
): boolean {
  if (format !== undefined) return typeof value === 'string' && !formatsOf(value).includes(format)
  if (sign !== undefined) return typeof value === 'string' && !value.includes(sign)
  const size = typeof value === 'string' ? value.length : value
  return typeof size === 'number' && (size < least || size > most || (isAbove && size === least))
}

function isCompound(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
