import { parseJsonText } from '../engine/json-text.ts'
import { isObject } from '../engine/schema/schema.ts'
import { SimError } from '../errors.ts'
import { readContent } from '../http/read-body.ts'
import { essenceOf } from '../media-type.ts'
import { JSON_TYPE, type Headers } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { negotiatorOf } from '../routing/negotiator.ts'

/** The type of answers for clients that do not know GraphQL's own. */
export const JSON_ONLY = JSON_TYPE
export const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8'
export const EVENTS_TYPE = 'text/event-stream'

/** What a request is to execute. */
export interface ReadRequests {
  readonly requests: readonly { query: string; operationName?: string; variables?: Record<string, unknown> }[]
  /** Whether they came as a list, and are answered by one. */
  readonly isBatch: boolean
}

/** Why a request cannot be executed at all. */
export interface HttpProblem {
  readonly status: number
  readonly problem: string
  readonly added?: readonly string[]
}

const MAX_BATCH = 10

/** The media type of an answer that a client takes; `undefined` where there is none. */
export function typeFor({ accept }: Headers): string | undefined {
  if (accept === undefined) return JSON_ONLY
  const types = ['application/json', 'application/graphql-response+json', EVENTS_TYPE]
  const [best] = negotiatorOf({ accept: [accept].flat().join(',') }).mediaTypes(types)
  if (best === undefined) return undefined
  return best === 'application/json' ? JSON_ONLY : best === EVENTS_TYPE ? EVENTS_TYPE : GRAPHQL_TYPE
}

/** Reads what a request is to execute (GraphQL over HTTP, section 5). */
export async function readRequests(exchange: Exchange): Promise<ReadRequests | HttpProblem> {
  const { method, search, headers } = exchange
  if (typeFor(headers) === undefined)
    return {
      status: 406,
      problem: `Answers are application/graphql-response+json, application/json or ${EVENTS_TYPE}`,
    }
  try {
    return method === 'GET' || method === 'HEAD' ? readQuery(search) : await readBody(exchange)
  } catch (error) {
    if (!SimError.is(error) || error.code !== 'SIM_INPUT_INVALID') throw error
    return { status: 400, problem: `The request is not JSON: ${error.message}` }
  }
}

function readQuery(search: string): ReadRequests | HttpProblem {
  const given = new URLSearchParams(search)
  const fields: Record<string, unknown> = {}
  for (const name of ['query', 'operationName', 'variables', 'extensions']) {
    const text = given.get(name)
    if (text === null) continue
    fields[name] =
      name === 'variables' || name === 'extensions'
        ? text === ''
          ? undefined
          : parseJsonText(text, [name])
        : text
  }
  return readRequest(fields)
}

async function readBody(exchange: Exchange): Promise<ReadRequests | HttpProblem> {
  const type = essenceOf(String(exchange.headers['content-type'] ?? ''))
  const bytes = await readContent(exchange.transport.body(), exchange.bodyStream(), exchange)
  const text = bytes.toString('utf8')
  if (type === 'application/graphql') return readRequest({ query: text })
  if (type !== 'application/json')
    return {
      status: 415,
      problem: `Expected a body of application/json, not ${type === '' ? 'one without a type' : type}`,
    }
  if (text === '') return readRequest(undefined)
  const body = parseJsonText(text, ['body'])
  if (!Array.isArray(body)) return readRequest(body)
  const list: readonly unknown[] = body
  if (list.length === 0 || list.length > MAX_BATCH)
    return { status: 400, problem: `A list of requests has 1 to ${MAX_BATCH}, and this one ${list.length}` }
  const read = list.map(readRequest)
  const problem = read.find((each): each is HttpProblem => 'problem' in each)
  return (
    problem ?? { requests: read.flatMap((each) => ('requests' in each ? each.requests : [])), isBatch: true }
  )
}

function readRequest(value: unknown): ReadRequests | HttpProblem {
  if (!isObject(value)) return { status: 400, problem: 'The request is not an object with a query' }
  const { query, operationName, variables, extensions } = value
  const wrong = (problem: string): HttpProblem => ({ status: 400, problem })
  if (typeof query !== 'string' || query === '') {
    const isPersisted = isObject(extensions) && extensions['persistedQuery'] !== undefined
    // What clients of Apollo take for "send it whole".
    return wrong(
      isPersisted ? 'PersistedQueryNotSupported' : "The request has no 'query', which must be a text",
    )
  }
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    return wrong("'operationName' must be a text")
  if (variables !== undefined && variables !== null && !isObject(variables))
    return wrong("'variables' must be an object")
  if (extensions !== undefined && extensions !== null && !isObject(extensions))
    return wrong("'extensions' must be an object")
  const request = {
    query,
    ...(typeof operationName === 'string' && { operationName }),
    ...(isObject(variables) && { variables }),
  }
  return { requests: [request], isBatch: false }
}
