import { SimError } from '../errors.ts'
import { readJson } from './body.ts'
import type { FaultRule } from './faults.ts'
import { failureOf } from './failure.ts'
import { isFromHere } from './is-from-here.ts'
import { headerOf, toAdapterAnswer, type AdapterAnswer, type AdapterRequest } from './request.ts'
import type { Snapshots } from './snapshot.ts'
import type { World } from './world.ts'
import type { Worlds } from './worlds.ts'

/** Answers the requests that are about the adapter itself; nothing for all others. */
export type Control = (request: AdapterRequest, path: string) => AdapterAnswer | undefined

/** What control is over. */
export interface ControlOptions<State> {
  readonly worlds: Worlds<State>
  readonly snapshots: Snapshots<State>
  readonly manifestPath: string
  readonly manifest: unknown
  readonly name: string
}

type Act<State> = (world: World<State>, body: () => unknown) => unknown

/** The control paths of an adapter, below `/__sim/`, for clients on this machine; and its manifest, for all. */
export function createControl<State>(options: ControlOptions<State>): Control {
  const { worlds, manifestPath, manifest } = options
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
      const world = worlds.ofHeader(headerOf(request, 'authorization'))
      return toAdapterAnswer({ body: act(world, () => readJson(request.body)) ?? {} })
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
  const timeOf = ({ clock }: World<State>): unknown => ({ now: new Date(clock.now()).toISOString() })
  const rulesOf = ({ faults }: World<State>): unknown => ({ rules: faults.rules })
  return {
    health: { GET: () => ({ status: 'ok', adapter: name }) },
    clock: {
      GET: timeOf,
      POST(world, body) {
        const { advanceMs, set } = (body() ?? {}) as { advanceMs?: number; set?: string | number }
        if (set !== undefined) world.clock.set(new Date(set).getTime())
        if (advanceMs !== undefined) world.clock.advance(advanceMs)
        return timeOf(world)
      },
    },
    reset: { POST: (world) => world.reset() },
    faults: {
      GET: rulesOf,
      PUT(world, body) {
        world.faults.set(readRules(body()))
        return rulesOf(world)
      },
      POST(world, body) {
        world.faults.add(...readRules(body()))
        return rulesOf(world)
      },
      DELETE(world) {
        world.faults.clear()
        return rulesOf(world)
      },
    },
    snapshot: {
      GET: (world) => snapshots.take(world),
      PUT: (world, body) => snapshots.restore(world, body()),
      POST: (world, body) => snapshots.restore(world, body()),
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
