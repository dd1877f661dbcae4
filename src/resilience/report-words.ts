import type { ClientReport, Injected } from './report-form.ts'

/** What was injected, in words. */
export function injectedText({
  requests,
  statuses,
  faults,
  delayed,
  most_latency_ms: most,
}: Injected): string {
  const named = [...Object.entries(statuses), ...Object.entries(faults)].map(
    ([name, count]) => `${name} ${count} times`,
  )
  return [
    `${requests} requests`,
    ...named,
    ...(delayed > 0 ? [`${delayed} delayed by up to ${most} ms`] : []),
  ].join(', ')
}

/** What a client is like, in words. */
export const BEHAVIOURS: Readonly<Record<ClientReport['behaviour'], string>> = {
  none: 'does not retry',
  fixed: 'retries after the same wait each time',
  linear: 'retries after waits that grow by equal steps',
  exponential: 'retries with exponential back-off, without jitter',
  jittered: 'retries with jitter',
  'as-requested': 'retries when answers request it',
  storm: 'retries without waiting',
  'header-ignoring': 'retries sooner than answers request it',
  unknown: 'retries, too seldom to say how',
  unclear: 'may retry or not: its requests do not show it',
}
