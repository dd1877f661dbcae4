import { METHODS, validateHeaderName, validateHeaderValue } from 'node:http'
import { InputInvalid, OverrideNotFound } from '../errors.ts'
import type { Input } from '../engine/input.ts'
import type { OverrideRule } from '../state/overrides.ts'
import { defineOperation, fields, GLOB, snakeKeys, type ControlRequest } from './operation.ts'

const text = { type: 'string' }
const RULE = {
  route: { ...text, description: 'The key of a declared route, such as GET /users/{id}' },
  method: { enum: METHODS },
  path: { ...GLOB, description: 'A glob over the path, in place of a route or beside it' },
  status: { type: 'integer', minimum: 200, maximum: 599 },
  headers: { type: 'object', additionalProperties: text },
  body: { description: 'The body as JSON' },
  text: { ...text, description: 'The body as a text' },
  base64: { ...text, description: 'The body as bytes' },
  latency_ms: { type: 'number', minimum: 0, description: 'How long the answer is held' },
  times: {
    type: 'integer',
    minimum: 1,
    description: 'For how many requests; until it is removed, if it is left out',
  },
}
const OVERRIDE = fields({ id: { type: 'integer' }, used: { type: 'integer' }, ...RULE })
const LIST = { type: 'array', items: OVERRIDE }

/** Answers that are given in place of others, in a session. */
export const overrides = [
  defineOperation(
    'GET',
    '/overrides',
    {
      scope: { reads: ['session'] },
      tag: 'overrides',
      summary: 'The answers that are given in place of others',
      output: LIST,
    },
    (_input, request) => listOf(request),
  ),
  defineOperation(
    'POST',
    '/overrides',
    {
      scope: { changes: ['session'] },
      tag: 'overrides',
      summary: 'Give one answer in place of what would be answered',
      description:
        'To requests of a route, or with a method and path, of the session; once, several times, or until it is removed. ' +
        'The first that fits answers.',
      input: fields(RULE, ['status']),
      output: OVERRIDE,
    },
    (input, { engine, session }) => {
      const rule = ruleOf(input)
      const { route } = rule
      if (route !== undefined && !engine.routes.some(({ key }) => key === route))
        throw invalid('route', `There is no route '${route}'; GET /__sim/routes lists them`, route)
      return snakeKeys(session.overrides.add(rule))
    },
  ),
  defineOperation(
    'DELETE',
    '/overrides',
    { scope: { changes: ['session'] }, tag: 'overrides', summary: 'Remove all of them', output: LIST },
    (_input, request) => {
      request.session.overrides.clear()
      return listOf(request)
    },
  ),
  defineOperation(
    'DELETE',
    '/overrides/{id}',
    {
      scope: { changes: ['session'] },
      tag: 'overrides',
      summary: 'Remove one of them',
      input: fields({ id: { type: 'integer' } }),
      output: LIST,
    },
    ({ id }, request) => {
      if (!request.session.overrides.remove(Number(id))) throw new OverrideNotFound(Number(id))
      return listOf(request)
    },
  ),
]

function listOf({ session }: ControlRequest): unknown {
  return session.overrides.all.map(snakeKeys)
}

function ruleOf({ latency_ms: latencyMs, ...rest }: Input): OverrideRule {
  const rule = { ...rest, ...(latencyMs !== undefined && { latencyMs }) } as unknown as OverrideRule
  for (const [name, value] of Object.entries(rule.headers ?? {})) {
    try {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    } catch (error) {
      throw invalid('headers', (error as Error).message, name)
    }
  }
  return rule
}

function invalid(field: string, msg: string, input: unknown): InputInvalid {
  return new InputInvalid([{ type: field, loc: ['body', field], msg, input }])
}
