import type { Sample } from './sample.ts'

const SAYS = /already|duplicate|in use|\btaken\b|\bexists\b|not unique|must be unique/i
const DENIES = /(not|n't|no longer|never) (already )?exist/i

/** Whether a request was refused since what it would make is there: by its status, or by what the answer says. */
export function isTaken({ method, status, response }: Sample): boolean {
  if (method !== 'POST' || status < 400) return false
  if (status === 409) return true
  const text = typeof response === 'string' ? response : JSON.stringify(response ?? '')
  return SAYS.test(text) && !DENIES.test(text)
}
