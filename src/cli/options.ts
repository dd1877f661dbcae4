import type { Argv } from 'yargs'
import type { LoadOptions } from '../loaders/target.ts'
import type { GatewayOptions } from '../gateway.ts'
import { OptionInvalid, UsageInvalid } from '../errors.ts'
import { whole } from './whole.ts'

/** Options of every command that serves. */
export interface ServeOptions {
  port: number | undefined
  host: string | undefined
  seed: number | undefined
  answerCacheBytes: number | undefined
  workers: number
}

/** Where a server listens unless told. */
export const DEFAULT_HOST = '127.0.0.1'

/** Adds `--port`, `--host` and `--seed`. */
export function withServeOptions<T>(yargs: Argv<T>, defaultPort: number): Argv<T & ServeOptions> {
  const served = yargs
    .option('port', {
      type: 'number',
      defaultDescription: String(defaultPort),
      describe: 'Port to listen on; 0 picks a free one',
      coerce: (value: number | undefined) => (value === undefined ? undefined : whole('port', value, 65_535)),
    })
    .option('host', { type: 'string', defaultDescription: DEFAULT_HOST, describe: 'Address to listen on' })
    .option('seed', {
      type: 'number',
      describe: 'Makes content and chaos repeatable; drawn and printed if not given',
      coerce: (value: number | undefined) => (value === undefined ? undefined : whole('seed', value)),
    })
    .option('answer-cache-bytes', {
      type: 'number',
      defaultDescription: String(ANSWER_CACHE_BYTES),
      describe: 'Memory for generated answers that are asked again; 0 generates each anew',
      coerce: (value: number | undefined) =>
        value === undefined ? undefined : whole('answer-cache-bytes', value),
    })
    .option('workers', {
      type: 'number',
      default: 1,
      describe: 'Processes that serve together what needs nothing in common',
      coerce: (value: number) => Math.max(1, whole('workers', value, MOST_WORKERS)),
    })
  return served as Argv<unknown> as Argv<T & ServeOptions>
}

const MOST_WORKERS = 256
const ANSWER_CACHE_BYTES = 16 * 1024 * 1024

/** How plain questions are answered by a command that serves. */
export function cacheOf({
  answerCacheBytes = ANSWER_CACHE_BYTES,
}: Pick<ServeOptions, 'answerCacheBytes'>): Pick<GatewayOptions, 'answerCacheBytes'> {
  return { answerCacheBytes }
}

/** A number of an option within bounds. @throws UsageInvalid for anything else */
export function within(
  name: string,
  value: number | undefined,
  least: number,
  most: number,
): number | undefined {
  if (value === undefined || (value >= least && value <= most)) return value
  throw new UsageInvalid(
    `--${name} must be a number ${most === Infinity ? `of ${least} or more` : `from ${least} to ${most}`}`,
  )
}

/** The positional of every command that reads declared routes. */
export interface TargetOption {
  target: string
}

/** Adds `<target>`. */
export function withTarget<T>(yargs: Argv<T>): Argv<T & TargetOption> {
  return yargs.positional('target', {
    type: 'string',
    demandOption: true,
    describe: targetText(),
  })
}

/** What a command takes as its target. @param exported what a module of it may export */
export function targetText(exported = 'a SimAPI'): string {
  return `module[:attr] of ${exported} (.ts, .js, .mjs), or a .yaml or .json file: routes or an OpenAPI description`
}

/** Options of every command that serves what targets declare. */
export interface AppOptions {
  stateful: boolean | undefined
  dynamic: boolean | undefined
  strict: boolean
}

/** Adds `--stateful`, `--dynamic` and `--strict`. */
export function withAppOptions<T>(yargs: Argv<T>): Argv<T & AppOptions> {
  return yargs
    .option('stateful', {
      type: 'boolean',
      describe: 'Keep what is created, and read, change and delete it by id',
    })
    .option('dynamic', {
      type: 'boolean',
      describe: 'Generate answers that a description gives examples of',
    })
    .option('strict', {
      type: 'boolean',
      default: false,
      describe: 'Refuse a description that gets anything wrong',
    })
}

/** The option of every command that can serve files as they change. */
export interface WatchOptions {
  watch: boolean
}

/** Adds `--watch`. */
export function withWatch<T>(yargs: Argv<T>): Argv<T & WatchOptions> {
  return yargs.option('watch', {
    alias: 'w',
    type: 'boolean',
    default: false,
    describe: 'Serve changed files without dropping connections',
  })
}

/** How a command's options have its targets loaded and served. */
export function loadOptionsOf({
  stateful,
  dynamic,
  strict,
  seed,
}: AppOptions & Pick<ServeOptions, 'seed'>): LoadOptions {
  return { strict, options: { seed, stateful, dynamic } }
}

/** A property that is there only when its value is. */
export function given<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): Partial<Record<Key, Value>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>)
}

/** Does what takes the values of options. @throws UsageInvalid for one that cannot be */
export function asUsage<Result>(take: () => Result): Result {
  try {
    return take()
  } catch (error) {
    throw error instanceof OptionInvalid ? new UsageInvalid(error.message, { cause: error }) : error
  }
}
