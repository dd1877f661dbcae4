import type { ErrorAnswers } from '../../engine/error-answer.ts'
import type { When } from '../../routing/condition.ts'
import { mostFrequent } from '../../grouping.ts'
import type { Refusals } from './refusals.ts'

/** What all routes refuse, and the form of errors that most of them have. */
export function commonRefusals(all: readonly (Refusals | undefined)[]): Refusals {
  const most = (key: keyof Refusals): unknown =>
    JSON.parse(mostFrequent(all.map((each) => JSON.stringify(each?.[key] ?? null))) ?? 'null')
  const isRequired = all.every((each) => each?.requires !== undefined)
  return {
    requires: isRequired ? (most('requires') as When) : undefined,
    errorAnswers: (most('errorAnswers') ?? undefined) as ErrorAnswers | undefined,
  }
}

/** What a route refuses as data files say it, where that is not what most do. */
export function refusalData(
  own: Refusals,
  common: Refusals,
  isStored = false,
): Readonly<Record<string, unknown>> {
  const isOwn = (key: keyof Refusals): boolean =>
    own[key] !== undefined && JSON.stringify(own[key]) !== JSON.stringify(common[key])
  const { match = false, ...tags } = own.etag ?? {}
  return {
    ...(isOwn('requires') && { requires: own.requires }),
    ...(own.etag !== undefined && { etag: isStored && match ? { match, ...tags } : tags }),
    ...(isOwn('errorAnswers') && { error_answers: own.errorAnswers }),
  }
}
