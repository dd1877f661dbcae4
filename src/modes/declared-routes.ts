import { POLICY_OPTIONS } from '../../plugins/index.ts'
import { answerError } from '../engine/error-answer.ts'
import { remembered } from '../engine/lazy.ts'
import { readsQuery, type Input } from '../engine/input.ts'
import type { Deprecation } from '../engine/operation.ts'
import type { EngineState } from '../engine/engine.ts'
import type { RouteDefinition, Match } from '../engine/route.ts'
import { graphqlRoute } from '../graphql/graphql-route.ts'
import { isControl } from '../control/guard.ts'
import type { PolicyOptions } from '../engine/route-options.ts'
import { after, JSON_TYPE, type Awaitable, type HttpRequest, type HttpResponse } from '../message.ts'
import { createCredentialReader } from '../openapi/serve/credentials.ts'
import { withSavedAnswers } from '../postman/saved-route.ts'
import type { AnswerCache } from '../pipeline/answer-cache.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Handler, Plugin, Policies, Route } from '../pipeline/route.ts'
import { createForbidden } from '../recording/match/forbidden-callers.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import type { AppEngine } from '../simulation/engine.ts'
import type { RecordedHead } from '../state/journal-entry.ts'
import type { Session } from '../state/session.ts'
import type { Store } from '../state/store.ts'
import { attempt, unlessChanged, unlessRefused, withStateAfter } from './checks-before.ts'
import { describedError } from './described-error.ts'
import type { Mounts } from './adapter-mounts.ts'
import { createOtherServers } from './other-servers.ts'
import { createInput, giveUp, readBody, readRoutingContent } from './request-body.ts'
import type { Shadow } from './shadow.ts'
import { shadowedRoute } from './shadowed-route.ts'
import { toResponse } from './to-response.ts'
import type { Modes, ModeName } from './choose-mode.ts'

/** What declared routes are compiled with. */
export interface DeclaredParts {
  readonly engine: AppEngine
  readonly adapters: Mounts
  /** What holds where a route does not say otherwise. */
  readonly defaults: Policies
  /** Hides the secrets of requests that are compared. */
  readonly redactor: Redactor
  /** Whether answers that are known are not given to their own requests, to see what others would get. */
  readonly leavesOutKnown?: boolean | undefined
  readonly cache: AnswerCache | undefined
  /** Asks upstreams for what was simulated, in mode `shadow`. */
  readonly shadow: Shadow
}

/** Finds routes: the control plane's, a declared one, an adapter's, or that of the request's mode. */
export function createRouteFor(
  modes: Modes,
  control: Route,
  modeRoute: (mode: ModeName) => Route,
  parts: DeclaredParts,
): (exchange: Exchange) => Awaitable<Route> {
  const { engine, adapters } = parts
  const knowsAnswers = engine.routes.some(
    ({ options }) => options.answers !== undefined || options.calls !== undefined,
  )
  const isElsewhere = createOtherServers(engine)
  const routes = new Map<RouteDefinition, Awaitable<Route>>()
  const compile = (definition: RouteDefinition): Awaitable<Route> => {
    const { options, operation, saved } = definition
    const plain = compileRoute(definition, parts)
    const knows = knowsAnswers && operation === undefined
    const route = options.file === undefined && !knows ? plain : withSeldom(plain, definition, knows, parts)
    return after(route, (complete) =>
      saved === undefined ? complete : withSavedAnswers(complete, definition, saved),
    )
  }
  const hasRoutes = engine.routes.length > 0
  const simulated = (exchange: Exchange): Awaitable<Route> => {
    const match = hasRoutes
      ? (engine.match(exchange) ?? (isElsewhere?.(exchange) === true ? engine.match(exchange) : undefined))
      : undefined
    if (match === undefined) return adapters.routeOf?.(exchange) ?? modeRoute('simulate')
    exchange.match = match
    const known = routes.get(match.route)
    if (known !== undefined) return known
    const compiled = after(compile(match.route), (route) => {
      routes.set(match.route, route)
      return route
    })
    routes.set(match.route, compiled)
    return compiled
  }
  const shadow = remembered((route: Route) => shadowedRoute(route, parts.shadow), new WeakMap())
  const shadowed = (exchange: Exchange): Awaitable<Route> => {
    const found = (): Awaitable<Route> =>
      after(simulated(exchange), (route) => (route.source === 'declared' ? shadow(route) : route))
    return engine.readsBody?.(exchange) === true ? readRoutingContent(exchange).then(found) : found()
  }
  return (exchange) => {
    if (exchange.path.startsWith('/__sim') && isControl(exchange)) return control
    const mode = modes.only ?? modes.of(exchange)
    exchange.mode = mode
    if (mode !== 'simulate' && mode !== 'shadow') return modeRoute(mode)
    if (mode === 'shadow') return shadowed(exchange)
    return engine.readsBody?.(exchange) === true
      ? readRoutingContent(exchange).then(() => simulated(exchange))
      : simulated(exchange)
  }
}

// Loaded by the first route that stores files, or knows answers.
async function withSeldom(
  route: Route,
  definition: RouteDefinition,
  knows: boolean,
  parts: DeclaredParts,
): Promise<Route> {
  const { file } = definition.options
  const stored =
    file === undefined
      ? route
      : { ...route, ...(await import('./file-route.ts')).fileRoute(definition, file) }
  if (!knows) return stored
  const { withKnownAnswers } = await import('./with-known-answers.ts')
  return withKnownAnswers(stored, definition, parts)
}

