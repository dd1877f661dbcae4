import type { CallOutcome } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { decodeSegment } from '../../routing/path-template.ts'
import type { CallForm, CallRequest } from '../calls/call.ts'
import { pathOf } from '../inference/sample.ts'
import type { Protocol } from './protocol.ts'

const calls: CallForm = {
  isOfPaths: true,
  roots: (samples) => [...new Set(samples.map((sample) => pathOf(sample).replace(/\/[^/]*$/, '')))],
  read(request) {
    const { method = 'GET', path = '' } = request
    const names = decodeSegment(path.slice(path.lastIndexOf('/') + 1)).split(',')
    const input = inputOf(request)
    const isBatch = isBatched(request)
    if ((isBatch && input !== undefined && !isObject(input)) || (!isBatch && names.length > 1))
      return undefined
    return names.map((name, at) => {
      const own = isBatch ? isObject(input) && input[at] : input
      return { name, args: argumentsIn(own), isChange: method !== 'GET' }
    })
  },
  outcomes({ body, status }, called) {
    const answers = [body].flat()
    return answers.length === called.length ? answers.map((each) => outcomeOf(each, status)) : undefined
  },
  write(outcomes, request) {
    const answers = outcomes.map(({ error, value }) =>
      error === undefined ? { result: value === undefined ? {} : { data: value } } : { error },
    )
    const statuses = outcomes.map(({ error, status = 500 }) => (error === undefined ? 200 : status))
    const [status = 200, ...others] = new Set(statuses)
    return { status: others.length > 0 ? 207 : status, body: isBatched(request) ? answers : answers[0] }
  },
}

/**
 * tRPC: each procedure has a path below that of the router, with a comma between those of a batch. The input is JSON, that
 * of queries in the query of the URL.
 */
export const trpc: Protocol = {
  name: 'tRPC',
  speaks({ method, response }) {
    const answers = [response].flat()
    return (method === 'GET' || method === 'POST') && answers.length > 0 && answers.every(isAnswer)
  },
  operations: () => () => undefined,
  calls,
  isUnknown: ({ response }) => isObject(response) && NO_PROCEDURE.test(messageOf(response['error'])),
}

const NO_PROCEDURE = /^No procedure found on path/

function isAnswer(value: unknown): boolean {
  if (!isObject(value)) return false
  const { result, error } = value
  if (isObject(result)) return Object.keys(result).every((name) => name === 'data')
  return isObject(error) && isObject(error['data']) && 'httpStatus' in error['data']
}

function isBatched({ query }: Pick<CallRequest, 'query'>): boolean {
  return query['batch'] !== undefined
}

function inputOf({ method, query, body }: CallRequest): unknown {
  if (method !== 'GET') return body
  const { input } = query
  if (typeof input !== 'string') return undefined
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

// A text or a number is one argument.
function argumentsIn(input: unknown): Readonly<Record<string, unknown>> {
  if (isObject(input)) return input
  return input === undefined || input === false ? {} : { input }
}

function outcomeOf(answer: unknown, status: number): CallOutcome {
  const { error, result } = isObject(answer) ? answer : {}
  if (error === undefined) return { value: isObject(result) ? result['data'] : undefined }
  const { httpStatus = status } = isObject(error) && isObject(error['data']) ? error['data'] : {}
  return { error, status: Number(httpStatus) }
}

function messageOf(error: unknown): string {
  return isObject(error) ? String(error['message']) : ''
}
