import { Agent, request as requestByHttp } from 'node:http'
import { Agent as TlsAgent, request as requestByTls } from 'node:https'
import { pairsOf } from '../../http/headers.ts'
import { headerValues, type NameValue } from '../exchange.ts'
import type { HeaderPairs } from '../files/har.ts'

/** A request to send. */
export interface SentRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: readonly NameValue[]
  readonly body: Buffer | undefined
}

/** What came back, its body as it was sent. */
export interface Received {
  readonly status: number
  readonly statusText: string
  readonly httpVersion: string
  readonly headers: HeaderPairs
  readonly body: Buffer
}

/** Sends requests to one server, whose connections it keeps. */
export interface HttpClient {
  /** @throws the error of the connection, or one that says that the answer took too long */
  send(request: SentRequest): Promise<Received>
  close(): void
}

/** Of the connection; the rest is set by what is sent now. */
const OWN =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|host|http2-settings)$/i

/**
 * @param to the server's URL; its path is put before those of requests
 * @param isTrusting whether any certificate will do
 */
export function createHttpClient(to: URL, isTrusting: boolean, timeoutMs: number): HttpClient {
  const isTls = to.protocol === 'https:'
  const agent = isTls
    ? new TlsAgent({ keepAlive: true, rejectUnauthorized: !isTrusting })
    : new Agent({ keepAlive: true })
  const basePath = to.pathname.replace(/(?<!\/)\/+$/, '')
  return {
    close: () => agent.destroy(),
    send: ({ method, url, headers, body }) =>
      new Promise((resolve, reject) => {
        const host = headerValues(headers, 'host')[0] ?? to.host
        const hasLength = body !== undefined || !/^(GET|HEAD|DELETE|OPTIONS)$/.test(method)
        const sent = [
          ['host', host],
          ...headers.filter(({ name }) => !OWN.test(name)).map(({ name, value }) => [name, value]),
          ...(hasLength ? [['content-length', String(body?.length ?? 0)]] : []),
        ].flat()
        const signal = AbortSignal.timeout(timeoutMs)
        const options = { agent, method, headers: sent, path: basePath + url, signal, setHost: false }
        const address = {
          protocol: to.protocol,
          hostname: to.hostname.replace(/^\[|\]$/g, ''),
          port: to.port,
        }
        const request = (isTls ? requestByTls : requestByHttp)({ ...address, ...options }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              statusText: response.statusMessage ?? '',
              httpVersion: response.httpVersion,
              headers: pairsOf(response.rawHeaders),
              body: Buffer.concat(chunks),
            }),
          )
        })
        request.on('error', (error) =>
          reject(signal.aborted ? new Error(`no whole answer within ${timeoutMs / 1000} seconds`) : error),
        )
        request.end(body)
      }),
  }
}
