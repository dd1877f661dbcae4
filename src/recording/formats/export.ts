import {
  type Content,
  type Exchange,
  type NameValue,
  type PostData,
  toInline,
  withoutText,
} from '../exchange.ts'

/** Headers that curl writes itself. */
const OWN = /^(host|content-length|connection|accept-encoding|transfer-encoding)$/i

/**
 * A recorded request as a curl command for a POSIX shell. Its secrets are pseudonyms, as in the recording.
 * @param body the request's body, where it has one
 */
export function toCurl({ request }: Exchange, body: string | undefined): string {
  const headers = request.headers.filter(({ name }) => !OWN.test(name))
  const method = request.method === (body === undefined ? 'GET' : 'POST') ? [] : ['-X', request.method]
  const hasType = headers.some(({ name }) => name.toLowerCase() === 'content-type')
  const words = [
    'curl',
    // Brackets and braces are ranges to curl.
    ...(/[[\]{}]/.test(request.url) ? ['--globoff'] : []),
    ...(request.method === 'HEAD' ? ['--head'] : method),
    request.url,
    ...headers.flatMap(({ name, value }) => ['-H', value === '' ? `${name};` : `${name}: ${value}`]),
    // curl would call it a form otherwise, and take a body that begins with @ for the name of a file.
    ...(body === undefined || hasType ? [] : ['-H', 'content-type:']),
    ...(body === undefined ? [] : ['--data-raw', body]),
  ]
  return words.map(quote).join(' ')
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** A HAR 1.2 document (http://www.softwareishard.com/blog/har-12-spec/). */
interface HarDocument {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly Exchange[]
  }
}

/**
 * A recording as one HAR document, with every body inside it.
 * @param bodyOf reads a body from its file; undefined where it was left out
 */
export async function toHar(
  exchanges: AsyncIterable<Exchange>,
  version: string,
  bodyOf: (body: Content | PostData) => Promise<Buffer | undefined>,
): Promise<HarDocument> {
  const entries: Exchange[] = []
  for await (const exchange of exchanges) entries.push(await toEntry(exchange, bodyOf))
  return { log: { version: '1.2', creator: { name: 'sim-gateway', version }, entries } }
}

/** One entry of a HAR document, with every body inside it. */
export async function toEntry(
  exchange: Exchange,
  bodyOf: (body: Content | PostData) => Promise<Buffer | undefined>,
): Promise<Exchange> {
  const { request, response } = exchange
  const postData = request.postData && (await inlined(request.postData, bodyOf, '_encoding'))
  return {
    ...exchange,
    request: { ...request, url: urlOf(exchange), ...(postData && { postData }) },
    response: { ...response, content: await inlined(response.content, bodyOf, 'encoding') },
  }
}

// Viewers know a WebSocket by the scheme of its URL.
function urlOf({ request, _resourceType: type }: Exchange): string {
  return type === 'websocket' ? request.url.replace(/^http/i, 'ws') : request.url
}

async function inlined<Body extends Content | PostData>(
  body: Body,
  bodyOf: (body: Content | PostData) => Promise<Buffer | undefined>,
  encoding: 'encoding' | '_encoding',
): Promise<Body> {
  if (body._file === undefined) return body
  const bytes = await bodyOf(body)
  if (bytes === undefined) return body
  const { text, isBase64 } = toInline(bytes)
  const { _file: _path, ...others } = withoutText(body)
  return { ...others, text, ...(isBase64 && { [encoding]: 'base64' }) } as unknown as Body
}

/** The schema of Postman's collections, version 2.1. */
export const POSTMAN_SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** An exchange with the bodies it has. */
export interface WithBodies {
  readonly exchange: Exchange
  readonly requestBody: string | undefined
  readonly responseBody: string | undefined
}

/** A Postman collection (version 2.1) of recorded requests, each with its answer as an example. */
export function toPostman(name: string, exchanges: readonly WithBodies[]): Readonly<Record<string, unknown>> {
  return { info: { name, schema: POSTMAN_SCHEMA }, item: exchanges.map(toPostmanItem) }
}

/** One request of a Postman collection, with its answer as an example. */
export function toPostmanItem({
  exchange,
  requestBody,
  responseBody,
}: WithBodies): Readonly<Record<string, unknown>> {
  const { request, response } = exchange
  const url = new URL(request.url)
  const name = `${request.method} ${url.pathname}`
  const sent = {
    method: request.method,
    header: request.headers.filter(({ name: header }) => !/^(host|content-length)$/i.test(header)).map(pair),
    ...(requestBody !== undefined && { body: { mode: 'raw', raw: requestBody } }),
    url: {
      raw: request.url,
      protocol: url.protocol.replace(':', ''),
      host: url.hostname.split('.'),
      ...(url.port !== '' && { port: url.port }),
      path: url.pathname.split('/').slice(1),
      query: request.queryString.map(pair),
    },
  }
  const example = {
    name: `${response.status} ${response.statusText}`.trim(),
    originalRequest: sent,
    status: response.statusText,
    code: response.status,
    header: response.headers.map(pair),
    ...(responseBody !== undefined && { body: responseBody }),
  }
  return { name, request: sent, response: [example] }
}

function pair({ name, value }: NameValue): { readonly key: string; readonly value: string } {
  return { key: name, value }
}
