import { setImmediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpRequest } from '../message.ts'
import { createRouter } from '../routing/router.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { toOpenApi } from '../openapi/to-openapi.ts'
import { ControlRefused, MethodNotAllowed, RouteNotFound } from '../errors.ts'
import { readJsonBody } from '../http/read-body.ts'
import type { Session } from '../state/session.ts'
import { passToAdapter } from './adapters.ts'
import { createGuard, type GuardOptions } from './guard.ts'
import type { ControlOperation, ControlParts } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { isCommon, type Shared } from './shared.ts'

/** Who may use the control plane. */
export interface ControlOptions {
  /** The bearer token that opens it; without one, it answers clients on this machine only. */
  readonly adminToken?: string | undefined
  /** Where this process is one of several that serve as one. */
  readonly shared?: Shared | undefined
}

/** Answers a request to the control plane. @throws SimError as any answer may */
export type Control = (
  request: FastifyRequest,
  reply: FastifyReply,
  call: HttpRequest,
  session: () => Session,
) => Promise<unknown>

const UNCOMMON = ({ method, path }: HttpRequest): string =>
  `Several workers serve, each with a journal and state of its own: there is no one answer to ${method} ${path}. Serve without --workers to ask it`

/** The control plane of one gateway. */
export function createControl(
  parts: ControlParts,
  options: ControlOptions & Pick<GuardOptions, 'addresses'>,
): Control {
  const guard = createGuard(options)
  const byRoute = new Map<RouteDefinition, ControlOperation>(
    OPERATIONS.map((operation) => [operation.route, operation]),
  )
  const router = createRouter([...byRoute.keys()])
  let description: unknown

  return async (request, reply, call, session) => {
    guard(request, call)
    // Who has got an answer may ask about it: what is still to be noted of it comes first.
    await setImmediate()
    if (call.method === 'GET' && call.path === '/__sim/openapi.json')
      return reply.send((description ??= describeControl()))
    const passed = passToAdapter(parts.adapters, request, reply, call)
    if (passed !== undefined) return passed
    const match = router.match(call)
    const operation = match && byRoute.get(match.route)
    if (match === undefined || operation === undefined) {
      const allowed = router.allowed(call)
      if (allowed.length > 0) throw new MethodNotAllowed(call.method, call.path, allowed)
      throw new RouteNotFound(call.method, call.path, 'GET /__sim/openapi.json tells what there is')
    }
    if (options.shared !== undefined && !isCommon(call.path)) throw new ControlRefused(UNCOMMON(call))
    // What can be left out altogether needs no empty body.
    const body = match.route.method === 'GET' ? undefined : ((await readJsonBody(request.raw)) ?? {})
    const input = operation.read({ ...call, body }, match.params)
    const answer = await operation.answer(input, { ...parts, session: session(), reply })
    if (answer === undefined || reply.sent) return reply
    if (typeof answer === 'string') return reply.send(answer)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer))
  }
}

/** The OpenAPI document of the control plane. */
export function describeControl(): unknown {
  return toOpenApi(
    OPERATIONS.map(({ route }) => route),
    { title: 'Control plane of sim', description: 'Look into a running gateway and change it.' },
  )
}
