import type { When } from '../../routing/condition.ts'
import type { CallForm } from '../calls/call.ts'
import type { Sample } from '../inference/sample.ts'

/** An operation, as requests for it say. */
export interface Operation {
  /** What it is called among those with its method and path. */
  readonly name: string
  /** What its requests are like, and no others. */
  readonly when: When
}

/**
 * What is known of a protocol beforehand, beyond what the recording itself shows. One file each, and one line in
 * `PROTOCOLS`.
 */
export interface Protocol {
  readonly name: string
  /** Whether an exchange is in the protocol: by what those of no other kind have. */
  speaks(sample: Sample): boolean
  /** Whether only many exchanges together show it, and the roots of its calls are how it is found. */
  readonly isSeenTogether?: boolean
  /** Whether only several operations show it, since one alone may be named so by chance. */
  readonly isOfSeveral?: boolean
  /**
   * Says which operation each exchange is for; `undefined` for one that names none, such as a malformed request.
   * @param samples all with one method and path; and in the protocol
   */
  operations(samples: readonly Sample[]): (sample: Sample) => Operation | undefined
  /** Whether the answer says that there is no such operation: all unknown ones are answered so. */
  isUnknown?(sample: Sample): boolean
  /** How calls, their arguments and results are written, where what they do to objects can be seen from them. */
  readonly calls?: CallForm
}

/** A text that says something; `undefined` for all else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A value whose texts, wherever they are in it, are changed. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each: unknown) => mapTexts(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapTexts(part, change)]))
}

/** A call that many servers have, which takes several calls as its only parameter, and answers each with a list of its result, or with its failure. */
export const MULTICALL = 'system.multicall'

/** Whether a text says that there is no such method; some servers have a code of their own for it. */
export function saysNoSuchMethod(text: string): boolean {
  return NO_SUCH_METHOD.test(text)
}

const NO_SUCH_METHOD =
  /\b(no such|unknown|unsupported)[ _]method\b|\bmethod\b.{0,200}\b(not found|not supported|unknown|does not exist)\b/i

/** Calls whose answer's body is the result, or the error where the status says that it failed. */
export const bodyAndStatus: Pick<CallForm, 'outcomes' | 'write'> = {
  outcomes: ({ body = '', status }) => [status < 400 ? { value: body } : { error: body, status }],
  write: ([outcome = {}]) =>
    outcome.error === undefined
      ? { status: 200, body: outcome.value }
      : { status: outcome.status ?? 400, body: outcome.error },
}
