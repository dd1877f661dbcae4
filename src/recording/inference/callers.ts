import type { Caller } from '../../engine/route-options.ts'
import { compareTexts, countEach, groupBy } from '../../grouping.ts'
import type { Sample } from './sample.ts'

/** Whether something is called like a token against forged requests (CSRF), which says nothing of who sends one. */
export function isAgainstForgery(name: string): boolean {
  return /csrf|xsrf/i.test(name)
}

/** Whether a header is called like one that says who sends a request. */
export function namesCaller(header: string): boolean {
  if (isAgainstForgery(header)) return false
  return /authorization|key|token|auth|secret|session|user(?!-agent)|cookie/.test(header)
}

/** Whether an answer refuses who asks. */
export function isRefused({ status }: Pick<Sample, 'status'>): boolean {
  return status === 401 || status === 403
}

/**
 * The headers that distinguish callers: they have several values, and each of these comes again and again, as
 * signatures of requests do not.
 */
export function callerHeaders(samples: readonly Sample[]): readonly string[] {
  const names = new Set(samples.flatMap(({ headers }) => Object.keys(headers).filter(namesCaller)))
  return [...names].toSorted(compareTexts).filter((name) => {
    const values = samples.flatMap(({ headers }) => headers[name] ?? [])
    const different = countEach(values).size
    return different > 1 && different * 2 <= values.length
  })
}

/** The callers that a route always refused, where it did something for others. @param names those that distinguish callers */
export function forbiddenCallers(samples: readonly Sample[], names: readonly string[]): readonly Caller[] {
  for (const header of names) {
    const byValue = groupBy(samples, ({ headers }) => headers[header])
    // A header that is empty says nobody.
    for (const nobody of [undefined, '']) byValue.delete(nobody)
    const refused = [...byValue].filter(([, own]) => own.every(isRefused))
    const isServed = [...byValue.values()].some((own) => own.some(({ status }) => status < 400))
    if (refused.length > 0 && isServed)
      return refused
        .map(([equals = '']) => ({ header, equals }))
        .toSorted((a, b) => compareTexts(a.equals, b.equals))
  }
  return []
}

/** Whether a request is of one of some callers. */
export function isOfCaller({ headers }: Sample, callers: readonly Caller[]): boolean {
  return callers.some(({ header, equals }) => headers[header] === equals)
}
