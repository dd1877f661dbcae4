import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { readChaos } from '../../plugins/chaos/read-rules.ts'
import { ConfigInvalid, UsageInvalid } from '../errors.ts'
import type { GatewayOptions } from '../gateway.ts'
import type { LogOptions } from '../http/open-log.ts'
import type { TlsOptions } from '../http/tls-interception.ts'
import type { CheckLevel } from '../pipeline/contract.ts'
import type { ModeRule, ModeName } from '../modes/choose-mode.ts'
import type { ShadowOptions } from '../modes/shadow.ts'
import type { RedactionRules } from '../recording/redaction/secrets.ts'
import type { ReplayOptions } from '../recording/replay/replay-options.ts'
import type { SessionsOptions } from '../state/sessions.ts'
import type { StateOptions } from '../state/state-options.ts'
import type { UpstreamRule } from '../upstream/targets/targets.ts'
import type { UpstreamOptions } from '../upstream/upstream.ts'
import type { AdapterMountConfig } from './adapter-options.ts'

/** The table `gateway.tls`. */
export interface TlsConfig extends Omit<TlsOptions, 'certificate'> {
  /** Files (PEM), relative to the config file. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/** The table `gateway.reach`: how upstreams are reached. */
export interface ReachConfig {
  readonly offline?: boolean
  readonly connectTimeoutMs?: number
  readonly headersTimeoutMs?: number
  readonly bodyTimeoutMs?: number
  readonly proxy?: string
  readonly noProxy?: string
  readonly insecure?: readonly string[]
  /** Files (PEM), relative to the config file. */
  readonly ca?: string
  readonly clientCert?: string
  readonly clientKey?: string
}

/** The `gateway` section of a config file. */
export interface GatewayConfig {
  /** Targets whose routes are answered. */
  readonly routes?: readonly string[]
  readonly adapters?: readonly AdapterMountConfig[]
  readonly host?: string
  readonly port?: number
  readonly listen?: readonly string[]
  readonly upstream?: string
  readonly upstreams?: readonly UpstreamRule[]
  readonly rewriteBodies?: boolean
  readonly allow?: readonly string[]
  readonly mode?: ModeName
  readonly modes?: readonly ModeRule[]
  readonly check?: CheckLevel
  /** A target. */
  readonly checkAgainst?: string
  readonly checkBodyLimit?: number
  readonly record?: string
  readonly requireRecording?: boolean
  readonly recordLimits?: {
    readonly maxExchanges?: number
    readonly maxMegabytes?: number
    readonly maxBodyMegabytes?: number
    readonly dedupe?: boolean
  }
  readonly shadow?: ShadowOptions
  readonly recording?: string
  readonly replay?: ReplayOptions
  readonly redact?: RedactionRules
  readonly maxHeaderBytes?: number
  readonly proxyAuth?: readonly string[]
  readonly tls?: TlsConfig
  readonly reach?: ReachConfig
  readonly sessions?: SessionsOptions
  readonly state?: Partial<StateOptions>
  readonly control?: { readonly adminToken?: string }
  readonly log?: LogOptions
  /** As it is written. */
  readonly chaos?: unknown
}

/**
 * The options of a gateway that the section of a config file, or flags, give.
 * @param file what paths are relative to; without one, they were given by flags, and are as they are
 * @throws ConfigInvalid or UsageInvalid when a file that is named cannot be read
 */
export function toGatewayOptions(config: GatewayConfig, file?: string): Partial<GatewayOptions> {
  const { upstream, upstreams, allow, mode, modes, record, recording, replay, redact } = config
  const { maxHeaderBytes, proxyAuth, tls, sessions, state = {}, control, log, chaos } = config
  return {
    upstream,
    targets: { upstreams, allow },
    rewriteBodies: config.rewriteBodies,
    modes: { mode, rules: modes },
    ...(config.check !== undefined && { check: { level: config.check, bodyLimit: config.checkBodyLimit } }),
    record: record && besides(file, record),
    requireRecording: config.requireRecording,
    recordLimits: toLimits(config.recordLimits),
    ...(isShadowed(config.shadow) && { shadow: config.shadow }),
    recording: recording && besides(file, recording),
    replay,
    redact,
    ...(maxHeaderBytes !== undefined && { limits: { maxHeaderBytes } }),
    ...(chaos !== undefined && { chaos: readChaos(chaos) }),
    proxyAuth,
    tls: tls && toTls(tls, file),
    reach: toReach(config.reach, file),
    sessions,
    // The server may be said elsewhere.
    ...(Object.values(state).some((value) => value !== undefined) && { state: state as StateOptions }),
    control,
    ...(log !== undefined && { log }),
  }
}

function isShadowed({ writes, values = [] }: ShadowOptions = {}): boolean {
  return writes !== undefined || values.length > 0
}

/** @throws ConfigInvalid or UsageInvalid when a file that is named cannot be read, or one of both is missing */
export function toTls({ cert, key, caDirectory, ...hosts }: TlsConfig, file?: string): TlsOptions {
  const own = caDirectory && { caDirectory: besides(file, caDirectory) }
  if (cert === undefined && key === undefined) return { ...hosts, ...own }
  const pem = (name: string, path: string | undefined): string => {
    if (path !== undefined) return readPem(file, `tls.${name}`, `tls-${name}`, path)
    if (file !== undefined) throw new ConfigInvalid([`${file}: gateway.tls: cert and key go together`])
    throw new UsageInvalid('--tls-cert and --tls-key go together')
  }
  return { ...hosts, ...own, certificate: { cert: pem('cert', cert), key: pem('key', key) } }
}

function toLimits(limits: GatewayConfig['recordLimits']): GatewayOptions['recordLimits'] {
  if (limits === undefined) return undefined
  const { maxExchanges, maxMegabytes, maxBodyMegabytes, dedupe } = limits
  const bytes = (megabytes: number | undefined): number | undefined => megabytes && megabytes * 1024 * 1024
  return { maxExchanges, maxBytes: bytes(maxMegabytes), maxBodyBytes: bytes(maxBodyMegabytes), dedupe }
}

function toReach(reach: ReachConfig | undefined, file: string | undefined): UpstreamOptions | undefined {
  if (reach === undefined) return undefined
  const { offline, proxy, insecure, ca, clientCert, clientKey } = reach
  const { connectTimeoutMs, headersTimeoutMs, bodyTimeoutMs } = reach
  // What the shell says about a proxy goes with one that was named there.
  const noProxy = file === undefined ? (process.env['NO_PROXY'] ?? process.env['no_proxy']) : reach.noProxy
  const pem = (key: string, path: string | undefined): string | undefined =>
    path === undefined
      ? undefined
      : readPem(file, `reach.${key}`, key === 'ca' ? 'upstream-ca' : key.replace('_', '-'), path)
  return {
    ...{ offline, connectTimeoutMs, headersTimeoutMs, bodyTimeoutMs },
    ...(proxy !== undefined && { proxy: { url: proxy, noProxy } }),
    tls: {
      insecure,
      ca: pem('ca', ca),
      clientCert: pem('client_cert', clientCert),
      clientKey: pem('client_key', clientKey),
    },
  }
}

function readPem(file: string | undefined, key: string, flag: string, path: string): string {
  try {
    return readFileSync(besides(file, path), 'utf8')
  } catch (error) {
    const problem = `cannot read ${path}: ${(error as Error).message}`
    if (file !== undefined) throw new ConfigInvalid([`${file}: gateway.${key}: ${problem}`], { cause: error })
    throw new UsageInvalid(`--${flag}: ${problem}`, { cause: error })
  }
}

/** A path that a file names, as it is from the working directory. */
export function besides(file: string | undefined, path: string): string {
  return file === undefined || isAbsolute(path) ? path : join(dirname(file), path)
}
