import { utf8Bytes } from '../message.ts'
import type { Recorder } from '../recording/capture/recorder.ts'
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
    }),
  },
  async (_input, { engine, session, sessions, modes, recorders }) => {
    const reasons = await reasonsOf(recorders())
    return {
      status: reasons.length === 0 ? 'ok' : 'degraded',
      ...(reasons.length > 0 && { reasons }),
      mode: modes.settings.mode,
      seed: session.seed,
      routes: engine.routes.length,
      sessions: sessions.all().length,
      requests: session.journal.size,
    }
  },
)

/** Whether the gateway should get traffic. */
export const ready = defineOperation(
  'GET',
  '/ready',
  {
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
