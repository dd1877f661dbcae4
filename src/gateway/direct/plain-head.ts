import type { IncomingMessage } from 'node:http'
import { PLAIN_HOST } from '../../routing/host.ts'
import { SESSION_HEADER } from '../../state/session-key.ts'
import { noteLastRequest } from '../../http/check-head.ts'
import { tunnelOf } from '../../http/request-target.ts'

const MOST_VALUES = 200
/** Headers that make more of a request than a plain question: what has one goes the whole way. */
const TELLING = new Set(['content-length', 'transfer-encoding', 'upgrade', 'expect', SESSION_HEADER])
const LONGEST = Math.max(...[...TELLING].map(({ length }) => length))

/**
 * The host of a request that is no more than a question in origin form, without a body, on a connection of its own;
 * `undefined` for any other, also where its head may be malformed.
 */
export function plainHostOf(request: IncomingMessage): string | undefined {
  const { rawHeaders } = request
  if (request.method !== 'GET' || request.httpVersion !== '1.1') return undefined
  if (rawHeaders.length > MOST_VALUES || !noteLastRequest(request) || tunnelOf(request) !== undefined)
    return undefined
  let host: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length > LONGEST) continue
    const plain = name.toLowerCase()
    if (TELLING.has(plain)) return undefined
    if (plain !== 'host') continue
    if (host !== undefined) return undefined
    host = rawHeaders[index + 1]
  }
  return host !== undefined && PLAIN_HOST.test(host) ? host : undefined
}
