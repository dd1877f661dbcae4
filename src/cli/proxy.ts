import type { FastifyInstance } from 'fastify'
import type { CommandModule } from 'yargs'
import { joinApps, joinLoaded } from '../declare/join-apps.ts'
import { requireApi } from '../declare/load-api.ts'
import type { LoadedApi, Target } from '../declare/target.ts'
import { createVersions } from '../declare/watch/versions.ts'
import type { Seed } from '../engine/random.ts'
import { createGateway } from '../gateway/gateway.ts'
import type { ChainDefaults } from '../gateway/chain.ts'
import { UsageInvalid } from '../sim-error.ts'
import { createLog } from './log.ts'
import {
  loadOptionsOf,
  whole,
  withAppOptions,
  within,
  withServeOptions,
  withWatch,
  type AppOptions,
  type ServeOptions,
  type WatchOptions,
} from './options.ts'
import { printProblems } from './print-problems.ts'
import { printSeed } from './print-seed.ts'
import { serve } from './serve.ts'
import { serveWatched } from './watch.ts'

interface ProxyOptions extends ServeOptions, AppOptions, WatchOptions {
  upstream: string | undefined
  routes: string[]
  record: string | undefined
  bearerToken: string[]
  latencyMs: number | undefined
  jitterMs: number | undefined
  errorRate: number | undefined
  errorCodes: string | undefined
  rateLimit: number | undefined
}

/** `sim proxy` */
export const proxy: CommandModule<object, ProxyOptions> = {
  command: 'proxy',
  describe: 'Serve declared routes in front of an upstream, with chaos and recording',
  builder: (yargs) =>
    (
      withWatch(withAppOptions(withServeOptions(yargs, 8080))) as unknown as ReturnType<
        typeof withServeOptions<ProxyOptions>
      >
    )
      .option('upstream', { type: 'string', describe: 'Base URL that undeclared requests are forwarded to' })
      .option('routes', {
        type: 'string',
        array: true,
        default: [],
        describe: 'Targets whose routes are answered here',
      })
      .option('record', {
        type: 'string',
        describe: 'Save what is forwarded to this directory, secrets redacted',
      })
      .option('bearer-token', {
        type: 'string',
        array: true,
        default: [],
        describe: 'Require one of these tokens',
      })
      .option('latency-ms', { type: 'number', describe: 'Hold every request this long' })
      .option('jitter-ms', { type: 'number', describe: 'Vary the latency by up to this much' })
      .option('error-rate', { type: 'number', describe: 'Share of requests that fail, 0 to 1' })
      .option('error-codes', { type: 'string', describe: 'Statuses they fail with, such as 500,503' })
      .option('rate-limit', { type: 'number', describe: 'Most requests admitted a second, for each route' })
      .example('$0 proxy --upstream http://127.0.0.1:3000', 'Forward everything')
      .example(
        '$0 proxy --upstream http://127.0.0.1:3000 --routes app.ts',
        'Answer declared routes, forward the rest',
      )
      .example(
        '$0 proxy --upstream http://127.0.0.1:3000 --record recordings/today',
        'Save what is forwarded',
      )
      .example(
        '$0 proxy --upstream http://127.0.0.1:3000 --error-rate 0.1 --seed 7',
        'Fail one in ten, repeatably',
      ),
  async handler(options) {
    const { upstream, routes, record, host, port } = options
    if (upstream === undefined && routes.length === 0) {
      throw new UsageInvalid('sim proxy needs --upstream URL, --routes <target>, or both')
    }
    if (upstream === undefined && record !== undefined) {
      throw new UsageInvalid('--record saves what is forwarded, so it needs --upstream URL')
    }
    if (options.watch && record !== undefined) {
      throw new UsageInvalid(
        '--watch serves a new gateway for each change, and --record writes from a single one',
      )
    }
    const load = loadOptionsOf(options)
    const defaults = defaultsOf(options)
    let seed: Seed | undefined
    const build = (apps: readonly LoadedApi[]): FastifyInstance => {
      printProblems(apps)
      const joined = joinLoaded(apps, load)
      seed = joined.engine.seed
      return createGateway({ ...joined, upstream, record, defaults, logger: createLog() })
    }
    if (options.watch) {
      const versions = createVersions(routes, load)
      await serveWatched(versions, ({ targets }) => build(appsOf(targets, routes)), { host, port })
    } else {
      await serve(build((await joinApps(routes, load)).apps), { host, port })
    }
    if (seed !== undefined) printSeed(seed)
  },
}

function appsOf(targets: readonly Target[], names: readonly string[]): LoadedApi[] {
  return targets.map((target, index) => requireApi(target, names[index] ?? '', 'joined'))
}

function defaultsOf(options: ProxyOptions): ChainDefaults {
  const codes = options.errorCodes?.split(',').map((code) => statusOf(code))
  return {
    bearerTokens: options.bearerToken,
    ...optional('latencyMs', within('latency-ms', options.latencyMs, 0, Infinity)),
    ...optional('jitterMs', within('jitter-ms', options.jitterMs, 0, Infinity)),
    ...optional('errorRate', within('error-rate', options.errorRate, 0, 1)),
    ...optional('errorCodes', codes),
    ...optional(
      'rateLimit',
      options.rateLimit === undefined ? undefined : whole('rate-limit', options.rateLimit),
    ),
  }
}

function optional<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): Partial<Record<Key, Value>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>)
}

function statusOf(text: string): number {
  const status = Number(text)
  if (Number.isInteger(status) && status >= 400 && status <= 599) return status
  throw new UsageInvalid(
    `--error-codes must be statuses from 400 to 599 such as 500,503; '${text}' is not one`,
  )
}
