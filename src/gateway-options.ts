import type { FastifyBaseLogger } from 'fastify'
import type { ControlOptions } from './control/control.ts'
import type { GatewaySource } from './control/explain/source.ts'
import type { PolicyOptions } from './engine/route-options.ts'
import type { TlsOptions } from './http/tls-interception.ts'
import type { Limits } from './http/limits.ts'
import type { LogOptions } from './http/open-log.ts'
import type { Middleware } from './http/middleware.ts'
import type { PartsOptions } from './modes/open-parts.ts'
import type { RequestLine } from './pipeline/request-line.ts'
import type { Plugin } from './pipeline/route.ts'
import type { ChaosReport } from './resilience/report-form.ts'
import type { AppEngine } from './simulation/engine.ts'
import type { ChaosOptions } from './engine/chaos-rule.ts'
import type { MemoryCounters } from './state/counters.ts'
import type { StateOptions } from './state/state-options.ts'
import type { SessionsOptions } from './state/sessions.ts'

/** What plugins do where a route does not say otherwise, and to everything that is forwarded. */
export type GatewayDefaults = Omit<PolicyOptions, 'errors' | 'scenario'>

/** What a gateway is made of. */
export interface GatewayOptions extends PartsOptions {
  readonly defaults?: GatewayDefaults
  /** Policies of users, each right before the handler or before the built-in one that it names. */
  readonly plugins?: readonly Plugin[] | undefined
  /** Counts the steps of scenarios, where others may reset them. */
  readonly scenarios?: MemoryCounters
  /** Waits, errors, broken connections and rate limits, by rules. */
  readonly chaos?: ChaosOptions | undefined
  /** How many clients may have state of their own, and for how long. */
  readonly sessions?: SessionsOptions | undefined
  /** Where it keeps what it shares with other gateways. Default: nowhere, it keeps its state to itself. */
  readonly state?: StateOptions | undefined
  /** Who may use the control plane. */
  readonly control?: ControlOptions | undefined
  /** Fastify plugins and middleware around everything, the outermost first. */
  readonly middleware?: readonly Middleware[]
  /** Whose pages may read simulated answers: of any origin, of the listed ones, or of none. Default: of any. */
  readonly cors?: boolean | readonly string[] | undefined
  /** Whose TLS ends here, when clients use the gateway as a proxy. */
  readonly tls?: TlsOptions | undefined
  /** Who may use the gateway as a proxy: `user:password`, or `*:password` for any user. Default: anyone. */
  readonly proxyAuth?: readonly string[] | undefined
  /** What a client may send before it is known what for. */
  readonly limits?: Limits | undefined
  /** The most bytes of generated bodies that are kept for when they are requested again. Default: 0, none. */
  readonly answerCacheBytes?: number | undefined
  /** Whether answers that routes know are not given to their own requests, to see what others would get. */
  readonly leavesOutKnown?: boolean | undefined
  /** What is said on stderr of requests and of what goes wrong. Default: nothing. */
  readonly log?: LogOptions | undefined
  /** Where that is said instead, such as a logger of pino or Fastify; requests where its level is `info` or lower. */
  readonly logger?: FastifyBaseLogger | undefined
  /** Called with what the log says of each request, when that has ended. */
  readonly onRequest?: ((line: RequestLine) => void) | undefined
  /** Called with what chaos did, and how clients took it, when the gateway closes; not where it did nothing. */
  readonly onChaos?: ((report: ChaosReport) => void) | undefined
  /** What a command made the gateway of, so that one of its answers can be had elsewhere. */
  readonly source?: GatewaySource | undefined
}

/** What serves the routes of an app. */
export interface AppGatewayOptions extends GatewayOptions {
  readonly engine: AppEngine
}
