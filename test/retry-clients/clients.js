import { retry as attempt } from '@lifeomic/attempt'
import { Octokit } from '@octokit/core'
import { retry as octokitRetry } from '@octokit/plugin-retry'
import axios from 'axios'
import axiosRetry, { exponentialDelay } from 'axios-retry'
import { Effect, Schedule } from 'effect'
import { backOff } from 'exponential-backoff'
import fetchRetry from 'fetch-retry'
import got from 'got'
import ky from 'ky'
import makeFetchHappen from 'make-fetch-happen'
import { ofetch } from 'ofetch'
import OpenAI from 'openai'
import pRetry from 'p-retry'
import promiseRetry from 'promise-retry'
import * as rax from 'retry-axios'
import superagent from 'superagent'
import { retry as tsRetry } from 'ts-retry-promise'
import { Agent, RetryAgent, request } from 'undici'
import wretch from 'wretch'
import { retry as wretchRetry } from 'wretch/middlewares'
import {
  createDefaultHttpClient,
  createPipelineRequest,
  defaultRetryPolicy,
  createEmptyPipeline,
} from '@azure/core-rest-pipeline'
import { WebClient } from '@slack/web-api'
import { QueryClient } from '@tanstack/query-core'
import async from 'async'
import fetchRetryTs from 'fetch-retry-ts'
import { request as gaxios } from 'gaxios'
import retry from 'retry'
import { lastValueFrom, defer, retry as rxRetry, timer } from 'rxjs'
import Stripe from 'stripe'
import { ask } from '../resilience/reference-clients.ts'

const agent = (timeoutFactor) =>
  new RetryAgent(new Agent(), { maxRetries: 4, minTimeout: 40, timeoutFactor, statusCodes: [503] })
const doubling = agent(2)
const steady = agent(1)
const askUndici = (dispatcher) => async (url) => (await request(url, { dispatcher })).body.text()
const Retrying = Octokit.plugin(octokitRetry)
const octokit = new Retrying({
  retry: { retryAfterBaseValue: 20 },
  log: { debug() {}, info() {}, warn() {}, error() {} },
})
const waiting = axios.create()
waiting.defaults.raxConfig = { retry: 4, retryDelay: 40, backoffType: 'static', instance: waiting }
rax.attach(waiting)
const eagerFetch = makeFetchHappen.defaults({
  retry: { retries: 4, factor: 2, minTimeout: 30, randomize: false },
})

const capped = new RetryAgent(new Agent(), {
  ...{ maxRetries: 4, minTimeout: 50, maxTimeout: 200, timeoutFactor: 2, statusCodes: [503] },
})
const limited = fetchRetry(fetch, {
  ...{ retries: 5, retryOn: [503], retryDelay: (n) => Math.min(40 * 2 ** n, 160) },
})
const spreading = axios.create()
axiosRetry(spreading, { retries: 4, retryDelay: (n, error) => exponentialDelay(n, error, 50) })
const queries = new QueryClient()
const patientFetch = fetchRetryTs.default ?? fetchRetryTs
const azure = createEmptyPipeline()
azure.addPolicy(defaultRetryPolicy({ maxRetries: 4, retryDelayInMs: 60, maxRetryDelayInMs: 1000 }))
const azureClient = createDefaultHttpClient()
const rejected = (operation, url) => (resolve, reject) =>
  operation.attempt(() => {
    ask(url).then(resolve, (error) => {
      if (!operation.retry(error)) reject(operation.mainError())
    })
  })

