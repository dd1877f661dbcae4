import { setImmediate } from 'node:timers/promises'
import { readChaos } from '../../plugins/chaos/read-rules.ts'
import { ControlRefused, MethodNotAllowed, RouteNotFound } from '../errors.ts'
import type { Input } from '../engine/input.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { readJsonBody } from '../http/read-body.ts'
import { jsonResponse, utf8Bytes, type Awaitable, type HttpRequest, type HttpResponse } from '../message.ts'
import { toOpenApi } from '../openapi/export/to-openapi.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { createRouter } from '../routing/router.ts'
import type { Seen, SharedNeeds } from '../state/shared-state.ts'
import { passToAdapter } from './adapters.ts'
import { createGuard, type Guard, type GuardOptions } from './guard.ts'
import {
  nameGateway,
  WholeResponse,
  type ControlOperation,
  type ControlParts,
  type ControlRequest,
  type MakeRoutes,
} from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { readiness, READY_PATH } from './health.ts'
import { pageFile } from './page.ts'

/** What the processes that serve one gateway together exchange. */
export interface Shared {
  /** Takes how to ask this process for what it has measured. */
  offer(own: () => Promise<readonly object[]>): void
  /** What all processes together have measured, in the text format of Prometheus. */
  metrics(): Promise<string>
}

/** What any of them can answer for all. */
const COMMON: ReadonlySet<string> = new Set([
  ...['/__sim/health', READY_PATH, '/__sim/routes', '/__sim/metrics'],
])

/** Whether a path of the control plane has one answer, whichever process is requested. */
function isCommon(path: string): boolean {
  return COMMON.has(path)
}

/** Who may use the control plane. */
export interface ControlOptions {
  /** The bearer token that opens it; without one, it answers clients on this machine only. */
  readonly adminToken?: string | undefined
  /** Where this process is one of several that serve as one. */
  readonly shared?: Shared | undefined
  /** Writes a recording as routes, where that is at hand. */
  readonly makeRoutes?: MakeRoutes | undefined
}

/** Answers a request to the control plane. @throws SimError as any handler may */
export type Control = (exchange: Exchange) => Promise<HttpResponse>

const UNCOMMON = ({ method, path }: HttpRequest): string =>
  `Several workers serve, each with a journal and state of its own: there is no one answer to ${method} ${path}. Serve without --workers, or share the state by --state`

/** Compiles what gateways that share a state change for each other: the first change may take no longer than later ones. */
export function compileSharedOperations(): void {
  for (const { scope, read } of OPERATIONS) if (typeof scope !== 'string') read.compile()
  // Rules are checked once more, as those of files are.
  readChaos({})
}

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
  let description: string | undefined

  return async (exchange) => {
    const { method, path, session } = exchange
    if (exchange.isProxied)
      throw new ControlRefused(
        `The control plane takes requests directly, and not through the proxy for ${exchange.host}`,
      )
    // The page of a gateway with a token has to be there to enter that.
    const page = options.adminToken === undefined ? undefined : await pageFile(exchange)
    if (page !== undefined) return page
    const looks = method === 'GET' && path === READY_PATH
    if (looks) parts.leaving.looked(exchange.transport.remoteAddress ?? '')
    // A balancer has no token, and gets the status alone.
    if (looks && !lets(guard, exchange)) {
      const { response } = await readiness(parts)
      return { ...response, headers: response.headers.slice(2), body: NOTHING }
    }
    guard(exchange)
    // Who has got a response may ask about it: what is still to be noted of it comes first.
    await setImmediate()
    if (method === 'GET' && path === '/__sim/openapi.json')
      return jsonResponse(200, (description ??= utf8Bytes(JSON.stringify(describeControl()))))
    const file = await pageFile(exchange)
    if (file !== undefined) return file
    const passed = passToAdapter(parts.adapters, exchange)
    if (passed !== undefined) return passed
    const match = router.match(exchange)
    const operation = match && byRoute.get(match.route)
    if (match === undefined || operation === undefined) {
      const allowed = router.allowed(exchange)
      if (allowed.length > 0) throw new MethodNotAllowed(method, path, allowed)
      throw new RouteNotFound(method, path, 'GET /__sim/openapi.json lists what there is')
    }
    if (options.shared !== undefined && parts.state === undefined && !isCommon(path))
      throw new ControlRefused(UNCOMMON(exchange))
    // What can be left out altogether needs no empty body.
    if (match.route.method !== 'GET') exchange.body = (await readJsonBody(exchange.node.request)) ?? {}
    const input = operation.read(exchange, match.params)
    const answer = await answerOf(operation, input, { ...parts, session, exchange, store: undefined })
    if (answer instanceof WholeResponse) return answer.response
    return jsonResponse(200, utf8Bytes(JSON.stringify(answer)))
  }
}

const NOTHING = utf8Bytes('')

function lets(guard: Guard, exchange: Exchange): boolean {
  try {
    guard(exchange)
    return true
  } catch {
    return false
  }
}

// Where the state is shared, the operation has what all gateways know, and what it changes is in force on all of them.
async function answerOf(
  operation: ControlOperation,
  input: Input,
  request: ControlRequest,
): Promise<unknown> {
  const { state, exchange } = request
  const { scope } = operation
  if (state === undefined || typeof scope === 'string') {
    if (scope === 'gateway') nameGateway(request)
    return typeof scope === 'string'
      ? operation.answer(input, request)
      : work(operation, input, request, request)
  }
  if (!state.isJournalShared && NOTED.some((each) => scope.reads?.includes(each))) nameGateway(request)
  const { session: chosen } = input
  const { answer, applied } = await state.run(
    scope,
    request,
    (seen) => work(operation, input, request, seen),
    typeof chosen === 'string' ? chosen : undefined,
  )
  if (applied !== undefined) {
    const { version, gateways, behind } = applied
    exchange.addHeaders('x-sim-state-version', String(version), 'x-sim-state-gateways', gateways.join(', '))
    if (behind.length > 0) exchange.addHeaders('x-sim-state-behind', behind.join(', '))
  }
  return answer
}

const NOTED = ['journal', 'faults'] as const

function work(
  operation: ControlOperation,
  input: Input,
  request: ControlRequest,
  seen: Seen,
): Awaitable<unknown> {
  const { scope } = operation
  const { session, sessions } = seen
  const own = { ...request, session, sessions }
  if (typeof scope === 'string' || !usesStore(scope)) return operation.answer(input, own)
  return session.transact((store) =>
    operation.answer(input, { ...own, store: request.engine.store === undefined ? undefined : store }),
  )
}

function usesStore({ reads = [], changes = [] }: SharedNeeds): boolean {
  return reads.includes('store') || changes.includes('store')
}

/** The OpenAPI document of the control plane. */
export function describeControl(): unknown {
  return toOpenApi(
    OPERATIONS.map(({ route }) => route),
    { title: 'Control plane of sim', description: 'Look into a running gateway and change it.' },
  )
}
