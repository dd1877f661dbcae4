import { randomBytes } from 'node:crypto'
import type { Headers } from '../message.ts'

/** What a request is called in logs, in errors, and by the servers that it is forwarded to. */
export interface RequestIds {
  /** The id that its client gave it, or one of its own. */
  of(request: Identified): string
  /** The same for what is about to be forwarded; absent where the client gave it one that goes along as it is. */
  forUpstream(request: Identified): string | undefined
}

/** What an id is made of. */
interface Identified {
  readonly headers: Headers
  /** The number of its journal entry. */
  readonly id: number
}

const ID = /^[\w.:@/+=~-]{1,128}$/
// W3C Trace Context, section 3.2: version, trace id, parent id and flags.
const TRACE = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/

/** Ids that no other gateway gives: a random beginning, and the number of the request. */
export function createRequestIds(addsToForwarded: boolean): RequestIds {
  const gateway = randomBytes(4).toString('hex')
  const of = (request: Identified): string => givenId(request.headers) ?? `${gateway}-${request.id}`
  return {
    of,
    forUpstream: (request) =>
      addsToForwarded && request.headers['x-request-id'] === undefined ? of(request) : undefined,
  }
}

/** The id that a client gave a request: its own, or that of the trace that it belongs to. */
export function givenId({ 'x-request-id': own, traceparent }: Headers): string | undefined {
  if (typeof own === 'string' && ID.test(own)) return own
  return typeof traceparent === 'string' ? TRACE.exec(traceparent)?.[1] : undefined
}
