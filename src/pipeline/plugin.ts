import type { Awaitable, HttpResponse } from '../message.ts'
import type { Session } from '../state/session.ts'
import type { Exchange } from './exchange.ts'
import type { Route } from './route.ts'

/** A policy: what it does to requests of a route in a session, compiled once for both. */
export interface Plugin {
  readonly name: string
  /** The built-in plugin that it comes before. Default: none, so that it comes right before the handler. */
  readonly before?: string
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
}
