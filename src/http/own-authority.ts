import type { Socket } from 'node:net'
import { readHost } from '../routing/host.ts'
import { isLoopback, plainAddress } from './ip-address.ts'

/** Whether an authority is the one that a connection to this server was made to, so that no other server is meant. */
export function isOwnAuthority(authority: string, socket: Socket | undefined): boolean {
  const { localAddress, localPort } = socket ?? {}
  const host = readHost(authority)
  if (host === undefined || localAddress === undefined || (host.port ?? 80) !== localPort) return false
  const own = plainAddress(localAddress)
  return host.name === 'localhost' ? isLoopback(own) : plainAddress(host.name) === own
}
