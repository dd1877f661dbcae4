import { createRouter } from '../routing/router.ts'
import type { Credentials, Authenticator } from './auth.ts'
import type { AdapterConfig } from './config.ts'
import type { Control } from './control.ts'
import type { AdapterDefinition, FailedRequest, Operation, OperationContext } from './definition.ts'
import { AdapterFault, fail, failureOf } from './failure.ts'
import { injectFault } from './faults.ts'
import { createFinder } from './find-operation.ts'
import type { IdSource } from './ids.ts'
import { readJson } from './body.ts'
import { type AdapterAnswer, type AdapterRequest, headerOf, isReply, toAdapterAnswer } from './request.ts'
import type { Session, Sessions } from './session.ts'

/** What a context is made of. */
export interface ContextParts<State, Config extends AdapterConfig> {
  readonly request: AdapterRequest
  readonly operation: Operation<State, Config>
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly credentials: Credentials
  readonly session: Session<State>
  readonly config: Config
  readonly ids: IdSource
  readonly requestId: string
}

/** What a handler is given. */
export function createContext<State, Config extends AdapterConfig>({
  request,
  operation,
  params,
  query,
  credentials,
  session,
  config,
  ids,
  requestId,
}: ContextParts<State, Config>): OperationContext<State, Config> {
  let read: { readonly value: unknown } | undefined
  return {
    operation,
    params,
    query,
    headers: request.headers,
    bytes: request.body,
    body: () => (read ??= { value: readJson(request.body) }).value,
    // Read late: what waited may find another state than the one it came to.
    get state() {
      return session.state
    },
    credentials,
    authorize(resource) {
      if (!credentials.isGranted(resource)) fail({ kind: 'denied', operation: operation.id, resource })
    },
    config,
    clock: session.clock,
    ids,
    pages: session.pagesOf(operation.id),
    requestId,
  }
}

/** Answers one request, come what may. */
export type Answer = (request: AdapterRequest) => Promise<AdapterAnswer>

/** What an answerer needs. */
export interface HandlerOptions<State, Fixture, Config extends AdapterConfig> {
  readonly definition: AdapterDefinition<State, Fixture, Config>
  readonly config: Config
  readonly ids: IdSource
  readonly authenticator: Authenticator
  readonly sessions: Sessions<State>
  readonly control: Control
}

/** The longest body that is read unless a definition says otherwise. */
export const DEFAULT_BODY_LIMIT = 16 * 1024 * 1024

/** Answers requests by a definition; `respond` is the order of everything that happens to one. */
export function createHandler<State, Fixture, Config extends AdapterConfig>(
  options: HandlerOptions<State, Fixture, Config>,
): Answer {
  const { definition, config, ids, authenticator, sessions, control } = options
  const { bodyLimit = DEFAULT_BODY_LIMIT, requestIdHeader } = definition
  const find = createFinder(definition.operations, config.strict === true)
  const openPaths = (definition.openPaths ?? []).map((path) => ({ method: '*', path }))
  const open = createRouter(openPaths, { strict: true })

  const respond = async (
    request: AdapterRequest,
    session: Session<State>,
    failed: Failing,
    search: string,
  ): Promise<AdapterAnswer> => {
    const { operation, params } = find(request.method, failed.path)
    failed.operation = operation
    const isOpen = open.match({ method: '*', path: failed.path }) !== undefined
    const credentials = authenticator.admit(headerOf(request, 'authorization'), isOpen)
    const query = new URLSearchParams(search)
    const { requestId } = failed
    const parts = { request, operation, params, query, credentials, session, config, ids, requestId }
    const context = createContext(parts)
    authenticator.check(context, isOpen ? [] : (operation.scopes ?? []))
    if (operation.handle === undefined) return fail({ kind: 'unimplemented', operation: operation.id })
    const resource = operation.resource?.(context)
    if (resource !== undefined) context.authorize(resource)
    session.limiter.admit(operation.id, session.clock.now())
    await injectFault(session, operation.id, 'before', request.signal)
    if (request.body.length > bodyLimit) fail({ kind: 'body-too-large', limit: bodyLimit })
    const value: unknown = await operation.handle(context)
    if (config.stateful === false && (operation.sideEffects ?? []).length > 0) session.dropState()
    await injectFault(session, operation.id, 'after', request.signal)
    return toAdapterAnswer(isReply(value) ? value : { body: value })
  }

  return async (request) => {
    const mark = request.url.indexOf('?')
    const path = mark < 0 ? request.url : request.url.slice(0, mark)
    const search = mark < 0 ? '' : request.url.slice(mark + 1)
    const controlled = control(request, path)
    if (controlled !== undefined) return controlled

    const session = sessions.ofHeader(headerOf(request, 'authorization'))
    session.catchUp()
    const n = ++session.requests.count
    const requestId = config.requestId?.(n, request) ?? ids.uuid('request', n)
    const { clock } = session
    const failed: Failing = { method: request.method, path, requestId, operation: undefined, ids, clock }
    const answer = await respond(request, session, failed, search).catch((error: unknown) => {
      if (AdapterFault.is(error)) return toAdapterAnswer(error)
      const failure = failureOf(error) ?? { kind: 'internal', error }
      // What was given up because nobody waits for it went not wrong.
      if (failure.kind === 'internal' && request.signal?.aborted !== true) config.onError?.(error, request)
      return toAdapterAnswer(definition.toAnswer(failure, failed))
    })
    const headers = { [requestIdHeader.toLowerCase()]: requestId, ...answer.headers }
    return { ...answer, headers, body: request.method === 'HEAD' ? '' : answer.body }
  }
}

type Failing = { -readonly [Key in keyof FailedRequest]: FailedRequest[Key] }