/** Set-ups of published libraries: how each retries, and what the headers of failures are. */
export const HELD_OUT = [
  {
    name: 'ky, doubled delays',
    behaviour: 'exponential',
    call: (url) =>
      ky(url, { retry: { limit: 4, statusCodes: [503], delay: (n) => 30 * 2 ** (n - 1) } }).text(),
  },
  {
    name: 'ky, Retry-After',
    behaviour: 'as-requested',
    headers: { 'retry-after': '1' },
    call: (url) => ky(url, { retry: { limit: 2, statusCodes: [503] } }).text(),
  },
  { name: 'undici RetryAgent, factor 2', behaviour: 'exponential', call: askUndici(doubling) },
  { name: 'undici RetryAgent, factor 1', behaviour: 'fixed', call: askUndici(steady) },
  {
    name: 'got, a twentieth of its delays',
    behaviour: 'exponential',
    call: (url) =>
      got(url, {
        retry: { limit: 4, noise: 0, calculateDelay: ({ computedValue }) => computedValue / 20 },
      }).text(),
  },
  { name: 'got, no retries', behaviour: 'none', call: (url) => got(url, { retry: { limit: 0 } }).text() },
  {
    name: 'exponential-backoff, full jitter',
    behaviour: 'jittered',
    call: (url) => backOff(() => ask(url), { numOfAttempts: 5, startingDelay: 60, jitter: 'full' }),
  },
  {
    name: 'exponential-backoff, no jitter',
    behaviour: 'exponential',
    call: (url) => backOff(() => ask(url), { numOfAttempts: 5, startingDelay: 40 }),
  },
  {
    name: '@octokit/plugin-retry',
    behaviour: 'exponential',
    call: (url) => octokit.request(`GET ${url}`),
  },
  {
    name: 'promise-retry, randomized',
    behaviour: 'jittered',
    call: (url) =>
      promiseRetry((again) => ask(url).catch(again), { retries: 4, minTimeout: 40, randomize: true }),
  },
  {
    name: 'ofetch',
    behaviour: 'fixed',
    call: (url) => ofetch(url, { retry: 4, retryDelay: 40, retryStatusCodes: [503] }),
  },
  {
    name: 'wretch, ramp',
    behaviour: 'linear',
    call: (url) =>
      wretch(url)
        .middlewares([wretchRetry({ delayTimer: 40, delayRamp: (delay, n) => delay * n, maxAttempts: 4 })])
        .get()
        .text(),
  },
  {
    name: 'superagent',
    behaviour: 'storm',
    call: (url) =>
      superagent
        .get(url)
        .retry(5)
        .then((response) => response.text),
  },
  {
    name: '@lifeomic/attempt, jitter',
    behaviour: 'jittered',
    call: (url) =>
      attempt(() => ask(url), { maxAttempts: 5, delay: 50, factor: 2, jitter: true, minDelay: 10 }),
  },
  { name: 'retry-axios, static', behaviour: 'fixed', call: (url) => waiting.get(url) },
  {
    name: 'make-fetch-happen',
    behaviour: 'exponential',
    call: async (url) => {
      const response = await eagerFetch(url, { cache: 'no-store' })
      return response.text()
    },
  },
  {
    name: 'ts-retry-promise, linear',
    behaviour: 'linear',
    call: (url) => tsRetry(() => ask(url), { retries: 4, delay: 40, backoff: 'LINEAR' }),
  },
  {
    name: 'openai, Retry-After-Ms',
    behaviour: 'as-requested',
    headers: { 'retry-after-ms': '80', 'content-type': 'application/json' },
    call: (url) => new OpenAI({ apiKey: 'none', baseURL: url, maxRetries: 4 }).get(''),
  },
  {
    name: '@lifeomic/attempt, Retry-After ignored',
    behaviour: 'header-ignoring',
    headers: { 'retry-after': '1' },
    call: (url) => attempt(() => ask(url), { maxAttempts: 4, delay: 40, factor: 1 }),
  },
  {
    name: 'async, interval',
    behaviour: 'fixed',
    call: (url) => async.retry({ times: 5, interval: 80 }, async () => ask(url)),
  },
  { name: 'async, as it is', behaviour: 'storm', call: (url) => async.retry(6, async () => ask(url)) },
  {
    name: 'gaxios',
    behaviour: 'exponential',
    call: (url) => gaxios({ url, retryConfig: { retry: 3, retryDelay: 60, retryDelayMultiplier: 2 } }),
  },
  {
    // Its jitter begins with the third retry.
    name: 'stripe, two retries',
    behaviour: 'fixed',
    call: (url) => {
      const { hostname, port } = new URL(url)
      const client = new Stripe('sk_test_1', { host: hostname, port, protocol: 'http', maxNetworkRetries: 2 })
      return client.rawRequest('GET', `/orders${new URL(url).search}`)
    },
  },
  {
    name: 'retry, not randomized',
    behaviour: 'exponential',
    call: (url) => new Promise(rejected(retry.operation({ retries: 4, minTimeout: 60, factor: 2 }), url)),
  },
  {
    name: '@azure/core-rest-pipeline',
    behaviour: 'jittered',
    call: async (url) => {
      const answer = await azure.sendRequest(
        azureClient,
        createPipelineRequest({ url, allowInsecureConnection: true }),
      )
      return answer.bodyAsText
    },
  },
  {
    name: 'rxjs, timer by count',
    behaviour: 'linear',
    call: (url) =>
      lastValueFrom(
        defer(() => ask(url)).pipe(rxRetry({ count: 4, delay: (_error, count) => timer(70 * count) })),
      ),
  },
  {
    name: '@tanstack/query-core, a tenth of its delays',
    behaviour: 'exponential',
    call: (url) =>
      queries.fetchQuery({
        queryKey: [url, Math.random()],
        queryFn: () => ask(url),
        retry: 3,
        retryDelay: (count) => Math.min(100 * 2 ** count, 3000),
      }),
  },
  {
    name: '@slack/web-api, without waits',
    behaviour: 'fixed',
    call: (url) => {
      const { origin, search } = new URL(url)
      const client = new WebClient('x', {
        slackApiUrl: `${origin}/`,
        retryConfig: { retries: 4, minTimeout: 90, maxTimeout: 90, factor: 1 },
      })
      return client.apiCall(`orders${search}`)
    },
  },
  {
    name: 'fetch-retry-ts',
    behaviour: 'fixed',
    call: async (url) =>
      (
        await patientFetch(fetch, {
          retries: 4,
          retryDelay: 90,
          retryOn: (_attempt, _retries, error, response) => error !== null || response.status === 503,
        })(url)
      ).text(),
  },
  {
    name: 'ky, jitter',
    behaviour: 'jittered',
    call: (url) =>
      ky(url, {
        retry: { limit: 4, statusCodes: [503], delay: (n) => 60 * 2 ** (n - 1), jitter: true },
      }).text(),
  },
  {
    name: 'effect, exponential',
    behaviour: 'exponential',
    call: (url) =>
      Effect.runPromise(
        Effect.tryPromise(() => ask(url)).pipe(
          Effect.retry({ schedule: Schedule.exponential('40 millis'), times: 4 }),
        ),
      ),
  },
  { name: 'undici RetryAgent, capped', behaviour: 'exponential', call: askUndici(capped) },
  {
    name: 'fetch-retry, capped',
    behaviour: 'exponential',
    call: async (url) => (await limited(url)).text(),
  },
  {
    name: 'exponential-backoff, times 3',
    behaviour: 'exponential',
    call: (url) => backOff(() => ask(url), { numOfAttempts: 4, startingDelay: 30, timeMultiple: 3 }),
  },
  {
    name: 'p-retry, given up by time',
    behaviour: 'exponential',
    call: (url) =>
      pRetry(() => ask(url), {
        ...{ retries: 8, minTimeout: 40, factor: 2, randomize: false, maxRetryTime: 350 },
      }),
  },
  // A fifth of each wait is drawn: it shows where calls can be told apart.
  { name: 'axios-retry, exponentialDelay', behaviour: 'jittered', call: (url) => spreading.get(url) },
]
