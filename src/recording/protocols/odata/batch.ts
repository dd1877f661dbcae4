import type { CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import { essenceOf, mediaKindOf, mediaParameters } from '../../../media-type.ts'
import type { Answered, Call, CallRequest } from '../../calls/call.ts'
import { pathOfUrl } from './seen.ts'
import { membersIn, type Service } from './service.ts'

/** What the requests of one batch know of each other. */
interface Batch {
  readonly id: string
  /** Below the root, by the ids of the requests that made them. */
  readonly made: Map<string, string>
}

/** The requests in a batch (JSON Format 4.01, section 19, and Protocol 4.0, section 11.7); `undefined` for what is none. */
export function readBatch({ path = '', headers, body }: CallRequest): readonly Call[] | undefined {
  const root = path.slice(0, path.lastIndexOf('/'))
  const parts = isObject(body) ? readJson(body) : readMixed(String(headers['content-type'] ?? ''), body)
  const made = new Map<string, string>()
  return parts?.map(({ id, method, url, headers: own, content }) => {
    const { path: at, query } = pathOfUrl(url, root)
    const batch: Batch = { id, made }
    return { name: method, args: { method, path: at, query, headers: own, body: content, batch, root } }
  })
}

interface Part {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly content: unknown
}

function readJson({ requests }: Readonly<Record<string, unknown>>): readonly Part[] | undefined {
  if (!Array.isArray(requests)) return undefined
  return requests
    .filter((each) => isObject(each))
    .map((each) => ({
      id: String(each['id']),
      method: String(each['method']).toUpperCase(),
      url: String(each['url']),
      headers: lowerCased(membersIn(each['headers'])),
      content: each['body'],
    }))
}

function lowerCased(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  )
}

function readMixed(type: string, body: unknown): readonly Part[] | undefined {
  const found = partsOf(type, body)
  return found?.flatMap(({ headers, text }): readonly Part[] => {
    const own = headers['content-type'] ?? ''
    if (essenceOf(own) === 'multipart/mixed') return readMixed(own, text) ?? []
    const { start, headers: inner, text: content } = readMessage(text, true)
    const [method = '', url = ''] = start.split(' ')
    const id = headers['content-id'] ?? ''
    return [{ id, method: method.toUpperCase(), url, headers: inner, content: valueOf(inner, content) }]
  })
}

function partsOf(type: string, body: unknown): readonly Omit<Message, 'start'>[] | undefined {
  const boundary = mediaParameters(type).get('boundary')
  if (boundary === undefined || typeof body !== 'string') return undefined
  const parts = body.split(`--${boundary}`).slice(1, -1)
  return parts.map((part) => readMessage(part.replace(/^\r?\n/, '').replace(/\r?\n$/, ''), false))
}

