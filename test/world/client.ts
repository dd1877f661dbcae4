import { Agent, request as send } from 'undici'
import { isJson, type Json } from '../corpus/json.ts'

/** What came of a request. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Sends requests to one server, and remembers the last of them. */
export interface Client {
  readonly url: string
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answered>
  /** The requests since the last call, one a line. */
  taken(): readonly string[]
  close(): Promise<void>
}

const MAX_REMEMBERED = 30

export function createClient(url: string): Client {
  const dispatcher = new Agent({ connections: 1, bodyTimeout: 60_000, headersTimeout: 60_000 })
  let sent: string[] = []
  return {
    url,
    async ask(method, path, body, headers = {}) {
      const json = body === undefined ? undefined : JSON.stringify(body)
      const answer = await send(`${url}${path}`, {
        method: method as 'GET',
        headers: {
          accept: 'application/json',
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json ?? null,
        dispatcher,
      })
      const text = await answer.body.text()
      sent = [...sent, `${method} ${path} ${json?.slice(0, 200) ?? ''} -> ${answer.statusCode}`].slice(
        -MAX_REMEMBERED,
      )
      return { status: answer.statusCode, headers: answer.headers, body: parsed(text) }
    },
    taken() {
      const all = sent
      sent = []
      return all
    },
    close: () => dispatcher.close(),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The items of a list answer. */
export function itemsIn(body: unknown, field: string | undefined): Json[] | undefined {
  const list = field === undefined ? body : isJson(body) ? body[field] : undefined
  return Array.isArray(list) ? list.filter(isJson) : undefined
}
