import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MakeRoutes } from '../control/operation.ts'
import type { ControlOptions } from '../control/control.ts'
import type { LoadOptions } from '../loaders/target.ts'
import { APP_OPTIONS } from '../options/app-options.ts'
import type { TlsConfig } from '../options/gateway-config.ts'
import { OWN_CERTIFICATE } from '../options/connection-options.ts'
import { GATEWAY_OPTIONS } from '../options/gateway-options.ts'
import { LISTEN, readPlace } from '../options/listen-option.ts'
import type { Place } from '../http/listeners.ts'
import type { LogOptions } from '../http/open-log.ts'
import { UsageInvalid } from '../errors.ts'
import type { StateOptions } from '../state/state-options.ts'
import { FLAG, TEXT, whole, type Option } from '../pipeline/option.ts'
import { readFlags } from './flags.ts'

/** Where a server listens by default. */
export const DEFAULT_HOST = '127.0.0.1'

const MAX_WORKERS = 256
const ANSWER_CACHE_BYTES = 16 * 1024 * 1024
const SERVING = 'Serving'

/** Flags of every command that serves. */
export interface ServeFlags {
  readonly port: number | undefined
  readonly host: string | undefined
  readonly listen: readonly string[] | undefined
  readonly seed: number | undefined
  readonly answerCacheBytes: number | undefined
  readonly workers: number | undefined
  readonly watch: boolean | undefined
  readonly strict: boolean | undefined
  readonly stateful: boolean | undefined
  readonly dynamic: boolean | undefined
  readonly cors: boolean | undefined
  readonly control: { readonly adminToken: string | undefined }
  readonly tls: Pick<TlsConfig, 'cert' | 'key'>
  readonly log: LogOptions
  readonly state: Partial<StateOptions>
}

/** The flags of every command that serves. @param port the one it listens on by default */
export function serveOptions(port: number): Readonly<Record<keyof ServeFlags, Option>> {
  const { stateful, dynamic, cors } = APP_OPTIONS
  return {
    port: {
      ...whole(0, 65_535),
      group: SERVING,
      flag: {
        name: 'port',
        isCommon: true,
        describe: 'Port to listen on; 0 picks a free one',
        otherwise: String(port),
      },
    },
    host: {
      ...TEXT,
      group: SERVING,
      flag: { name: 'host', isCommon: true, describe: 'Address to listen on', otherwise: DEFAULT_HOST },
    },
    listen: {
      ...LISTEN,
      flag: {
        name: 'listen',
        describe: 'Listen at host:port or unix:/path, besides --host and --port where they are given',
      },
    },
    seed: SEED,
    answerCacheBytes: {
      ...whole(),
      group: SERVING,
      see: 'speed.md',
      flag: {
        name: 'answer-cache-bytes',
        describe: 'Memory for generated answers that are requested again; 0 generates each anew',
        otherwise: String(ANSWER_CACHE_BYTES),
      },
    },
    workers: {
      ...whole(0, MAX_WORKERS),
      group: SERVING,
      see: 'cli.md#several-workers',
      flag: {
        name: 'workers',
        isCommon: true,
        describe: 'Processes that serve together what needs nothing in common',
        otherwise: '1',
      },
    },
    control: GATEWAY_OPTIONS.control,
    tls: { table: OWN_CERTIFICATE },
    log: GATEWAY_OPTIONS.log,
    state: GATEWAY_OPTIONS.state,
    stateful,
    dynamic,
    cors,
    strict: {
      ...FLAG,
      group: 'Routes',
      flag: {
        name: 'strict',
        isCommon: true,
        describe: 'Refuse a description that gets anything wrong',
        otherwise: 'false',
      },
    },
    watch: {
      ...FLAG,
      group: 'Routes',
      see: 'cli.md#watching',
      flag: {
        name: 'watch',
        isCommon: true,
        alias: 'w',
        describe: 'Serve changed files without dropping connections',
        otherwise: 'false',
      },
    },
  }
}

