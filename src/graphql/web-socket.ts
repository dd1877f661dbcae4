import { OperationTypeNode, GraphQLError, type ExecutionArgs } from 'graphql'
import { GRAPHQL_TRANSPORT_WS_PROTOCOL, makeServer } from 'graphql-ws'
import type { WebSocket } from 'ws'
import type { GraphqlSource } from '../engine/graphql-source.ts'
import { acceptWebSocket } from '../http/accept-web-socket.ts'
import { MAX_BODY_BYTES } from '../http/read-body.ts'
import { upgradeOf, type Upgrade } from '../http/upgrade.ts'
import { HANDLED, type HttpResponse } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { serviceOf, type GraphqlRequest, type PreparedOperation } from './service.ts'
import { subscribeTo } from './subscription.ts'

const MAX_SUBSCRIPTIONS = 100

/** What an operation of a WebSocket is executed with. */
interface SocketArgs extends ExecutionArgs {
  readonly prepared: PreparedOperation
  readonly request: GraphqlRequest
}

/**
 * Accepts a WebSocket of the protocol `graphql-transport-ws`, by which all operations may come.
 * @throws RequestMalformed when the handshake is not one
 */
export async function openSocket(exchange: Exchange, source: GraphqlSource): Promise<HttpResponse> {
  const { node, session } = exchange
  const { request, response } = node
  const upgrade = upgradeOf(request) as Upgrade
  const service = await serviceOf(source)
  const protocol = makeServer({
    schema: service.schema,
    onSubscribe(context, _id, payload): SocketArgs | readonly GraphQLError[] {
      if (Object.keys(context.subscriptions).length > MAX_SUBSCRIPTIONS)
        return [new GraphQLError(`A connection has at most ${MAX_SUBSCRIPTIONS} operations at once`)]
      const own: GraphqlRequest = {
        query: payload.query,
        operationName: payload.operationName ?? undefined,
        variables: payload.variables ?? undefined,
      }
      const prepared = service.prepare(own)
      if (!('operation' in prepared)) return prepared
      const { document } = prepared
      const isKnown =
        prepared.operation.operation !== OperationTypeNode.SUBSCRIPTION ||
        service.schema.getSubscriptionType() !== undefined
      if (!isKnown) return [new GraphQLError('The schema has no subscriptions')]
      return {
        schema: service.schema,
        document,
        operationName: own.operationName ?? null,
        prepared,
        request: own,
      }
    },
    execute: (args) => {
      const { prepared, request: own } = args as unknown as SocketArgs
      return service.execute(prepared, own, session)
    },
    subscribe: (args) => {
      const { prepared, request: own } = args as unknown as SocketArgs
      return subscribeTo(service, prepared, own, session)
    },
  })
  const takeOver = (): void => {
    exchange.endStatus = 101
    node.takeOver()
  }
  acceptWebSocket(
    { request, response, upgrade, takeOver },
    {
      maxPayload: MAX_BODY_BYTES,
      handleProtocols: (offered) =>
        offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) ? GRAPHQL_TRANSPORT_WS_PROTOCOL : false,
    },
    (socket) => connect(socket, protocol),
  )
  return HANDLED
}

function connect(socket: WebSocket, protocol: ReturnType<typeof makeServer>): void {
  let hear: (text: string) => Promise<void> = async () => undefined
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (text) =>
        new Promise<void>((resolve, reject) => {
          socket.send(text, (error) => (error === undefined || error === null ? resolve() : reject(error)))
        }),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (listener) => {
        hear = listener
      },
    },
    { socket },
  )
  socket.on('message', (data: Buffer) => {
    // It closes the connection itself where a message is not of the protocol.
    hear(data.toString()).catch(() => socket.terminate())
  })
  socket.once('close', (code, reason) => void closed(code, reason.toString()))
}
