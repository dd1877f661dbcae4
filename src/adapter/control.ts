import { SimError } from '../errors.ts'
import { isLoopback, isOwnName } from '../http/loopback.ts'
import { failureOf } from './failure.ts'
import type { FaultRule } from './faults.ts'
import { readJson } from './body.ts'
import { type AdapterAnswer, type AdapterRequest, headerOf, toAdapterAnswer } from './request.ts'
import type { Session, Sessions } from './session.ts'
import type { Snapshots } from './snapshot.ts'

/** Whether a request comes from this machine, and from no page of the web that is open on it. */
export function isFromHere(request: AdapterRequest): boolean {
  const { remoteAddress } = request
  if (remoteAddress === undefined) return true
  const host = headerOf(request, 'host')
  const origin = headerOf(request, 'origin')
  return (
    isLoopback(remoteAddress) &&
    // A page may have its own name resolve to this machine, or send its requests here.
    (host === undefined || isOwnName(host)) &&
    (origin === undefined || isOwnName(URL.canParse(origin) ? new URL(origin).host : origin))
  )
}

/** Answers the requests that are about the adapter itself; nothing for all others. */
export type Control = (request: AdapterRequest, path: string) => AdapterAnswer | undefined

/** What control is over. */
export interface ControlOptions<State> {
  readonly sessions: Sessions<State>
  readonly snapshots: Snapshots<State>
  readonly manifestPath: string
  readonly manifest: unknown
  readonly name: string
}

type Act<State> = (session: Session<State>, body: () => unknown) => unknown

/** The control paths of an adapter, below `/__sim/`, for clients on this machine; and its manifest, for all. */
export function createControl<State>(options: ControlOptions<State>): Control {
  const { sessions, manifestPath, manifest } = options
  const acts = actsOf(options)
  const known = Object.keys(acts)
    .map((name) => `/__sim/${name}`)
    .join(', ')

  return (request, path) => {
    if (path === manifestPath && /^(GET|HEAD)$/.test(request.method))
      return toAdapterAnswer({ body: request.method === 'HEAD' ? '' : manifest })
    if (!path.startsWith('/__sim/')) return undefined
    if (!isFromHere(request)) return refuse(403, 'The control paths answer only clients on this machine')
    const methods = ownOf(acts, path.slice('/__sim/'.length))
    const act = ownOf(methods ?? {}, request.method)
    if (methods === undefined) return refuse(404, `There is no control path ${path}, only ${known}`)
    if (act === undefined) return refuse(405, `${path} takes ${Object.keys(methods).join(', ')}`)
    try {
      const session = sessions.ofHeader(headerOf(request, 'authorization'))
      return toAdapterAnswer({ body: act(session, () => readJson(request.body)) ?? {} })
    } catch (error) {
      const failure = failureOf(error)
      if (failure?.kind === 'malformed-body') return refuse(400, failure.reason)
      if (SimError.is(error)) return refuse(422, error.message)
      throw error
    }
  }
}

function actsOf<State>({
  snapshots,
  name,
}: ControlOptions<State>): Readonly<Record<string, Readonly<Record<string, Act<State>>>>> {
  const timeOf = ({ clock }: Session<State>): unknown => ({ now: new Date(clock.now()).toISOString() })
  const rulesOf = ({ faults }: Session<State>): unknown => ({ rules: faults.rules })
  return {
    health: { GET: () => ({ status: 'ok', adapter: name }) },
    clock: {
      GET: timeOf,
      POST(session, body) {
        const { advanceMs, set } = (body() ?? {}) as { advanceMs?: number; set?: string | number }
        if (set !== undefined) session.clock.set(new Date(set).getTime())
        if (advanceMs !== undefined) session.clock.advance(advanceMs)
        return timeOf(session)
      },
    },
    reset: { POST: (session) => session.reset() },
    faults: {
      GET: rulesOf,
      PUT(session, body) {
        session.faults.set(readRules(body()))
        return rulesOf(session)
      },
      POST(session, body) {
        session.faults.add(...readRules(body()))
        return rulesOf(session)
      },
      DELETE(session) {
        session.faults.clear()
        return rulesOf(session)
      },
    },
    snapshot: {
      GET: (session) => snapshots.take(session),
      PUT: (session, body) => snapshots.restore(session, body()),
      POST: (session, body) => snapshots.restore(session, body()),
    },
  }
}

// One rule, a list of them, or what GET gave.
function readRules(body: unknown): readonly FaultRule[] {
  const { rules } = (body ?? {}) as { rules?: readonly FaultRule[] }
  return [rules ?? (body as FaultRule | readonly FaultRule[])].flat()
}

function ownOf<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

function refuse(status: number, detail: string): AdapterAnswer {
  return toAdapterAnswer({ status, body: { detail } })
}
