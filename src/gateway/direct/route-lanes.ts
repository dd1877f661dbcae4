import type { JsonWriter } from '../../engine/engine.ts'
import type { HttpRequest } from '../../message.ts'
import type { Seed } from '../../engine/random.ts'
import type { RouteOptions } from '../../engine/route-options.ts'
import type { Match, RouteDefinition } from '../../engine/route.ts'
import { SimError } from '../../errors.ts'
import type { Session } from '../../state/session.ts'

/** How the plain questions of one route are answered. Bodies are UTF-8 bytes, a character each. */
export interface RouteLane {
  readonly route: RouteDefinition
  readonly status: number
  /** `undefined` where the whole way has to be gone. */
  write(call: HttpRequest, match: Match): string | undefined
  /** Writes a body that was written before; absent where another might come of it. */
  readonly rewrite: ((call: HttpRequest) => string | undefined) | undefined
}

/** Finds the lane of a route, under the seed that its session has now. */
export function createRouteLanes(session: Session): (route: RouteDefinition) => RouteLane | undefined {
  let lanes = new Map<RouteDefinition, RouteLane | undefined>()
  let seed = session.seed
  return (route) => {
    if (seed !== session.seed) [lanes, seed] = [new Map(), session.seed]
    const known = lanes.get(route)
    if (known !== undefined || lanes.has(route)) return known
    const lane = createLane(route, session, seed)
    lanes.set(route, lane)
    return lane
  }
}

function createLane(route: RouteDefinition, { engine }: Session, seed: Seed): RouteLane | undefined {
  const plain = isPlain(route) ? engine.jsonWriter(route, seed) : undefined
  if (plain === undefined) return undefined
  const write: RouteLane['write'] = (call, match) =>
    attempt(() => plain.write(call, engine.readInput(match, call)))
  const rewrite = (call: HttpRequest): string | undefined => {
    const match = engine.match(call)
    return match && write(call, match)
  }
  return { route, status: plain.status, write, rewrite: isPure(plain) ? rewrite : undefined }
}

function isPlain({ operation, options }: RouteDefinition): boolean {
  const { errors = [], scenario = [] } = options
  return operation === undefined && isInert(options) && errors.length === 0 && scenario.length === 0
}

/** Whether no plugin has anything to do by these options. */
export function isInert(options: RouteOptions): boolean {
  const { bearerTokens = [], rateLimit = 0, latencyMs = 0, jitterMs = 0, errorRate = 0 } = options
  return bearerTokens.length === 0 && rateLimit === 0 && latencyMs === 0 && jitterMs === 0 && errorRate === 0
}

function isPure(plain: JsonWriter): boolean {
  return attempt(() => plain.isPure()) ?? false
}

// What goes wrong here goes wrong on the whole way too, which says so properly.
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (SimError.is(error)) return undefined
    throw error
  }
}
