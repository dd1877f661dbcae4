import type { LookupFunction } from 'node:net'
import type { HttpRequest } from '../../message.ts'
import type { HeaderChanges } from './header-changes.ts'

/** Where a request that is forwarded goes, and how. */
export interface Target {
  /** Scheme, host and port of the server, such as `http://127.0.0.1:3000`. */
  readonly origin: string
  /** Path and query to ask for. */
  readonly url: string
  /** What is done to the headers on the way there. */
  readonly requestHeaders: HeaderChanges
  /** What is done to the headers of the answer. */
  readonly responseHeaders: HeaderChanges
  /**
   * Resolves the server's name and refuses addresses that may not be reached. A connection must be made with it, so
   * that the address that was checked is the one connected to. Absent for the servers that the operator named.
   */
  readonly lookup: LookupFunction | undefined
}

/** Where a tunnel goes. */
export interface TunnelTarget {
  /** The name or address, without the brackets of IPv6. */
  readonly hostname: string
  readonly port: number
  /** As of `Target`. */
  readonly lookup: LookupFunction
}

/** Knows where requests go. */
export interface Targets {
  /** Whether the operator named a server at all. */
  readonly hasUpstream: boolean
  /**
   * The target of a call; `undefined` when there is none, which is a 404.
   * @param isProxied whether the client named the host as that of a proxy's target: in absolute form, or by CONNECT
   * @throws TargetRefused when the host may not be forwarded to
   */
  of(call: HttpRequest, isProxied: boolean): Target | undefined
  /**
   * The target of a CONNECT, by its authority as the client wrote it.
   * @throws TargetRefused when the host may not be forwarded to, or the authority is none
   */
  tunnel(authority: string): TunnelTarget
}
