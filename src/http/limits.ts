import type { IncomingMessage, ServerOptions } from 'node:http'
import { GatewayResponse } from './turns.ts'

/** What a client may ask of the server before it is known what for. */
export interface Limits {
  /** The most bytes that the header of a request may have, its first line included; past it, 431. Default: 16 KiB. */
  readonly maxHeaderBytes?: number | undefined
  /** How long a client may take to send its header; past it, 408 and the connection ends. Default: half a minute. */
  readonly headerTimeoutMs?: number | undefined
}

const HEADER_TIMEOUT_MS = 30_000

/** How long a client may take to say what it wants, whatever it speaks. */
export function headerTimeoutOf({ headerTimeoutMs = HEADER_TIMEOUT_MS }: Limits = {}): number {
  return headerTimeoutMs
}

const CHECK_MS = 5_000

/** How a gateway's server reads requests. */
export function serverOptions(
  limits?: Limits,
): ServerOptions<typeof IncomingMessage, typeof GatewayResponse> {
  // A request without Host is refused as all malformed ones are, so that nothing after it is read.
  return { ServerResponse: GatewayResponse, requireHostHeader: false, ...serverLimits(limits) }
}

/** As many headers as come are read: one left out might be the one that says where the body ends. */
export const MAX_HEADERS = 0

/** Bodies may take as long as they like, since streams may be slow; headers may not. */
function serverLimits(limits: Limits = {}): ServerOptions {
  const { maxHeaderBytes } = limits
  const headerTimeoutMs = headerTimeoutOf(limits)
  return {
    headersTimeout: headerTimeoutMs,
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(CHECK_MS, headerTimeoutMs),
    ...(maxHeaderBytes !== undefined && { maxHeaderSize: maxHeaderBytes }),
  }
}
