import retry from 'async-retry'
import axios from 'axios'
import axiosRetry from 'axios-retry'
import { ExponentialBackoff, handleAll, retry as cockatielRetry } from 'cockatiel'
import fetchRetry from 'fetch-retry'
import pRetry from 'p-retry'
import type { Behaviour } from '../../src/resilience/classify.ts'

/** A client whose way to retry is known. */
export interface RetryClient {
  readonly name: string
  readonly behaviour: Behaviour
  /** Makes one logical call; fails where it gives up. */
  call(url: string): Promise<unknown>
}

/** Asks once. @throws Error for an answer that is not good */
export async function ask(url: string, init?: RequestInit): Promise<string> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`status ${response.status}`)
  return text
}

const patient = fetchRetry(fetch, { retries: 4, retryDelay: 90, retryOn: [429, 503] })
const jittered = cockatielRetry(handleAll, {
  maxAttempts: 4,
  backoff: new ExponentialBackoff({ initialDelay: 80, maxDelay: 800 }),
})
const eager = axios.create()
axiosRetry(eager, { retries: 10 })

/** Clients that each retry in another way, made with libraries that are published. */
export const REFERENCE_CLIENTS: readonly RetryClient[] = [
  { name: 'fetch', behaviour: 'none', call: ask },
  { name: 'fetch-retry', behaviour: 'fixed', call: async (url) => (await patient(url)).text() },
  {
    name: 'p-retry',
    behaviour: 'exponential',
    call: (url) => pRetry(() => ask(url), { retries: 3, minTimeout: 60, factor: 2, randomize: false }),
  },
  { name: 'cockatiel', behaviour: 'jittered', call: (url) => jittered.execute(() => ask(url)) },
  { name: 'axios-retry', behaviour: 'storm', call: (url) => eager.get(url) },
  {
    name: 'async-retry',
    behaviour: 'header-ignoring',
    call: (url) => retry(() => ask(url), { retries: 3, minTimeout: 60, randomize: false }),
  },
]
