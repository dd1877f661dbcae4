import type { Sample } from './sample.ts'

/** What of an item a request was refused for: less than it wants, its state, or a list without entries. */
export type Reason = 'amount' | 'state' | 'empty'

const SAYS =
  /already|duplicate|in use|\btaken\b|\bexists\b|not unique|(must|has to|should) be unique|unique constraint/i
const DENIES = /(not|n't|no longer|never) (already )?exist/i

/** Whether a request was refused since what it would make is there, or has a name that it would give: by its status, or by what the answer says. */
export function isTaken({ method, status, response }: Sample): boolean {
  if (!/^(POST|PUT|PATCH)$/.test(method) || status < 400) return false
  const text = typeof response === 'string' ? response : JSON.stringify(response ?? '')
  // What a change conflicts with may be another change.
  return !DENIES.test(text) && ((status === 409 && method === 'POST') || SAYS.test(text))
}
