import { dirname, isAbsolute, join } from 'node:path'
import { HOST_FORM, isHostPattern } from '../routing/host.ts'
import { findChaosProblems, readChaos } from '../../plugins/chaos/read-rules.ts'
import type { GatewayOptions } from '../gateway.ts'
import { MODE_NAMES, type ModeName } from '../modes/mode-name.ts'
import type { ModeRule } from '../modes/choose-mode.ts'
import { REPLAY_CHECKS, type ReplayOptions } from '../recording/replay/replay-options.ts'
import type { UpstreamRule } from '../upstream/targets/upstream-rule.ts'
import { createRedactor } from '../recording/redaction/redactor.ts'
import { ADAPTER_SPECS, type AdapterMountConfig } from './adapters-config.ts'
import { count, flag, oneOf, text, texts, type Check } from './checks.ts'
import { REACH_SPECS, toReach, type ReachConfig } from './reach-config.ts'
import type { OwnProblem, Specs } from './read-table.ts'

/** The `gateway` section of a config file. */
export interface GatewayConfig {
  /** Targets whose routes are answered. */
  readonly routes?: readonly string[]
  readonly adapters?: readonly AdapterMountConfig[]
  readonly host?: string
  readonly port?: number
  readonly upstream?: string
  readonly upstreams?: readonly UpstreamRule[]
  readonly allow?: readonly string[]
  readonly mode?: ModeName
  readonly modes?: readonly ModeRule[]
  readonly record?: string
  readonly recordLimits?: {
    readonly maxExchanges?: number
    readonly maxMegabytes?: number
    readonly dedupe?: boolean
  }
  readonly recording?: string
  readonly replay?: ReplayOptions
  readonly redact?: GatewayOptions['redact']
  readonly maxHeaderBytes?: number
  readonly proxyAuth?: readonly string[]
  readonly tls?: GatewayOptions['tls']
  readonly reach?: ReachConfig
  readonly sessions?: GatewayOptions['sessions']
  readonly control?: GatewayOptions['control']
  /** As it is written. */
  readonly chaos?: unknown
}

const positive: Check = (value) =>
  count(value) === undefined && Number(value) > 0 ? undefined : 'a whole number of 1 or more'
const patterns: Check = (value) => {
  const problem = texts(value)
  if (problem !== undefined) return problem
  try {
    createRedactor({ patterns: value as string[] })
    return undefined
  } catch {
    return 'a list of regular expressions, none of which fits an empty text'
  }
}
const url: Check = (value) =>
  typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)
    ? undefined
    : 'a URL such as http://127.0.0.1:3000'
const path: Check = (value) =>
  typeof value === 'string' && value.startsWith('/') ? undefined : "a text that starts with '/'"
const host: Check = (value) => (isHostPattern(value) ? undefined : HOST_FORM)
const hosts: Check = (value) =>
  Array.isArray(value) && value.every(isHostPattern)
    ? undefined
    : 'a list of hosts such as api.example.com or *.example.com'
const listed: Check = (value) =>
  Array.isArray(value) && value.every((each) => each === '*' || isHostPattern(each))
    ? undefined
    : 'a list of hosts such as api.example.com, *.example.com or *'
// What is wrong is not repeated, since it may be a password.
const accounts = (value: unknown): readonly OwnProblem[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string' && /^[^:]+:./s.test(each))
    ? []
    : [{ path: [], message: 'must be a list of user:password, or *:password for any user' }]
const atMost =
  (most: number): Check =>
  (value) =>
    count(value) === undefined && Number(value) <= most ? undefined : `a whole number from 0 to ${most}`

const HEADER_CHANGES: Specs = { remove: texts, set: { values: text }, add: { values: text } }

/** The keys of the `gateway` section. */
export const GATEWAY_SPECS: Specs = {
  routes: texts,
  adapters: { each: { ...ADAPTER_SPECS, host, prefix: path }, needs: ['use'] },
  host: text,
  port: atMost(65_535),
  upstream: url,
  upstreams: {
    each: {
      url,
      host,
      path,
      stripPath: flag,
      rewrite: { each: { from: path, to: path }, needs: ['from', 'to'] },
      requestHeaders: { table: HEADER_CHANGES },
      responseHeaders: { table: HEADER_CHANGES },
    },
    needs: ['url'],
  },
  allow: hosts,
  mode: oneOf(MODE_NAMES),
  modes: {
    each: { mode: oneOf(MODE_NAMES), method: text, path: text, host, headers: { values: text } },
    needs: ['mode'],
  },
  record: text,
  recordLimits: { table: { maxExchanges: positive, maxMegabytes: positive, dedupe: flag } },
  recording: text,
  replay: { table: REPLAY_CHECKS },
  redact: { table: { names: texts, except: texts, patterns } },
  maxHeaderBytes: atMost(1024 * 1024),
  proxyAuth: { own: accounts },
  tls: { table: { intercept: listed, tunnel: listed, caDirectory: text } },
  reach: { table: REACH_SPECS },
  sessions: { table: { max: count, idleSeconds: count, journal: count } },
  control: { table: { adminToken: text } },
  chaos: { own: findChaosProblems },
}

/** What a gateway is told by a config file. Paths of the file are relative to it. */
export function toGatewayOptions(config: GatewayConfig, file: string): Partial<GatewayOptions> {
  const { upstream, upstreams, allow, mode, modes, record, recording, replay, redact } = config
  const { maxHeaderBytes, proxyAuth, tls, sessions, control, chaos } = config
  return {
    upstream,
    targets: { upstreams, allow },
    modes: { mode, rules: modes },
    record: record && besides(file, record),
    recordLimits: toLimits(config.recordLimits),
    recording: recording && besides(file, recording),
    replay,
    redact,
    ...(maxHeaderBytes !== undefined && { limits: { maxHeaderBytes } }),
    ...(chaos !== undefined && { chaos: readChaos(chaos) }),
    proxyAuth,
    tls: tls?.caDirectory === undefined ? tls : { ...tls, caDirectory: besides(file, tls.caDirectory) },
    reach: toReach(config.reach, file),
    sessions,
    control,
  }
}

function toLimits(limits: GatewayConfig['recordLimits']): GatewayOptions['recordLimits'] {
  if (limits === undefined) return undefined
  const { maxExchanges, maxMegabytes, dedupe } = limits
  return { maxExchanges, maxBytes: maxMegabytes && maxMegabytes * 1024 * 1024, dedupe }
}

/** A path that a file names, as it is from the working directory. */
export function besides(file: string, path: string): string {
  return isAbsolute(path) ? path : join(dirname(file), path)
}
