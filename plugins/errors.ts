import type { FailureAnswer } from '../src/engine/chaos-rule.ts'
import { bytesOf } from '../src/engine/known-answer.ts'
import { remembered } from '../src/engine/lazy.ts'
import { chaosDraws } from '../src/engine/random.ts'
import { isObject } from '../src/engine/schema/schema.ts'
import { SimulatedFailure, UsageInvalid } from '../src/errors.ts'
import { JSON_TYPE, jsonResponse, utf8Bytes, type HttpResponse } from '../src/message.ts'
import type { Exchange } from '../src/pipeline/exchange.ts'
import { FLAG, listOf, number, whole, type Form } from '../src/pipeline/option.ts'
import type { Plugin } from '../src/pipeline/route.ts'

const DEFAULT_CODES: readonly number[] = [404, 500]
const DEFAULT_DETAIL = 'Simulated error'
const DEFAULT_BODY = utf8Bytes(JSON.stringify({ detail: DEFAULT_DETAIL }))
const TEXT_TYPE = 'text/plain; charset=utf-8'
const STATUS = whole(200, 599, 'a status')
const FAILURE = whole(400, 599, 'a status')

const STEP: Form = {
  check: (value) => STATUS.check(isObject(value) ? value['status'] : undefined),
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      status: {
        ...STATUS.schema,
        description: '200 goes on to the ordinary answer; any other status ends the request.',
      },
      detail: { description: `The body's detail. Default: ${DEFAULT_DETAIL}.` },
      body: { description: 'The whole body, in place of one with a detail.' },
    },
    required: ['status'],
  },
}

// Files say in another form when they apply, which is written by hand in the schema of config files.
const CASE: Form = {
  check: (value) =>
    isObject(value) && typeof value['when'] === 'function' && value['status'] !== 422
      ? STEP.check(value)
      : 'a mapped error',
}

const ERROR_ANSWERS: Form = {
  check: (value) =>
    isObject(value) &&
    Object.entries(value).every(([code, each]) => code.startsWith('SIM_') && fitsAnswer(each))
      ? undefined
      : "answers by the codes of errors, such as { SIM_ITEM_NOT_FOUND: { body: { message: 'No {id}' } } }",
  schema: {
    type: 'object',
    propertyNames: { pattern: '^SIM_' },
    additionalProperties: {
      type: 'object',
      additionalProperties: false,
      properties: {
        status: { ...STATUS.schema, description: 'Default: that of the error.' },
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        body: { description: 'The body as JSON.' },
        text: { type: 'string', description: 'The body as a text.' },
        messages: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description:
            'What {message} stands for, by what is wrong with a field: missing, type_error, enum and so on.',
        },
      },
    },
  },
}

function fitsAnswer(value: unknown): boolean {
  if (!isObject(value)) return false
  const { status = 400, headers = {}, text = '', messages = {}, body: _body, ...others } = value
  return (
    STATUS.check(status) === undefined &&
    isObject(headers) &&
    isObject(messages) &&
    [text, ...Object.values(headers), ...Object.values(messages)].every((each) => typeof each === 'string') &&
    Object.keys(others).length === 0
  )
}

/** How a request fails. */
interface Failure {
  readonly status: number
  readonly detail?: unknown
  /** The whole body, in place of one with a `detail`. */
  readonly body?: unknown
  /** The body as a text, and its media type. */
  readonly text?: string | undefined
  readonly type?: string | undefined
}

