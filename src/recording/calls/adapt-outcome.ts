import type { CallModel, CallOutcome } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Call } from './call.ts'

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
