import { sampleHost } from '../../routing/host.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import type { Sender } from './endpoint.ts'

/** Where requests go where nothing else is said: where `sim run` listens. */
export const BASE_URL = 'http://127.0.0.1:8000'

/** One request as it is sent. */
export interface SentRequest {
  readonly method: string
  /** The whole URL, percent-encoded. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What a request carries. */
export interface Carried {
  readonly input: unknown
  /** The texts of the path's parameters. */
  readonly params: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly baseUrl?: string | undefined
}

/** The request of a route for an input: fields in the path, the others in the query of a GET and in a JSON body. */
export function buildRequest(
  route: RouteDefinition,
  { input, params, headers, baseUrl = BASE_URL }: Carried,
): SentRequest {
  const { method, parameters, path, options } = route
  const named = options.host === undefined ? headers : { host: sampleHost(options.host), ...headers }
  const filled = path.replace(/\{([^{}]+)\}/g, (_whole, name: string) => encodeText(params[name] ?? ''))
  const url = new URL(baseUrl.replace(/(?<!\/)\/+$/, '') + filled)
  const request = { method, url: url.href, headers: named }
  if (options.input === undefined) return request

  const fields = isFields(input) ? Object.entries(input).filter(([name]) => !parameters.includes(name)) : []
  if (method === 'GET') {
    for (const [name, value] of fields) for (const text of textsOf(value)) url.searchParams.append(name, text)
    return { ...request, url: url.href }
  }
  if (method === 'DELETE' && fields.length === 0) return request
  const body = visibleJson(isFields(input) ? Object.fromEntries(fields) : input)
  return { ...request, headers: { 'content-type': 'application/json', ...named }, body }
}

/** The texts that carry a value in a query: one for each item of a list, and one for anything else. */
export function textsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).map((each: unknown) =>
    typeof each === 'object' && each !== null ? JSON.stringify(each) : wellFormed(String(each)),
  )
}

function isFields(input: unknown): input is Readonly<Record<string, unknown>> {
  return input !== null && typeof input === 'object' && !Array.isArray(input)
}

function encodeText(text: string): string {
  return encodeURIComponent(wellFormed(text))
}

// A lone surrogate has no UTF-8 form, and so no place in a URL.
function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}

// Characters that a terminal does not show, or changes, are written as escapes: copied, they stay what they are.
function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{C}\p{M}\p{Z}]/gu, (character) => {
    if (character === ' ') return character
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  })
}

/** Sends a request and reads its answer; the response's own body can still be read. */
export async function send(
  { method, url, headers, body }: SentRequest,
  sender: Sender,
): Promise<{ readonly response: Response; readonly text: string }> {
  const response = await sender.fetch(url, {
    method,
    headers: { ...headers },
    ...(body !== undefined && { body }),
  })
  return { response, text: await response.clone().text() }
}

/** What went wrong, as a message says it. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
