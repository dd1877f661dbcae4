import { compileRules } from '../state/chaos.ts'
import { readChaos, rulesOf, toData } from '../../plugins/chaos/read-rules.ts'
import { CHAOS_SCHEMA } from '../../plugins/chaos/chaos-schema.ts'
import type { Session } from '../state/session.ts'
import { defineOperation, fields, snakeKeys } from './operation.ts'

/** The JSON Schema of what chaos did to one request. */
export const CHAOS_ENTRY = fields({
  route: { type: 'string' },
  ordinal: { type: 'integer', description: 'How many requests of the route came before' },
  rule: { type: 'string' },
  latency_ms: { type: 'number' },
  status: { type: 'integer' },
  fault: { type: 'string' },
})

const STATE = fields({
  seed: { type: ['integer', 'string'] },
  rules: { type: 'array', items: { type: 'object' } },
  log: {
    type: 'array',
    description: 'What chaos did, the newest first',
    items: CHAOS_ENTRY,
  },
})

const LOGGED = 1000

/** The chaos of a session. */
export const chaos = [
  defineOperation(
    'GET',
    '/chaos',
    {
      scope: { reads: ['faults'] },
      tag: 'chaos',
      summary: 'The rules in force, the seed, and what chaos did so far',
      input: fields({ limit: { type: 'integer', minimum: 0, default: LOGGED } }),
      output: STATE,
    },
    ({ limit }, { session }) => stateOf(session, Number(limit)),
  ),
  defineOperation(
    'PUT',
    '/chaos',
    {
      scope: { reads: ['faults'], changes: ['session'] },
      tag: 'chaos',
      summary: 'Put other rules in place, from now on',
      input: CHAOS_SCHEMA,
      output: STATE,
    },
    (input, { session }) => {
      session.chaos.use(compileRules(rulesOf(readChaos(input))))
      return stateOf(session, LOGGED)
    },
  ),
  defineOperation(
    'DELETE',
    '/chaos',
    {
      scope: { reads: ['faults'], changes: ['session'] },
      tag: 'chaos',
      summary: 'End all chaos, and forget what it did',
      output: STATE,
    },
    async (_input, { session }) => {
      session.chaos.use([])
      await session.chaos.log.clear()
      return stateOf(session, LOGGED)
    },
  ),
]

function stateOf({ seed, chaos: { rules, log } }: Session, limit: number): unknown {
  return {
    seed,
    rules: rules.map(({ name, rule }) => toData({ name, ...rule })),
    log: log.newest().slice(0, limit).map(snakeKeys),
  }
}