function compileRoute(definition: RouteDefinition, parts: DeclaredParts): Route {
  const { options, operation, method, key } = definition
  const { engine, defaults, cache, redactor } = parts
  const needsBody = operation === undefined ? !readsQuery(method) : operation.body !== undefined
  const hasInput = options.input !== undefined || operation !== undefined || definition.parameters.length > 0
  const policies: Policies = {
    ...defaults,
    ...given(options),
    ...(options.forbids !== undefined && { isForbidden: createForbidden(options.forbids, redactor) }),
    ...(operation !== undefined &&
      operation.security.length > 0 && { security: createCredentialReader(operation.security) }),
  }
  const { finds, lists = false, does = method === 'PUT' ? 'put' : undefined } = options.item ?? {}
  const findsFirst = finds === 'first'
  const readInput = createInput(() => engine.inputReader(definition), findsFirst)
  // What mapped errors look at has to be read, whatever the response.
  const mayCache =
    cache !== undefined &&
    operation === undefined &&
    !needsBody &&
    policies.errors === undefined &&
    attempt(() => engine.jsonWriter(definition)?.isPure()) === true
  const readOrRemember = (exchange: Exchange): Input => {
    // Under another seed, which a session may have for a while, there are other bodies.
    if (exchange.version?.seed === engine.seed) exchange.cached = cache?.get(exchange)
    return exchange.cached === undefined ? readInput(exchange) : exchange.input
  }
  const readWithBody = (exchange: Exchange): Promise<Input> =>
    readBody(exchange, definition).then(
      (body) => {
        exchange.body = body
        return readInput(exchange)
      },
      (error: unknown) => giveUp(exchange, error),
    )
  const readQuery = mayCache ? readOrRemember : readInput
  return {
    id: key,
    source: 'declared',
    policies,
    readInput: needsBody ? readWithBody : hasInput || mayCache ? readQuery : undefined,
    handlerFor: (session) =>
      unlessChanged(
        { etag: policies.etag, isPut: does === 'put' },
        engine,
        session,
        unlessRefused(
          findsFirst || options.answers !== undefined || options.nearest !== undefined,
          engine,
          session,
          withStateAfter(
            { etag: policies.etag, lists, isItem: definition.path.endsWith('}') },
            engine,
            session,
            handlerFor(definition, engine, session, mayCache ? cache : undefined),
          ),
        ),
      ),
    formatError: (error, exchange) =>
      answerError(policies.errorAnswers ?? {}, error, exchange) ??
      describedError(error, exchange, engine, policies),
    ...(operation?.deprecated !== undefined && { plugins: [deprecation(operation.deprecated)] }),
    ...(definition.graphql !== undefined && graphqlRoute(definition.graphql)),
  }
}

// RFC 9745 and RFC 8594.
function deprecation({ since, sunset }: Deprecation): Plugin {
  const headers = ['deprecation', `@${since}`]
  if (sunset !== undefined) headers.push('sunset', new Date(sunset * 1000).toUTCString())
  return { name: 'deprecation', plan: () => (exchange) => exchange.addHeaders(...headers) }
}

function given(options: RouteDefinition['options']): Policies {
  const names = Object.keys(POLICY_OPTIONS) as (keyof PolicyOptions)[]
  return Object.fromEntries(
    names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  )
}

function handlerFor(
  definition: RouteDefinition,
  engine: AppEngine,
  session: Session,
  cache?: AnswerCache,
): Handler {
  const writer = attempt(() => engine.jsonWriter(definition, session.seed))
  const answerFrom = (exchange: Exchange, state: EngineState<Store>): HttpResponse =>
    toResponse(
      engine.answer(exchange.match as Match, exchange, exchange.input, state),
      exchange.responseHeaders,
    )
  const isShared = session.isShared && engine.isStored(definition)
  const answer: Handler = (exchange) => {
    exchange.source = 'engine'
    if (!isShared) return answerFrom(exchange, session)
    const { seed } = session
    if (exchange.store !== undefined) return answerFrom(exchange, { store: exchange.store, seed })
    return session.transact((store) => answerFrom(exchange, { store, seed }))
  }
  if (writer === undefined) return answer
  const { status } = writer
  const headers = ['content-type', JSON_TYPE]
  const rewrite = (head: RecordedHead): string | undefined => {
    const request: HttpRequest = { method: 'GET', ...head }
    const match = engine.match(request)
    return (
      match && attempt(() => writer.write(request, engine.inputReader(match.route)(request, match.params)))
    )
  }
  const kept = session.seed === engine.seed ? cache : undefined
  const isPure = definition.method === 'GET' && attempt(() => writer.isPure()) === true
  return (exchange) => {
    exchange.source = 'engine'
    // A journal that gateways share has the bytes at once.
    if (isPure && !exchange.session.isShared) exchange.rewriteBody = rewrite
    if (exchange.cached !== undefined) return { status, headers, body: exchange.cached }
    const body = writer.write(exchange, exchange.input)
    if (body === undefined) return answer(exchange)
    kept?.set(exchange, body)
    return { status, headers, body }
  }
}
