import type { Input } from '../engine/input.ts'
import type { PolicyOptions } from '../engine/route-options.ts'
import type { Awaitable, HttpRequest, HttpResponse } from '../message.ts'
import type { Session } from '../state/session.ts'
import type { OwnedState } from '../state/world.ts'
import type { Contract } from './contract.ts'
import type { Exchange } from './exchange.ts'
import type { Option } from './option.ts'

/** Where what a route answers comes from. */
export type RouteSource = 'declared' | 'adapter' | 'upstream' | 'control'

/** A credential that a request has to bring. */
export type Credential =
  | { readonly kind: 'bearer' | 'basic'; readonly scopes?: readonly string[] | undefined }
  /** `place` says where it belongs, such as `the header X-Api-Key`; `value` is what the request has there. */
  | {
      readonly kind: 'apiKey'
      readonly name: string
      readonly place: string
      readonly value: string | undefined
    }

/** What plugins read of a route: its own options, over the gateway's. */
export interface Policies extends PolicyOptions {
  /** Credentials that are needed together, and alternatives to them. */
  readonly security?: ((request: HttpRequest) => readonly (readonly Credential[])[]) | undefined
  /** Whether a request is of a caller that is refused. */
  readonly isForbidden?: ((request: HttpRequest) => boolean) | undefined
  /** What requests and answers are checked against. */
  readonly contract?: Contract | undefined
  /** The origins whose pages may read what is simulated; `false` for none, any where nothing is said. */
  readonly cors?: boolean | readonly string[] | undefined
}

/** Answers a request that has passed the plugins. */
export type Handler = (exchange: Exchange) => Awaitable<HttpResponse>

/** One operation that can be requested. Every source of behaviour is compiled to this. */
export interface Route {
  /** Such as `GET /users/{id}`: seeds, counters, journal and messages use it. Absent where no route is declared. */
  readonly id: string | undefined
  readonly source: RouteSource
  readonly policies: Policies
  /** Steps for this route alone, at their places among those of all. */
  readonly plugins?: readonly Plugin[]
  /** Reads the request's input; absent where there is none. @throws InputInvalid */
  readonly readInput?: ((exchange: Exchange) => Awaitable<Input>) | undefined
  /** What is counted together. Default: the route. */
  readonly countKey?: (exchange: Exchange) => string
  /** Makes what answers for a session; once for each version of it. */
  readonly handlerFor: (session: Session) => Handler
  /** What a request is answered from that one gateway at a time holds, of those that share a state; absent where nothing is. */
  readonly world?: ((exchange: Exchange) => OwnedState | undefined) | undefined
  /** Whether a request can be answered without it, by a gateway that does not hold it. Default: none can. */
  readonly needsNoWorld?: ((exchange: Exchange) => Awaitable<boolean>) | undefined
  /** Runs all that is done with a request. */
  readonly around?:
    ((exchange: Exchange, run: () => Awaitable<HttpResponse>) => Promise<HttpResponse>) | undefined
  /** An error in the form that clients of this route expect; `undefined` for the gateway's own. */
  readonly formatError?: (error: Error, exchange: Exchange) => HttpResponse | undefined
}

/** A policy: what it does to requests of a route in a session, compiled once for both. */
export interface Plugin {
  readonly name: string
  /** Whether it has to do only with requests that name an `Origin`, which pages send; others then pay nothing for it. */
  readonly onlyForPages?: boolean
  /** The built-in plugin that it comes before. Default: none, so that it comes right before the handler. */
  readonly before?: string
  /**
   * Of a built-in one, the options of routes that it acts on. Their checks, flags, help, keys and schema in files, and
   * rows in the reference follow from this.
   */
  readonly options?: Readonly<Partial<Record<keyof PolicyOptions, Option>>>
  /** What it does to each request; `undefined` where that is nothing. */
  plan(route: Route, session: Session): Step | Steps | undefined
}

/** One step on a request's way: it returns nothing to go on, or the response that ends it. */
export type Step = (exchange: Exchange) => Awaitable<HttpResponse | undefined | void>

/** Changes, or checks, a response that was given as a value. */
export type AfterStep = (exchange: Exchange, response: HttpResponse) => Awaitable<HttpResponse>

/** Steps on both sides of the handler. */
export interface Steps {
  readonly before?: Step
  readonly after?: AfterStep
  /** Comes after the others, and after responses of steps before the handler, too. */
  readonly last?: AfterStep
}
