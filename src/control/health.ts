import { utf8Bytes } from '../message.ts'
import type { Recorder } from '../recording/capture/recorder.ts'
import type { StateHealth } from '../state/shared-state.ts'
import { defineOperation, fields, WholeResponse } from './operation.ts'

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
    const reasons = await reasonsOf(recorders())
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

function stateOf({ gateway, reachable, version, gateways, behind, lost }: StateHealth): unknown {
  return { gateway, reachable, version, gateways, behind, ...(lost !== undefined && { lost }) }
}

/** Whether the gateway should get traffic. */
export const ready = defineOperation(
  'GET',
  '/ready',
  {
    scope: 'gateway',
    tag: 'gateway',
    summary: 'Whether the gateway should get traffic',
    description: '503 where something that it must do does not work: see `require_recording`.',
    output: fields({ status: { enum: ['ready', 'not ready'] }, reasons: REASONS }),
  },
  async (_input, { recorders, mustRecord }) => {
    const reasons = mustRecord ? await reasonsOf(recorders()) : []
    if (reasons.length === 0) return { status: 'ready' }
    return new WholeResponse({
      status: 503,
      headers: ['content-type', 'application/json; charset=utf-8'],
      body: utf8Bytes(JSON.stringify({ status: 'not ready', reasons })),
    })
  },
)

async function reasonsOf(recorders: readonly Recorder[]): Promise<string[]> {
  const all = await Promise.all(recorders.map(async (each) => ({ each, stopped: await each.stopped() })))
  return all.flatMap(({ each: { directory }, stopped }) =>
    stopped === undefined
      ? []
      : [`Recording to ${directory} stopped at ${stopped.since.toISOString()}: ${stopped.reason}`],
  )
}