/** Fails requests on purpose: mapped errors first, then the scenario's step, then the session's rules and the error rate. */
export const errors: Plugin = {
  name: 'errors',
  options: {
    errorRate: {
      ...number(0, 1, 'a number from 0 to 1'),
      describe: 'Share of requests that fail, 0 to 1.',
      group: 'Chaos',
      flag: { name: 'error-rate', isCommon: true },
    },
    errorCodes: {
      ...listOf(FAILURE, 'a list of statuses from 400 to 599'),
      describe: 'Statuses of the failures that error_rate causes. Default: 404 and 500.',
      group: 'Chaos',
      flag: {
        name: 'error-codes',
        as: 'string',
        describe: 'Statuses they fail with, such as 500,503',
        read: (codes: string) => codes.split(',').map(readFailure),
      },
    },
    errors: {
      ...listOf(CASE, 'a list of ErrorCase({ when, status, detail, body, text }) with any status but 422'),
      describe: 'Errors that answer instead of the model, the first that applies.',
    },
    errorAnswers: {
      ...ERROR_ANSWERS,
      see: 'options.md#error-answers',
      describe: 'What is answered in place of errors of the gateway’s own, by their codes.',
    },
    problemDetails: {
      ...FLAG,
      describe:
        'Errors that nothing describes are application/problem+json (RFC 9457), where the client accepts that.',
      group: 'Routes',
      flag: { name: 'problem-details', describe: 'Answer errors as application/problem+json (RFC 9457)' },
    },
    scenario: {
      ...listOf(STEP, 'a list of ScenarioStep({ status, detail, body })'),
      describe: 'A sequence of statuses: step n answers the n-th request, the last step all that follow.',
    },
  },
  plan(route, { scenarios, chaos, seed }) {
    const { policies } = route
    const { errors: cases = [], scenario = [], errorRate = 0, errorCodes = [] } = policies
    const codes = errorCodes.length === 0 ? DEFAULT_CODES : errorCodes
    const isRuled =
      policies.chaos?.errors !== undefined || chaos.rules.some(({ rule }) => rule.errors !== undefined)
    if (cases.length === 0 && scenario.length === 0 && errorRate <= 0 && !isRuled) return undefined

    // One for all that fail with a status: it says nothing of a request, and costs more than the rest of the answer.
    const simulated = remembered((status: number) => new SimulatedFailure(status, DEFAULT_DETAIL))
    // What nobody gave a body has the one that its description says.
    const failed = (exchange: Exchange, failure: Failure): HttpResponse => {
      const isOpen =
        failure.text === undefined &&
        failure.body === undefined &&
        (failure.detail ?? undefined) === undefined
      const error = isOpen && failure.status >= 400 && simulated(failure.status)
      return (error && route.formatError?.(error, exchange)) || responseOf(failure)
    }
    const fail = (exchange: Exchange, rule: string, failure: Failure): HttpResponse => {
      chaos.log.add({ route: exchange.key, ordinal: exchange.ordinal, rule, status: failure.status })
      return failed(exchange, failure)
    }

    const stepOf = (exchange: Exchange, before: number): HttpResponse | undefined => {
      exchange.step = before
      const step = scenario[Math.min(scenario.length - 1, before)]
      if (step !== undefined && step.status !== 200) return fail(exchange, 'scenario', step)
      return drawn(exchange)
    }
    const drawn = (exchange: Exchange): HttpResponse | undefined => {
      const { status, answer } = exchange.chaos ?? {}
      if (status !== undefined) exchange.source = 'fault'
      if (status !== undefined)
        return answer === undefined ? failed(exchange, { status }) : given(status, answer)
      if (errorRate <= 0) return undefined
      const draw = chaosDraws(seed, 'errors', exchange.key, exchange.ordinal)
      if (draw() >= errorRate) return undefined
      const code = codes[Math.floor(draw() * codes.length)] ?? 500
      exchange.source = 'fault'
      return fail(exchange, 'error rate', { status: code })
    }

    return (exchange) => {
      const { input, key, known } = exchange
      for (const each of known === undefined ? cases : [])
        if (each.when(input, exchange))
          return fail(exchange, 'mapped error', { ...each, detail: each.detail ?? 'Invalid request' })
      if (scenario.length === 0) return drawn(exchange)
      const before = scenarios.next(key)
      return before instanceof Promise
        ? before.then((known) => stepOf(exchange, known))
        : stepOf(exchange, before)
    }
  },
}

function responseOf({ status, detail, body, text, type = TEXT_TYPE }: Failure): HttpResponse {
  if (text !== undefined) return { status, headers: ['content-type', type], body: utf8Bytes(text) }
  if (body !== undefined) return jsonResponse(status, utf8Bytes(JSON.stringify(body)))
  const said = detail ?? DEFAULT_DETAIL
  return jsonResponse(
    status,
    said === DEFAULT_DETAIL ? DEFAULT_BODY : utf8Bytes(JSON.stringify({ detail: said })),
  )
}

function given(status: number, answer: FailureAnswer): HttpResponse {
  const type = answer.body === undefined ? [] : ['content-type', JSON_TYPE]
  const headers = answer.headers === undefined ? type : Object.entries(answer.headers).flat()
  return { status, headers, body: bytesOf(answer) }
}

function readFailure(text: string): number {
  if (FAILURE.check(Number(text)) === undefined) return Number(text)
  throw new UsageInvalid(
    `--error-codes must be statuses from 400 to 599 such as 500,503; '${text}' is not one`,
  )
}