/** The flag of what content and chaos are drawn from. */
const SEED: Option = {
  ...whole(),
  group: SERVING,
  see: 'determinism.md',
  flag: {
    name: 'seed',
    isCommon: true,
    describe: 'Makes content and chaos repeatable; drawn and printed if not given',
  },
}

/** What the flags of a command that serves say. */
export interface Serving extends Pick<ServeFlags, 'port' | 'host' | 'listen' | 'seed' | 'tls' | 'log'> {
  readonly workers: number
  readonly watch: boolean
  readonly answerCacheBytes: number
  readonly control: ControlOptions
  /** What is said of it, with `SIM_STATE`; a config file may say the rest. */
  readonly state: Partial<StateOptions>
  /** How targets are loaded and served. */
  readonly load: LoadOptions
}

/** @throws UsageInvalid for a value that cannot be */
export function readServing(given: object, table: ReturnType<typeof serveOptions>): Serving {
  const flags = readFlags<ServeFlags>(given, table)
  const { port, host, listen, seed, tls, log, stateful, dynamic, cors, strict = false, watch = false } = flags
  const url = flags.state.url ?? (process.env['SIM_STATE'] || undefined)
  const adminToken = flags.control.adminToken ?? process.env['SIM_ADMIN_TOKEN']
  return {
    port,
    host,
    listen,
    seed,
    tls,
    log,
    watch,
    workers: Math.max(1, flags.workers ?? 1),
    answerCacheBytes: flags.answerCacheBytes ?? ANSWER_CACHE_BYTES,
    state: { ...flags.state, ...(url !== undefined && { url }) },
    control: { makeRoutes, ...(adminToken !== undefined && { adminToken }) },
    load: { strict, options: { seed, stateful, dynamic, cors } },
  }
}

/** Where state is shared; absent where it is not. @throws UsageInvalid where the server is missing */
export function stateOf({ url, ...others }: Partial<StateOptions>): StateOptions | undefined {
  if (url !== undefined) return { ...others, url }
  const [name] = Object.entries(others).flatMap(([key, value]) => (value === undefined ? [] : [key]))
  if (name !== undefined) throw new UsageInvalid(`--state-${name} goes with --state, or SIM_STATE`)
  return undefined
}

/** Where to listen: the flags, or else the config file, or else the default say it. */
export function placesOf(
  { host, port, listen = [] }: Pick<Serving, 'host' | 'port' | 'listen'>,
  config: Partial<Pick<Serving, 'host' | 'port' | 'listen'>>,
  defaultPort: number,
): readonly Place[] {
  const isFlagged = host !== undefined || port !== undefined
  const others = listen.length > 0 || isFlagged ? listen : (config.listen ?? [])
  const isConfigured = listen.length === 0 && (config.host ?? config.port) !== undefined
  const address = {
    host: host ?? config.host ?? DEFAULT_HOST,
    port: port ?? config.port ?? defaultPort,
  }
  const isListed = isFlagged || isConfigured || others.length === 0
  return [...(isListed ? [address] : []), ...others.map(readPlace)]
}

/** The argument of every command that reads declared routes. */
export interface TargetArgument {
  readonly target: string
}

/** What the argument `target` is. @param exported what a module of it may export */
export function targetArgument(exported = 'a SimAPI'): Readonly<Record<keyof TargetArgument, Option>> {
  return {
    target: {
      ...TEXT,
      describe: `module[:attr] of ${exported} (.ts, .js, .mjs), or a .yaml or .json file: routes or an OpenAPI description`,
    },
  }
}

const makeRoutes: MakeRoutes = async (recording, output) => {
  const { fixturesFrom } = await import('../loaders/fixtures/from-recording.ts')
  const { changed } = await fixturesFrom(recording, output)
  return { files: changed, report: await readFile(join(output, 'REPORT.md'), 'utf8') }
}
