import type { ServerResponse } from 'node:http'
import type { ControlRequest } from './operation.ts'

/** Begins a response of server-sent events, which ends when the gateway closes. */
export function openEvents({ exchange, closing, state }: ControlRequest, comment: string): ServerResponse {
  const { response, takeOver } = exchange.node
  takeOver.call(exchange.node)
  response.writeHead(200, {
    ...{ 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    ...(state !== undefined && { 'x-sim-state-gateway': state.gateway }),
  })
  response.write(`: ${comment}\n\n`)
  const end = (): void => void response.end()
  closing.addEventListener('abort', end)
  response.once('close', () => closing.removeEventListener('abort', end))
  return response
}
