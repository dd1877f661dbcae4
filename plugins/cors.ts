import type { HttpResponse } from '../src/message.ts'
import type { Exchange } from '../src/pipeline/exchange.ts'
import type { Plugin } from '../src/pipeline/route.ts'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const NOT_PREFLIGHT: HttpResponse = {
  status: 400,
  headers: ['content-type', 'text/plain; charset=utf-8'],
  body: 'Invalid Preflight Request',
}

/** Lets pages of other origins read responses, and answers what browsers ask beforehand (Fetch, section 3.2). */
export const cors: Plugin = {
  name: 'cors',
  plan({ policies: { cors: allowed = false } }) {
    if (allowed === false) return undefined
    const origins = allowed === true ? ['*'] : allowed
    const isAny = origins.includes('*')
    return (exchange) => {
      const origin = isAny ? '*' : listed(exchange.headers['origin'], origins)
      // Any origin is the app's only answer where it is a plain option; a list makes the response vary.
      if (allowed !== true) exchange.addHeaders('vary', 'Origin')
      if (origin !== undefined) exchange.addHeaders('access-control-allow-origin', origin)
      return exchange.method === 'OPTIONS' ? answerPreflight(exchange) : undefined
    }
  },
}

function listed(origin: unknown, origins: readonly string[]): string | undefined {
  return typeof origin === 'string' && origins.includes(origin) ? origin : undefined
}

// It comes before authentication, since browsers send no credentials with it.
function answerPreflight({ headers }: Exchange): HttpResponse {
  const requested = headers['access-control-request-headers']
  if (headers['origin'] === undefined || headers['access-control-request-method'] === undefined)
    return NOT_PREFLIGHT
  return {
    status: 204,
    headers: [
      ...['access-control-allow-methods', METHODS],
      ...['vary', 'Access-Control-Request-Headers'],
      ...(typeof requested === 'string' ? ['access-control-allow-headers', requested] : []),
      ...['content-length', '0'],
    ],
  }
}
