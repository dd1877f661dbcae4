import type { Exchange } from '../files/exchange.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** An exchange with the bodies it has. */
export interface WithBodies {
  readonly exchange: Exchange
  readonly requestBody: string | undefined
  readonly responseBody: string | undefined
}

/** A Postman collection (version 2.1) of recorded requests, each with its answer as an example. */
export function toPostman(name: string, exchanges: readonly WithBodies[]): Readonly<Record<string, unknown>> {
  return { info: { name, schema: SCHEMA }, item: exchanges.map(itemOf) }
}

function itemOf({ exchange, requestBody, responseBody }: WithBodies): Readonly<Record<string, unknown>> {
  const { request, response } = exchange
  const url = new URL(request.url)
  const name = `${request.method} ${url.pathname}`
  const asked = {
    method: request.method,
    header: request.headers.filter(({ name: header }) => !/^(host|content-length)$/i.test(header)).map(pair),
    ...(requestBody !== undefined && { body: { mode: 'raw', raw: requestBody } }),
    url: {
      raw: request.url,
      protocol: url.protocol.replace(':', ''),
      host: url.hostname.split('.'),
      ...(url.port !== '' && { port: url.port }),
      path: url.pathname.split('/').slice(1),
      query: request.queryString.map(({ name: key, value }) => ({ key, value })),
    },
  }
  const example = {
    name: `${response.status} ${response.statusText}`.trim(),
    originalRequest: asked,
    status: response.statusText,
    code: response.status,
    header: response.headers.map(pair),
    ...(responseBody !== undefined && { body: responseBody }),
  }
  return { name, request: asked, response: [example] }
}

function pair({ name, value }: { readonly name: string; readonly value: string }): {
  key: string
  value: string
} {
  return { key: name, value }
}