interface Message {
  readonly start: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

function readMessage(message: string, hasStart: boolean): Message {
  const [, head = '', text = ''] = /^([^]*?)(?:\r?\n\r?\n([^]*))?$/.exec(message.replace(/^\s+/, '')) ?? []
  const lines = head.split(/\r?\n/)
  const fields = (hasStart ? lines.slice(1) : lines).map((line) => {
    const at = line.indexOf(':')
    return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const
  })
  return { start: hasStart ? (lines[0] ?? '') : '', headers: Object.fromEntries(fields), text }
}

function valueOf(headers: Readonly<Record<string, string>>, text: string): unknown {
  if (text.trim() === '') return undefined
  if (mediaKindOf(headers['content-type'] ?? '') !== 'json') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** What each request of a batch came to; `undefined` where an answer does not say it. */
export function batchOutcomes(body: unknown, count: number): readonly CallOutcome[] | undefined {
  const found = isObject(body)
    ? jsonOutcomes(body)
    : typeof body === 'string'
      ? mixedOutcomes(body)
      : undefined
  return found?.length === count ? found : undefined
}

function jsonOutcomes({ responses }: Readonly<Record<string, unknown>>): readonly CallOutcome[] | undefined {
  if (!Array.isArray(responses)) return undefined
  return responses
    .filter((each) => isObject(each))
    .map((each) => outcomeOf(Number(each['status']), lowerCased(membersIn(each['headers'])), each['body']))
}

// The boundary is the first line.
function mixedOutcomes(body: string): readonly CallOutcome[] {
  const [, boundary = ''] = /^\s*--(\S+)/.exec(body) ?? []
  const parts = partsOf(`multipart/mixed; boundary="${boundary}"`, body) ?? []
  return parts.flatMap(({ headers, text }) => {
    if (essenceOf(headers['content-type'] ?? '') === 'multipart/mixed') return mixedOutcomes(text)
    const { start, headers: own, text: content } = readMessage(text, true)
    return [outcomeOf(Number(start.split(' ')[1]), own, valueOf(own, content))]
  })
}

function outcomeOf(status: number, headers: Readonly<Record<string, string>>, content: unknown): CallOutcome {
  return { status, headers, ...(status < 400 ? { value: content } : { error: content }) }
}

/** The answer to a batch, in the form that its request has. */
export function writeBatch(outcomes: readonly CallOutcome[], { headers, body }: CallRequest): Answered {
  const type = String(headers['content-type'] ?? '')
  if (isObject(body)) {
    const ids = readJson(body)?.map(({ id }) => id) ?? []
    const responses = outcomes.map(({ status = 200, headers: own = {}, error, value }, at) => {
      const content = error ?? value
      return { id: ids[at], status, headers: own, ...(content !== undefined && { body: content }) }
    })
    return { status: 200, body: { responses }, headers: { 'content-type': 'application/json' } }
  }
  const boundary = `batchresponse_${mediaParameters(type).get('boundary') ?? '1'}`
  const next = [...outcomes]
  const text = writeMixed(type, body, boundary, next)
  return { status: 200, body: text, headers: { 'content-type': `multipart/mixed; boundary=${boundary}` } }
}

function writeMixed(type: string, body: unknown, boundary: string, outcomes: CallOutcome[]): string {
  const parts = (partsOf(type, body) ?? []).map(({ headers, text }, at) => {
    const own = headers['content-type'] ?? ''
    if (essenceOf(own) === 'multipart/mixed') {
      const inner = `changeset_${at}_${boundary}`
      return `Content-Type: multipart/mixed; boundary=${inner}\r\n\r\n${writeMixed(own, text, inner, outcomes)}`
    }
    const id = headers['content-id']
    const lines = ['Content-Type: application/http', 'Content-Transfer-Encoding: binary']
    return `${[...lines, ...(id === undefined ? [] : [`Content-ID: ${id}`])].join('\r\n')}\r\n\r\n${messageOf(outcomes.shift() ?? {})}`
  })
  return `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
}

function messageOf({ status = 200, headers = {}, error, value }: CallOutcome): string {
  const content = error ?? value
  const text = content === undefined ? '' : typeof content === 'string' ? content : JSON.stringify(content)
  const lines = [
    `HTTP/1.1 ${status} OK`,
    ...Object.entries(headers).map(([name, each]) => `${name}: ${each}`),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}

/** The path of a request, which in a batch may begin with what an earlier one made: `$1/items`. */
export function batchReference({ path, batch, root }: Call['args']): string | undefined {
  if (typeof path !== 'string') return undefined
  const { made } = (batch ?? {}) as Partial<Batch>
  if (made === undefined) return path
  const [, id = '', rest = ''] = /^\$([^/]+)(.*)$/s.exec(path.slice(String(root).length + 1)) ?? []
  return made.has(id) ? `${String(root)}/${made.get(id)}${rest}` : path
}

/** Notes where what a request of a batch made is. */
export function noteBatch({ batch }: Call['args'], { headers = {} }: CallOutcome, { root }: Service): void {
  const { id, made } = (batch ?? {}) as Partial<Batch>
  const location = headers['location']
  if (id === undefined || made === undefined || location === undefined) return
  const path = URL.canParse(location) ? new URL(location).pathname : location
  made.set(id, path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path)
}
