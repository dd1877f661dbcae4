import { OperationTypeNode, type ExecutionResult, type GraphQLError } from 'graphql'
import type { GraphqlSource } from '../engine/graphql-source.ts'
import { HANDLED, jsonResponse, utf8Bytes, type Awaitable, type HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { EVENTS_TYPE, GRAPHQL_TYPE, JSON_ONLY, typeFor, type ReadRequests } from './http-request.ts'
import { serviceOf, type GraphqlRequest, type PreparedOperation } from './service.ts'
import { subscribeTo } from './subscription.ts'

type Result = ExecutionResult | { readonly errors: readonly GraphQLError[] }

/** Executes what a request asks and answers as GraphQL over HTTP has it: JSON, or a stream of events. */
export async function answerRequests(
  exchange: Exchange,
  source: GraphqlSource,
  { requests, isBatch }: ReadRequests,
): Promise<HttpResponse> {
  const service = await serviceOf(source)
  const type = typeFor(exchange.headers) ?? JSON_ONLY
  const [request] = requests as [GraphqlRequest]
  const prepared = requests.map((each) => service.prepare(each))
  const operations = prepared.flatMap((each) => ('operation' in each ? [each] : []))
  const isKind = (kind: OperationTypeNode): boolean =>
    operations.some(({ operation }) => operation.operation === kind)

  if (exchange.method !== 'POST' && isKind(OperationTypeNode.MUTATION))
    return written(405, { errors: [{ message: 'Mutations are sent by POST' }] }, type, ['allow', 'POST'])
  if (isBatch && (type === EVENTS_TYPE || isKind(OperationTypeNode.SUBSCRIPTION)))
    return written(400, { errors: [{ message: 'Subscriptions are not sent in a list' }] }, JSON_ONLY)
  if (type !== EVENTS_TYPE && isKind(OperationTypeNode.SUBSCRIPTION))
    return written(
      400,
      { errors: [{ message: `Subscriptions are answered with Accept: ${EVENTS_TYPE}, or by a WebSocket` }] },
      type,
    )

  const resultOf = (each: PreparedOperation | readonly GraphQLError[], at: number): Awaitable<Result> =>
    'operation' in each
      ? service.execute(each, requests[at] as GraphqlRequest, exchange.session)
      : { errors: each }
  if (type === EVENTS_TYPE) {
    const [only] = prepared
    if (only === undefined || !('operation' in only))
      return written(400, await resultOf(only ?? [], 0), JSON_ONLY)
    if (only.operation.operation !== OperationTypeNode.SUBSCRIPTION)
      return stream(exchange, [await service.execute(only, request, exchange.session)])
    const events = await subscribeTo(service, only, request, exchange.session)
    return Symbol.asyncIterator in events ? stream(exchange, events) : written(400, events, JSON_ONLY)
  }
  // One after the other: each sees what those before it have changed.
  const results: Result[] = []
  for (const [at, each] of prepared.entries()) results.push(await resultOf(each, at))
  const isRefused = results.every((result) => !('data' in result))
  // Clients that know no more than JSON take any other status for a failure of the connection.
  const status = isRefused && type === GRAPHQL_TYPE ? 400 : 200
  return written(status, isBatch ? results : results[0], type)
}

function written(status: number, body: unknown, type: string, added: readonly string[] = []): HttpResponse {
  const text = utf8Bytes(JSON.stringify(body))
  if (type === GRAPHQL_TYPE) return { status, headers: [...added, 'content-type', type], body: text }
  return jsonResponse(status, text, added)
}

const HEARTBEAT_MS = 12_000

/** Sends results as events, one connection for each operation (graphql-sse, distinct connections mode). */
function stream(
  exchange: Exchange,
  results: Iterable<ExecutionResult> | AsyncGenerator<ExecutionResult, void, void>,
): HttpResponse {
  const { node, responseHeaders } = exchange
  const { response } = node
  node.takeOver()
  const headers = [
    ...node.userHeaders(),
    ...responseHeaders,
    'content-type',
    `${EVENTS_TYPE}; charset=utf-8`,
    'cache-control',
    'no-cache',
  ]
  response.writeHead(200, headers)
  response.write(':\n\n')
  // A connection that says nothing for long may be cut on its way.
  const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS).unref()
  response.once('close', () => {
    clearInterval(heartbeat)
    if (Symbol.asyncIterator in results) void results.return(undefined)
  })
  void send(results, (text) => void response.write(text))
    .catch((error: Error) => void response.write(eventOf({ errors: [{ message: error.message }] })))
    .then(() => response.end('event: complete\ndata:\n\n'))
  return HANDLED
}

async function send(
  results: Iterable<ExecutionResult> | AsyncGenerator<ExecutionResult, void, void>,
  write: (text: string) => void,
): Promise<void> {
  for await (const result of results) write(eventOf(result))
}

function eventOf(result: unknown): string {
  return `event: next\ndata: ${JSON.stringify(result)}\n\n`
}
