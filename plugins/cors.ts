import { HANDLED, type HttpResponse } from '../src/message.ts'
import { pairsOf } from '../src/http/headers.ts'
import type { Exchange } from '../src/pipeline/exchange.ts'
import type { Plugin, Policies } from '../src/pipeline/route.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Lets pages of other origins read simulated responses, and answers what browsers ask beforehand (Fetch, section 3.3). */
export const cors: Plugin = {
  name: 'cors',
  onlyForPages: true,
  plan({ source, policies }) {
    // What is not declared may be forwarded, and says itself what pages may do with it.
    if (source === 'upstream') return undefined
    const letIn = createCors(policies)
    if (letIn === undefined) return undefined
    return { before: letIn, last: withExposed }
  },
}

/**
 * Marks the response to a page's request as one that it may read, and answers its preflight request.
 * @returns undefined where no page is let in
 */
export function createCors({
  cors: allowed = true,
}: Pick<Policies, 'cors'>): ((exchange: Exchange) => HttpResponse | undefined) | undefined {
  if (allowed === false) return undefined
  const isAny = allowed === true || allowed.includes('*')
  return (exchange) => {
    const { origin } = exchange.headers
    if (typeof origin !== 'string') return undefined
    const isAllowed = isAny || allowed.includes(origin)
    if (isAllowed) exchange.addHeaders(...headersFor(origin))
    else exchange.addHeaders('vary', 'Origin')
    return methodRequested(exchange) === undefined ? undefined : answerPreflight(exchange, isAllowed)
  }
}

/** The method of the request that a page wants to send, where this one asks whether it may. */
export function methodRequested({
  method,
  headers,
}: Pick<Exchange, 'method' | 'headers'>): string | undefined {
  if (method !== 'OPTIONS' || headers['origin'] === undefined) return undefined
  const requested = headers['access-control-request-method']
  return typeof requested === 'string' && TOKEN.test(requested) ? requested : undefined
}

// Pages that send credentials may read only what names their own origin. Those without one, such as files, have none.
function headersFor(origin: string): readonly string[] {
  const exposed = ['access-control-expose-headers', EXPOSED]
  if (origin === 'null') return ['access-control-allow-origin', '*', ...exposed]
  return [
    ...['access-control-allow-origin', origin, 'access-control-allow-credentials', 'true'],
    ...['vary', 'Origin', ...exposed],
  ]
}

// The asterisk is for pages that send no credentials; others need the names, of errors as well.
const EXPOSED =
  '*, Allow, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Sim-Cut'
/** Those that every page may read (Fetch, section 2.2.2), and those that are named already. */
const NAMED = new Set([
  ...['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified'],
  ...['access-control-allow-methods', 'access-control-allow-headers', 'access-control-allow-private-network'],
  ...['pragma', 'set-cookie', 'vary', ...EXPOSED.toLowerCase().split(', ')],
])

const ADDED = /^access-control-/i

// What a description or a recording says of pages gives way to what was added for this one.
function withExposed({ responseHeaders }: Exchange, response: HttpResponse): HttpResponse {
  if (response === HANDLED) return response
  const { headers } = response
  // As nearly all responses are.
  if (headers.every((name, index) => index % 2 === 1 || (NAMED.has(name) && !ADDED.test(name))))
    return response
  const isAdded = (name: string): boolean => ADDED.test(name) && responseHeaders.includes(name.toLowerCase())
  const kept = pairsOf(headers).filter(([name]) => !isAdded(name))
  const names = new Set(kept.map(([name]) => name.toLowerCase()).filter((name) => !NAMED.has(name)))
  const exposed = names.size === 0 ? [] : ['access-control-expose-headers', [...names].join(', ')]
  return { ...response, headers: [...kept.flat(), ...exposed] }
}

// It comes before authentication, since browsers send no credentials with it.
function answerPreflight(exchange: Exchange, isAllowed: boolean): HttpResponse {
  const { headers } = exchange
  const requested = methodRequested(exchange) ?? ''
  const wanted = headers['access-control-request-headers']
  const methods = METHODS.includes(requested) ? METHODS : [...METHODS, requested]
  const isPrivate = headers['access-control-request-private-network'] === 'true'
  return {
    status: 204,
    headers: [
      ...(isAllowed ? ['access-control-allow-methods', methods.join(', ')] : []),
      ...(isAllowed && typeof wanted === 'string' ? ['access-control-allow-headers', wanted] : []),
      ...(isAllowed && isPrivate ? ['access-control-allow-private-network', 'true'] : []),
      ...['vary', 'Access-Control-Request-Method, Access-Control-Request-Headers'],
      ...['content-length', '0'],
    ],
  }
}
