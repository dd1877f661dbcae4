import type { WrittenBody } from './known-answer.ts'

/** How long requests are held: a number of milliseconds, or a distribution of them. */
export type LatencyShape =
  | number
  | (Spread & {
      /** Share of requests that are held; 1 by default. */
      readonly rate?: number
      /** Share of the time that the body takes, from its first byte to its last; 0 by default. */
      readonly body?: number
    })

/** A distribution of waits, in milliseconds. */
export type Spread =
  | { readonly distribution: 'fixed'; readonly ms: number }
  | { readonly distribution: 'uniform'; readonly min: number; readonly max: number }
  | { readonly distribution: 'normal'; readonly mean: number; readonly sd: number }
  | { readonly distribution: 'lognormal'; readonly p50: number; readonly p99: number }
  /** Milliseconds by percentile, such as `{ 50: 12, 95: 80, 100: 240 }`; between two of them in a straight line. */
  | { readonly distribution: 'percentiles'; readonly percentiles: Readonly<Record<string, number>> }

/** Which requests a rule is for; without a condition, all of them. */
export interface ChaosMatch {
  readonly methods?: readonly string[]
  /** A glob such as `/orders/**`. */
  readonly path?: string
  /** A glob over the host, such as `*.example.com`. */
  readonly host?: string
  /** A glob over the names of operations in a GraphQL request: its own, or kind and field such as `mutation.createUser`. */
  readonly operation?: string
  /** Globs over the values of headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Both ends belong to it; one that is missing is open. */
export interface Range {
  readonly from?: number
  readonly to?: number
}

/** Failures by status. */
export interface ErrorShape {
  /** Share of requests that fail, 0 to 1. */
  readonly rate: number
  /** The statuses to choose from: each as likely as the others, or by weight. Default: 500. */
  readonly codes?: readonly number[] | Readonly<Record<string, number>>
  /** How long the failures are held. Default: as all requests. */
  readonly latency?: LatencyShape
  /** What is answered, by status. Default: a `detail`. */
  readonly answers?: Readonly<Record<string, FailureAnswer>>
}

/** What a failure answers. */
export interface FailureAnswer extends WrittenBody {
  readonly headers?: Readonly<Record<string, string>>
}

/** The share of requests that a fault happens to, and the options of the fault, such as `bytesPerSecond` of `slow-body`. */
export type FaultShape = number | { readonly rate: number; readonly [option: string]: number }

/** So many requests in so many seconds. */
export interface RateLimitShape {
  readonly requests: number
  /** Default: 1. */
  readonly perSeconds?: number
  /** Who shares the limit: the requests of a route, of a client's address, or of a bearer token. Default: route. */
  readonly by?: 'route' | 'client' | 'token'
}

/** What happens to the requests that a rule is for. Of a list of rules, the first that is for a request decides. */
export interface ChaosRule {
  /** What the log calls it; part of what it is drawn from. Default: its place in the list, such as `rule 1`. */
  readonly name?: string
  readonly match?: ChaosMatch
  /** Whether of every 1,024 requests in a row just as many fail, and wait so long, as the rule says; else by chance. */
  readonly even?: boolean
  /** Only the n-th requests of each route, counted from 1. */
  readonly requests?: Range
  /** Only at this time, in seconds since the rules came into force. */
  readonly seconds?: Range
  readonly latency?: LatencyShape
  readonly errors?: ErrorShape
  /** By the name of the fault, such as `reset`. */
  readonly faults?: Readonly<Record<string, FaultShape>>
  readonly rateLimit?: RateLimitShape
}

/** What happens to the requests of one route: a rule without conditions on which route it is for. */
export type RouteChaos = Omit<ChaosRule, 'match' | 'rateLimit'>

/** The chaos of a gateway. */
export interface ChaosOptions {
  /** Rules by a plain name: `flaky`, `slow-3g`, `brownout` or `outage`. They come after those of `rules`. */
  readonly preset?: string | undefined
  readonly rules?: readonly ChaosRule[]
}
