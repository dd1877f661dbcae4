import type { ClientReport, Finding } from './report-form.ts'

type Facts = Omit<ClientReport, 'findings'>

const CHECKS: readonly (readonly [check: string, judge: (facts: Facts) => Omit<Finding, 'check'>])[] = [
  ['retries what failed', judgeRetries],
  ['waits longer before each retry', judgeBackoff],
  ['spreads its retries', judgeJitter],
  ['waits as answers request it', judgeHeaders],
  ['heeds rate limits', judgeLimits],
  ['makes no storms', judgeStorms],
  ['repeats changes with the same idempotency key', judgeKeys],
]

/** What is right and wrong with a client. */
export function findProblems(facts: Facts): readonly Finding[] {
  return CHECKS.map(([check, judge]) => ({ check, ...judge(facts) }))
}

function judgeRetries({
  behaviour,
  statuses,
  retries,
  recovered,
  given_up: givenUp,
}: Facts): Omit<Finding, 'check'> {
  if (statuses.length === 0) return { result: 'not seen', says: 'no request failed' }
  if (behaviour === 'unclear')
    return {
      result: 'not seen',
      says: 'requests that are alike follow failures much as they follow other answers: have calls differ by their URLs or a header',
    }
  if (retries === 0) return { result: 'failed', says: `no retry to ${givenUp} failed calls` }
  return {
    result: 'passed',
    says: `${retries} retries: ${recovered} calls recovered, ${givenUp} were given up`,
  }
}

function judgeBackoff({ backoff: { growth, waits_ms: waits, factor } }: Facts): Omit<Finding, 'check'> {
  const medians = waits.map(({ median }) => `${Math.round(median)} ms`).join(', ')
  if (growth === 'none') return { result: 'not seen', says: 'no wait of its own' }
  if (growth === 'unknown')
    return { result: 'not seen', says: `one retry a call, after ${medians}, does not show it` }
  if (growth === 'immediate') return { result: 'failed', says: `it does not wait (${medians})` }
  if (growth === 'fixed') return { result: 'failed', says: `every wait is alike: ${medians}` }
  return { result: 'passed', says: `${growth}${factor === undefined ? '' : `, times ${factor}`}: ${medians}` }
}

function judgeJitter({ backoff: { growth, jitter }, calls }: Facts): Omit<Finding, 'check'> {
  if (growth === 'none' || calls < 2)
    return { result: 'not seen', says: 'no wait of its own, or a single call' }
  if (jitter) return { result: 'passed', says: 'waits of the same retry differ' }
  return { result: 'failed', says: 'calls that fail together are retried together: waits have no jitter' }
}

function judgeHeaders({ retry_after: { requested, heeded, ignored } }: Facts): Omit<Finding, 'check'> {
  if (requested === 0)
    return { result: 'not seen', says: 'no retry came after an answer that requested to wait' }
  if (ignored === 0)
    return {
      result: 'passed',
      says: `${heeded} of ${requested} retries waited as long as they were requested to`,
    }
  return {
    result: 'failed',
    says: `${ignored} of ${requested} retries came sooner than Retry-After or a limit allowed`,
  }
}

function judgeLimits({ rate_limits: { requested, ignored } }: Facts): Omit<Finding, 'check'> {
  if (requested === 0) return { result: 'not seen', says: 'no answer said that a limit was spent' }
  if (ignored === 0) return { result: 'passed', says: 'it waited whenever a limit was spent' }
  return { result: 'failed', says: `${ignored} of ${requested} times it went on though the limit was spent` }
}

function judgeStorms({ behaviour, storms, most_attempts: most, retries }: Facts): Omit<Finding, 'check'> {
  if (retries === 0) return { result: 'not seen', says: 'no retry' }
  if (behaviour === 'storm')
    return { result: 'failed', says: `up to ${most} attempts of a call without a wait` }
  const [worst] = storms.toSorted((a, b) => b.retries - a.retries)
  if (worst === undefined) return { result: 'passed', says: 'retries did not come together' }
  return { result: 'failed', says: `${worst.retries} retries within ${worst.within_ms} ms` }
}

function judgeKeys({
  idempotency: { retries, same_key: same, other_key: other, no_key: none },
}: Facts): Omit<Finding, 'check'> {
  if (retries === 0) return { result: 'not seen', says: 'no POST or PATCH was retried' }
  if (same === retries) return { result: 'passed', says: `${same} retries repeat the key` }
  return {
    result: 'failed',
    says: `of ${retries} retries of POST and PATCH, ${none} have no key and ${other} have another one`,
  }
}
