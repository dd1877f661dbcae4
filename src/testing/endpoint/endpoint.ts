import type { RouteDefinition } from '../../engine/route.ts'
import type { Client } from '../client.ts'

/** Sends the requests of a test: a client of `createClient`, or an object that holds the platform's `fetch`. */
export type Sender = Pick<Client, 'fetch'>

/** What an invariant judges. */
export interface InvariantContext {
  /** The input that was sent, path parameters included. */
  readonly input: Readonly<Record<string, unknown>>
  /** The answer; its body can still be read. */
  readonly response: Response
  /** The answer's body: parsed where it is JSON, else its text; `undefined` when it is empty. */
  // What a body holds is checked when the test runs, not by the compiler.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** What must hold for every answer; it is broken by `false` and by throwing. */
export type Invariant = (context: InvariantContext) => void | boolean | Promise<void | boolean>

/** How a test of an endpoint runs. */
export interface RunOptions {
  /** How many inputs are sent. Default: 100. */
  readonly numRuns?: number
  /** The seed of a failure's message, to draw the same inputs again. */
  readonly seed?: number
  /** The replay path of a failure's message, to send the failing input alone. */
  readonly replayPath?: string
  /** Where requests go, and the start of the URLs in a failure's message. Default: `http://127.0.0.1:8000`. */
  readonly baseUrl?: string
}

/** The stored items of a route. */
export interface Stored {
  /** The route that creates them, if there is one. */
  readonly creation: RouteDefinition | undefined
  /** Whether the route speaks of one of them, by the id that its path ends in. */
  readonly byId: boolean
}

/** An endpoint under test. */
export interface Endpoint extends RunOptions {
  readonly route: RouteDefinition
  /** The routes of its app, as far as they are known: a path that another of them answers is not sent. */
  readonly routes: readonly RouteDefinition[]
  readonly pathParams: Readonly<Record<string, string | number>>
  readonly headers: Readonly<Record<string, string>>
  /** Whether a status is one that the answer should have. */
  readonly expects: (status: number) => boolean
  /** Statuses that do not count as failures, and whose answers are not looked at, such as those of simulated errors. */
  readonly tolerated: readonly number[]
  readonly invariants: Readonly<Record<string, Invariant>>
  /** What a route of a stateful app finds in its store. */
  readonly stored?: Stored | undefined
  /** The seed of the app, where it is known. */
  readonly appSeed?: number | string | undefined
}

/** What a route's options say about its answers. */
export type RouteDescription = Pick<Endpoint, 'route' | 'headers' | 'expects' | 'tolerated'>

/** A route's expected status, the statuses of the failures it simulates, and the headers that open it. */
export function describeRoute(route: RouteDefinition): RouteDescription {
  const {
    status,
    errors = [],
    scenario = [],
    errorRate = 0,
    errorCodes,
    rateLimit,
    pageTable,
  } = route.options
  const codes = errorCodes === undefined || errorCodes.length === 0 ? [404, 500] : errorCodes
  const declared = [
    ...errors.map((each) => each.status),
    ...scenario.map((each) => each.status).filter((each) => each !== 200),
    ...(errorRate > 0 ? codes : []),
    ...(rateLimit === undefined ? [] : [429]),
    ...(pageTable === undefined ? [] : [400]),
  ]
  const usual = status ?? 200
  const tolerated = declared.filter((each) => each !== usual)
  const expects = (each: number): boolean =>
    each === usual || (each >= 200 && each < 300 && !tolerated.includes(each))
  return { route, headers: bearerOf(route), expects, tolerated }
}

/** The header that opens a route; none for an open one. */
export function bearerOf({ options: { bearerTokens } }: RouteDefinition): Readonly<Record<string, string>> {
  const [token] = bearerTokens ?? []
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}
