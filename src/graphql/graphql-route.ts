import type { GraphqlSource } from '../engine/graphql-source.ts'
import { SimError } from '../errors.ts'
import { isWebSocket, upgradeOf } from '../http/upgrade.ts'
import { HANDLED, jsonResponse, utf8Bytes, type HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Handler, Route } from '../pipeline/route.ts'
import { JSON_ONLY, readRequests, typeFor, type HttpProblem, type ReadRequests } from './http-request.ts'

/** Where browsers and people without a client see what to do. */
const HINT =
  'This is a GraphQL endpoint. Send a query by POST as JSON, {"query": "{ __typename }"}, or open it in a GraphQL client.\n'

/** What reads and answers requests to a GraphQL schema. */
export function graphqlRoute(source: GraphqlSource): Pick<Route, 'readInput' | 'handlerFor' | 'formatError'> {
  const requests = new WeakMap<Exchange, ReadRequests | HttpProblem>()
  const readInput = async (exchange: Exchange): Promise<Record<string, never>> => {
    if (wantsSocket(exchange)) return {}
    const [{ serviceOf }, read] = await Promise.all([import('./service.ts'), readRequests(exchange)])
    requests.set(exchange, read)
    if ('problem' in read) return {}
    const service = await serviceOf(source)
    exchange.operations = read.requests.flatMap((request) => {
      const prepared = service.prepare(request)
      return 'operation' in prepared ? prepared.names : []
    })
    return {}
  }
  const handle: Handler = async (exchange) => {
    exchange.source = 'engine'
    if (wantsSocket(exchange)) {
      const { openSocket } = await import('./web-socket.ts')
      return openSocket(exchange, source)
    }
    const read = requests.get(exchange)
    if (read === undefined || 'problem' in read) return refuse(exchange, read)
    const { answerRequests } = await import('./answer-request.ts')
    return answerRequests(exchange, source, read)
  }
  return {
    readInput,
    handlerFor: () => handle,
    formatError: (error, exchange) => (SimError.is(error) ? errorAnswer(error, exchange) : undefined),
  }
}

// Other upgrades are left aside (RFC 9110, section 7.8).
function wantsSocket({ method, transport }: Exchange): boolean {
  const request = transport.node?.request
  return method === 'GET' && request !== undefined && isWebSocket(request) && upgradeOf(request) !== undefined
}

function refuse(exchange: Exchange, read: HttpProblem | undefined): HttpResponse {
  const { method, headers } = exchange
  if (read === undefined) return HANDLED
  if (method === 'GET' && exchange.search === '' && String(headers['accept']).includes('text/html'))
    return { status: 200, headers: ['content-type', 'text/plain; charset=utf-8'], body: HINT }
  const { status, problem, added = [] } = read
  return errors(status, [{ message: problem }], typeFor(headers) ?? JSON_ONLY, added)
}

// What the gateway itself refuses, in the form that clients of GraphQL read.
function errorAnswer(error: SimError, { headers }: Exchange): HttpResponse {
  const added = Object.entries(error.headers).flat()
  const body = { message: error.message, extensions: { code: error.code } }
  return errors(error.statusCode, [body], typeFor(headers) ?? JSON_ONLY, added)
}

function errors(
  status: number,
  list: readonly unknown[],
  type: string,
  added: readonly string[],
): HttpResponse {
  const text = utf8Bytes(JSON.stringify({ errors: list }))
  if (type === JSON_ONLY) return jsonResponse(status, text, added)
  return { status, headers: [...added, 'content-type', type], body: text }
}
