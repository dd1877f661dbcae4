import { snakeCase } from '../data-files/words.ts'
import type { Engine } from '../engine/engine.ts'
import { createInputReader, type Input, type InputReader } from '../engine/input.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { createRoute, type Method, type RouteDefinition } from '../engine/route.ts'
import type { DriftWatch } from '../recording/drift/drift-watch.ts'
import type { MissLog } from '../recording/replay/misses.ts'
import type { HttpResponse } from '../message.ts'
import type { OpenContract } from '../openapi/contract/contract.ts'
import type { Mounts } from '../modes/adapter-mounts.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Rerun } from '../pipeline/rerun.ts'
import type { Schedule } from '../pipeline/schedule.ts'
import type { Modes } from '../modes/choose-mode.ts'
import type { Recorders } from '../modes/recorders.ts'
import type { Session } from '../state/session.ts'
import type { Sessions } from '../state/sessions.ts'
import type { SharedNeeds, SharedState } from '../state/shared-state.ts'
import type { Store } from '../state/store.ts'
import type { GatewaySource } from './explain/source.ts'
import type { Leaving } from './leaving.ts'
import type { Metrics } from './metrics.ts'
import type { Watching } from './watch.ts'

/** Writes what a recording shows as routes to a folder. */
export type MakeRoutes = (
  recording: string,
  output: string,
) => Promise<{ readonly files: readonly string[]; readonly report: string }>

/** What the control plane can reach. */
export interface ControlParts {
  readonly engine: Engine
  readonly adapters: Mounts
  readonly sessions: Sessions
  readonly modes: Modes
  readonly drift: DriftWatch
  /** Absent where nothing is checked. */
  readonly contract: OpenContract | undefined
  /** Absent where no recording is read. */
  readonly misses: () => MissLog | undefined
  readonly metrics: Metrics
  /** Keeps whole exchanges while somebody looks. */
  readonly watching: Watching
  /** Directories of the recordings that are written or read. */
  readonly recordings: readonly string[]
  /** What saves what is forwarded. */
  readonly recorders: Recorders
  /** The gateway that writes a recording for all that share the state; `undefined` where none does now. */
  readonly writerOf: (directory: string) => Promise<string | undefined>
  /** Saves what is forwarded to this directory from now on. @throws RecordingUnusable */
  readonly startRecording: (directory: string) => Promise<void>
  /** Answers from this recording in the modes that read one, from now on. @throws RecordingUnusable */
  readonly readRecording: (directory: string) => Promise<void>
  /** Writes a recording as routes to a folder; absent where that is not at hand. */
  readonly makeRoutes: MakeRoutes | undefined
  /** What several gateways have in common; absent where this one is alone. */
  readonly state: SharedState | undefined
  /** Whether the gateway is ready only while it records. */
  readonly mustRecord: boolean
  /** Whether it is about to end, and who should see that first. */
  readonly leaving: Leaving
  readonly rerun: Rerun
  /** What chaos does to each of the next requests like this one in a session, which it changes. */
  readonly schedule: Schedule
  /** What a command made the gateway of; absent where code did. */
  readonly source: GatewaySource | undefined
  /** Aborts when the gateway closes. */
  readonly closing: AbortSignal
}

/** One request to the control plane. */
export interface ControlRequest extends ControlParts {
  /** The session that it is about. */
  readonly session: Session
  readonly exchange: Exchange
  /** The session's store, for operations that read or change it; absent for an app that is not stateful. */
  readonly store: Store | undefined
}

/**
 * What an operation is about where several gateways share a state: `same` for what all of them have alike, `gateway`
 * for what the one knows that answers, which it then names; else what it reads and changes for all of them.
 */
export type OperationScope = SharedNeeds | 'same' | 'gateway'

/** An operation of the control plane; described as declared routes are. */
export interface ControlOperation {
  readonly route: RouteDefinition
  readonly scope: OperationScope
  /** @throws InputInvalid when the request does not fit */
  readonly read: InputReader
  /** A JSON value, or a `WholeResponse`. */
  answer(input: Input, request: ControlRequest): unknown
}

/** What an operation is described by. */
export interface OperationOptions {
  readonly summary: string
  readonly description?: string
  /** Query of a GET, JSON body of others; path parameters join both. */
  readonly input?: Schema
  readonly output?: Schema
  readonly tag: string
  readonly scope: OperationScope
}

/** Defines an operation below `/__sim`. */
export function defineOperation(
  method: Method,
  path: string,
  { summary, description, input, output, tag, scope }: OperationOptions,
  answer: ControlOperation['answer'],
): ControlOperation {
  const route = createRoute(method, `/__sim${path}`, {
    summary,
    tags: [tag],
    status: 200,
    ...(description !== undefined && { description }),
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
  })
  return { route, scope, read: createInputReader(route), answer }
}

/** Says which gateway an answer is about, where several share a state. */
export function nameGateway({ exchange, state }: Pick<ControlRequest, 'exchange' | 'state'>): void {
  if (state !== undefined) exchange.addHeaders('x-sim-state-gateway', state.gateway)
}

/** A response that is more than a JSON value with status 200. */
export class WholeResponse {
  readonly response: HttpResponse

  constructor(response: HttpResponse) {
    this.response = response
  }
}

/** A JSON Schema of a glob. */
export const GLOB: Schema = { type: 'string', minLength: 1, maxLength: 1000 }

/** A JSON Schema of an object with these fields and no others. */
export function fields(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema {
  return { type: 'object', properties, required: [...required], additionalProperties: false }
}

/** An object with its own keys, but not those further down, as JSON bodies have them: `durationMs` as `duration_ms`. */
export function snakeKeys(object: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [snakeCase(key), value]))
}
