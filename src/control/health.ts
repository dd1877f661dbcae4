import { StateBehind, StateLost, StateUnavailable, type SimError } from '../errors.ts'
import { utf8Bytes } from '../message.ts'
import type { Recorder } from '../recording/capture/recorder.ts'
import type { StateHealth } from '../state/shared-state.ts'
import { defineOperation, fields, WholeResponse, type ControlParts } from './operation.ts'

const REASONS = {
  type: 'array',
  items: { type: 'string' },
  description: 'What does not work as it should; absent where all does',
} as const

/** Whether the gateway is there, and what it is. */
export const health = defineOperation(
  'GET',
  '/health',
  {
    scope: 'gateway',
    tag: 'gateway',
    summary: 'Whether the gateway answers, and what it is',
    output: fields({
      status: { enum: ['ok', 'degraded'] },
      reasons: REASONS,
      mode: { type: 'string' },
      seed: { type: ['integer', 'string'] },
      routes: { type: 'integer' },
      sessions: { type: 'integer' },
      requests: { type: 'integer', description: 'Requests in the journal of the session' },
      state: {
        ...fields({
          gateway: { type: 'string', description: 'What this one is called' },
          engine: { type: 'string', description: 'What keeps it, such as Redis 7.0.15' },
          reachable: { type: 'boolean' },
          version: { type: 'integer', description: 'The latest change of the control plane in force here' },
          gateways: { type: 'array', items: { type: 'string' } },
          behind: { type: 'boolean', description: 'Whether this one lacks a change, and so answers nothing' },
          lost: { type: 'string', description: 'What the server has lost; absent where nothing' },
        }),
        description: 'The state that gateways share; absent where this one is alone',
      },
    }),
  },
  async (_input, { engine, session, sessions, modes, recorders, state }) => {
    const reasons = await reasonsOf(recorders.all())
    return {
      status: reasons.length === 0 ? 'ok' : 'degraded',
      ...(reasons.length > 0 && { reasons }),
      mode: modes.settings.mode,
      seed: session.seed,
      routes: engine.routes.length,
      sessions: sessions.all().length,
      requests: session.journal.size,
      ...(state !== undefined && { state: stateOf(state.health()) }),
    }
  },
)

function stateOf({ gateway, engine, reachable, version, gateways, behind, lost }: StateHealth): unknown {
  return { gateway, engine, reachable, version, gateways, behind, ...(lost !== undefined && { lost }) }
}

/** Where a balancer looks whether a gateway should get traffic. */
export const READY_PATH = '/__sim/ready'

/** Whether the gateway should get traffic. */
export const ready = defineOperation(
  'GET',
  '/ready',
  {
    scope: 'gateway',
    tag: 'gateway',
    summary: 'Whether the gateway should get traffic',
    description:
      'A gateway that is to end says so here first, to those who look again and again. 503 where something that it must do does not work: see `require_recording`, or where it cannot answer as the other gateways of a shared state do. Who may not use the control plane gets the status alone.',
    output: fields({
      status: { enum: ['ready', 'not ready'] },
      code: { type: 'string', description: 'What requests that need the state are answered with' },
      reasons: REASONS,
    }),
  },
  (_input, parts) => readiness(parts),
)

/** Whether the gateway should get traffic, as a response. */
export async function readiness({
  recorders,
  mustRecord,
  state,
  leaving,
}: Pick<ControlParts, 'recorders' | 'mustRecord' | 'state' | 'leaving'>): Promise<WholeResponse> {
  const problem = state && problemOf(state.health())
  const reasons = [
    ...(leaving.hasBegun ? ['It is about to end, and answers what is under way'] : []),
    ...(mustRecord ? await reasonsOf(recorders.all()) : []),
    ...(problem === undefined ? [] : [problem.message]),
  ]
  const code = problem && { code: problem.code }
  const answer = reasons.length === 0 ? { status: 'ready' } : { status: 'not ready', ...code, reasons }
  return new WholeResponse({
    status: reasons.length === 0 ? 200 : 503,
    headers: [
      ...['content-type', 'application/json; charset=utf-8'],
      ...(problem === undefined ? [] : ['x-sim-code', problem.code, 'retry-after', '1']),
    ],
    body: utf8Bytes(JSON.stringify(answer)),
  })
}

// What a request that needs the state would meet.
function problemOf({ lost, reachable, why = '', behind }: StateHealth): SimError | undefined {
  if (lost !== undefined) return new StateLost(lost)
  if (!reachable) return new StateUnavailable(why)
  return behind ? new StateBehind('it has not applied all of it yet') : undefined
}

async function reasonsOf(recorders: readonly Recorder[]): Promise<string[]> {
  const all = await Promise.all(recorders.map(async (each) => ({ each, stopped: await each.stopped() })))
  return all.flatMap(({ each: { directory }, stopped }) =>
    // Where another gateway records, this one lacks nothing.
    stopped === undefined || stopped.why === 'elsewhere'
      ? []
      : [`Recording to ${directory} stopped at ${stopped.since.toISOString()}: ${stopped.reason}`],
  )
}
