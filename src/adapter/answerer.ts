import type { Gatekeeper } from './auth.ts'
import { befall } from './befall.ts'
import type { AdapterConfig } from './config.ts'
import type { Control } from './control.ts'
import type { AdapterDefinition, FailedRequest } from './definition.ts'
import { AdapterFault, fail, failureOf } from './failure.ts'
import { createFinder } from './find-operation.ts'
import type { IdSource } from './ids.ts'
import { createRouter } from '../routing/router.ts'
import { headerOf, isReply, toAdapterAnswer, type AdapterAnswer, type AdapterRequest } from './request.ts'
import { createVisit } from './visit.ts'
import type { World } from './world.ts'
import type { Worlds } from './worlds.ts'

/** Answers one request, come what may. */
export type Answer = (request: AdapterRequest) => Promise<AdapterAnswer>

/** What an answerer needs. */
export interface AnswererOptions<State, Fixture, Config extends AdapterConfig> {
  readonly definition: AdapterDefinition<State, Fixture, Config>
  readonly config: Config
  readonly ids: IdSource
  readonly gatekeeper: Gatekeeper
  readonly worlds: Worlds<State>
  readonly control: Control
}

/** The longest body that is read unless a definition says otherwise. */
export const USUAL_BODY_LIMIT = 16 * 1024 * 1024

/** Answers requests by a definition; `respond` is the order in which everything befalls one. */
export function createAnswerer<State, Fixture, Config extends AdapterConfig>(
  options: AnswererOptions<State, Fixture, Config>,
): Answer {
  const { definition, config, ids, gatekeeper, worlds, control } = options
  const { bodyLimit = USUAL_BODY_LIMIT, requestIdHeader } = definition
  const find = createFinder(definition.operations, config.strict === true)
  const openPaths = (definition.openPaths ?? []).map((path) => ({ method: '*', path }))
  const open = createRouter(openPaths, { strict: true })

  const respond = async (
    request: AdapterRequest,
    world: World<State>,
    failed: Failing,
    search: string,
  ): Promise<AdapterAnswer> => {
    const { operation, params } = find(request.method, failed.path)
    failed.operation = operation
    const isOpen = open.match({ method: '*', path: failed.path }) !== undefined
    const credentials = gatekeeper.admit(headerOf(request, 'authorization'), isOpen)
    const query = new URLSearchParams(search)
    const { requestId } = failed
    const parts = { request, operation, params, query, credentials, world, config, ids, requestId }
    const visit = createVisit(parts)
    gatekeeper.check(visit, isOpen ? [] : (operation.scopes ?? []))
    if (operation.handle === undefined) return fail({ kind: 'unimplemented', operation: operation.id })
    const resource = operation.resource?.(visit)
    if (resource !== undefined) visit.authorize(resource)
    world.throttle.admit(operation.id, world.clock.now())
    await befall(world, operation.id, 'before', request.signal)
    if (request.body.length > bodyLimit) fail({ kind: 'body-too-large', limit: bodyLimit })
    const value: unknown = await operation.handle(visit)
    if (config.stateful === false && (operation.sideEffects ?? []).length > 0) world.dropState()
    await befall(world, operation.id, 'after', request.signal)
    return toAdapterAnswer(isReply(value) ? value : { body: value })
  }

  return async (request) => {
    const mark = request.url.indexOf('?')
    const path = mark < 0 ? request.url : request.url.slice(0, mark)
    const search = mark < 0 ? '' : request.url.slice(mark + 1)
    const controlled = control(request, path)
    if (controlled !== undefined) return controlled

    const world = worlds.ofHeader(headerOf(request, 'authorization'))
    world.catchUp()
    const n = ++world.requests.count
    const requestId = config.requestId?.(n, request) ?? ids.uuid('request', n)
    const { clock } = world
    const failed: Failing = { method: request.method, path, requestId, operation: undefined, ids, clock }
    const answer = await respond(request, world, failed, search).catch((error: unknown) => {
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
