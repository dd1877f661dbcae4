import { createGuard } from '../control/guard.ts'
import { SimError } from '../errors.ts'
import { readBytes } from '../http/read-body.ts'
import type { HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { createRouter } from '../routing/router.ts'
import { readJson } from './body.ts'
import { failureOf, isElsewhere } from './failure.ts'
import type { FaultRule } from './faults.ts'
import { toResponse } from './request.ts'
import type { AdapterSession, AdapterSessions } from './session.ts'

/** Answers a request for a control path. @param isTrusted whether the client may use it, wherever it is */
export type Control = (exchange: Exchange, path: string, isTrusted?: boolean) => Promise<HttpResponse>

/** What control is over. */
export interface ControlOptions<State> {
  readonly name: string
  readonly sessions: AdapterSessions<State>
  /** The longest body, in bytes. */
  readonly bodyLimit: number
}

type Act = (session: AdapterSession<unknown>, body: () => unknown) => unknown

const timeOf = ({ clock }: AdapterSession<unknown>): unknown => ({ now: new Date(clock.now()).toISOString() })
const rulesOf = ({ faults }: AdapterSession<unknown>): unknown => ({ rules: faults.rules })
const restore: Act = (session, body) => {
  session.restore(body())
  session.world?.noteRestored()
}

/** By method and path. */
const ACTS: Readonly<Record<string, Act>> = {
  'GET /__sim/clock': timeOf,
  'POST /__sim/clock'(session, body) {
    const { advanceMs, set } = (body() ?? {}) as { advanceMs?: number; set?: string | number }
    if (set !== undefined) session.clock.set(new Date(set).getTime())
    if (advanceMs !== undefined) session.clock.advance(advanceMs)
    session.world?.noteClock()
    return timeOf(session)
  },
  'POST /__sim/reset'(session) {
    session.reset()
    session.world?.noteReset()
  },
  'GET /__sim/faults': rulesOf,
  'PUT /__sim/faults'(session, body) {
    session.faults.set(readRules(body()))
    return rulesOf(session)
  },
  'POST /__sim/faults'(session, body) {
    session.faults.add(...readRules(body()))
    return rulesOf(session)
  },
  'DELETE /__sim/faults'(session) {
    session.faults.clear()
    return rulesOf(session)
  },
  'GET /__sim/snapshot': (session) => session.snapshot(),
  'PUT /__sim/snapshot': restore,
  'POST /__sim/snapshot': restore,
}

/** The control paths of an adapter, for clients on this machine. */
export function createControl<State>({ name, sessions, bodyLimit }: ControlOptions<State>): Control {
  const acts: Readonly<Record<string, Act>> = {
    'GET /__sim/health': () => ({ status: 'ok', adapter: name }),
    ...ACTS,
  }
  const operations = Object.entries(acts).map(([key, act]) => {
    const [method = '', path = ''] = key.split(' ')
    return { method, path, act }
  })
  const router = createRouter(operations)
  const paths = [...new Set(operations.map(({ path }) => path))].join(', ')
  // An adapter that listens beyond this machine stays under the control of this machine.
  const guard = createGuard({ addresses: () => [] })

  return async (exchange, path, isTrusted = false) => {
    const { method, transport, headers, host } = exchange
    // In process there is neither an address nor, often, a host.
    if (!isTrusted && transport.remoteAddress !== undefined)
      guard({ transport, headers, host: host === '' ? 'localhost' : host })
    const match = router.match({ method, path })
    if (match === undefined) {
      const methods = operations.filter((each) => each.path === path).map((each) => each.method)
      return methods.length === 0
        ? refuse(404, `There is no control path ${path}, only ${paths}`)
        : refuse(405, `${path} takes ${methods.join(', ')}`)
    }
    const session = sessions.ofHeaders(headers)
    const { world } = session
    const life = world?.life ?? 0
    const bytes = await readBytes(exchange.bodyStream(), bodyLimit)
    const work = (): unknown => match.route.act(session, () => readJson(bytes))
    try {
      return toResponse({ body: (await (world === undefined ? work() : world.inTurn(life, work))) ?? {} })
    } catch (error) {
      const failure = failureOf(error)
      if (failure?.kind === 'malformed-body') return refuse(400, failure.reason)
      if (SimError.is(error) && !isElsewhere(error)) return refuse(422, error.message)
      throw error
    }
  }
}

// One rule, a list of them, or what GET gave.
function readRules(body: unknown): readonly FaultRule[] {
  const { rules } = (body ?? {}) as { rules?: readonly FaultRule[] }
  return [rules ?? (body as FaultRule | readonly FaultRule[])].flat()
}

function refuse(status: number, detail: string): HttpResponse {
  return toResponse({ status, body: { detail } })
}
