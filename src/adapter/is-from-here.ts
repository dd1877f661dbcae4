import { isLoopback, isOwnName } from '../http/loopback.ts'
import { headerOf, type AdapterRequest } from './request.ts'

/** Whether a request comes from this machine, and from no page of the web that is open on it. */
export function isFromHere(request: AdapterRequest): boolean {
  const { remoteAddress } = request
  if (remoteAddress === undefined) return true
  const host = headerOf(request, 'host')
  const origin = headerOf(request, 'origin')
  return (
    isLoopback(remoteAddress) &&
    // A page may have its own name resolve to this machine, or send its requests here.
    (host === undefined || isOwnName(host)) &&
    (origin === undefined || isOwnName(URL.canParse(origin) ? new URL(origin).host : origin))
  )
}
