import type { AddressInfo } from 'node:net'
import { createTokenList } from '../http/credentials.ts'
import { isLoopback, isOwnName } from '../http/loopback.ts'
import { ControlRefused, OptionInvalid, Unauthorized } from '../errors.ts'
import type { HttpRequest } from '../message.ts'
import type { Exchange } from '../pipeline/exchange.ts'

/** Whether a call is to the control plane, which nothing else ever answers. */
export function isControl({ path }: Pick<HttpRequest, 'path'>): boolean {
  return path === '/__sim' || path.startsWith('/__sim/')
}

/** Who may use the control plane. */
export interface GuardOptions {
  /** The bearer token that opens it, from wherever a request comes. */
  readonly adminToken?: string | undefined
  /** Where the server listens; empty while it does not, as for requests that are injected. */
  readonly addresses: () => readonly (AddressInfo | string)[]
}

/**
 * Lets requests pass that may use the control plane. With a token, those that have it; without one, those of clients
 * on this machine, and only while nobody else can reach the server at all.
 * @throws Unauthorized without the token; ControlRefused for all others
 */
export type Guard = (exchange: Pick<Exchange, 'transport' | 'host' | 'headers'>) => void

/** @throws OptionInvalid for a token that no header can carry, or that is easily guessed */
export function checkToken(adminToken: string | undefined): void {
  if (adminToken === undefined || /^[\w.~+/=-]{8,}$/.test(adminToken)) return
  throw new OptionInvalid('The admin token must be 8 or more letters, digits or . _ ~ + / = -')
}

/** Makes the guard of one gateway's control plane. */
export function createGuard({ adminToken, addresses }: GuardOptions): Guard {
  if (adminToken !== undefined) {
    const tokens = createTokenList([adminToken])
    return ({ headers }) => {
      if (!tokens.has(String(headers['authorization'] ?? ''))) throw new Unauthorized()
    }
  }
  return ({ transport, host, headers }) => {
    const open = addresses().find((address) => typeof address !== 'string' && !isLoopback(address.address))
    if (open !== undefined) throw new ControlRefused(BEYOND)
    const { remoteAddress } = transport
    // Who comes through a socket file has no address.
    if (remoteAddress !== undefined && !isLoopback(remoteAddress)) throw new ControlRefused(BEYOND)
    // A page of the web may have its own name resolve to this machine, or send its requests here.
    if (!isOwnName(host)) throw new ControlRefused(`'${host}' ${FOREIGN}`)
    const origin = headers['origin']
    if (typeof origin === 'string' && !isOwnName(authorityOf(origin)))
      throw new ControlRefused(`'${origin}' ${FOREIGN}`)
  }
}

const BEYOND =
  'The control plane answers only clients on this machine, and is off while the gateway listens beyond loopback. ' +
  'Set an admin token (--admin-token or SIM_ADMIN_TOKEN) and send it as Authorization: Bearer <token>'
const FOREIGN = 'is not the name of this machine: ask the control plane at 127.0.0.1 or localhost'

function authorityOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin
}
