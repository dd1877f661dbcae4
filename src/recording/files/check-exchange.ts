import { isDeep, MAX_LEVELS } from '../../data-files/limits.ts'
import { isHeaderName } from '../../http/headers.ts'
import { isBodyPath } from './body-files.ts'
import { UNANSWERED } from '../exchange.ts'

/** What a value must be, in words, or nothing where it is that; with the place of what is not, within it. */
type Check = (value: unknown) => string | undefined

const text = named('a text', (value) => typeof value === 'string')
const number = named('a number', (value) => Number.isFinite(value))
const url = named(
  'an absolute URL of http or ws',
  (value) => typeof value === 'string' && /^(http|ws)s?:/i.test(value) && URL.canParse(value),
)
const status = named(
  'a status',
  (value) => value === UNANSWERED || (Number.isInteger(value) && within(Number(value), 100, 999)),
)

const body = named('the path of a recorded body', isBodyPath)

const headerName = named('the name of a header', (value) => typeof value === 'string' && isHeaderName(value))
const headerValue = named('the value of a header', isHeaderValue)

const pairs = list(fields({ name: text, value: text }))
const headers = list(fields({ name: headerName, value: headerValue }))
const chunks = list(fields({ time: number, bytes: number }))
const messages = list(fields({ type: text, time: number, opcode: number, data: text }))
const notes = {
  text: optional(text),
  _file: optional(body),
  _sha256: optional(text),
  _decoded: optional(text),
  _omitted: optional(text),
}
const request = fields({
  ...{ method: text, url, headers, cookies: pairs, queryString: pairs },
  postData: optional(fields({ mimeType: text, ...notes })),
})
const response = fields({
  ...{ status, statusText: optional(text), headers, cookies: pairs, redirectURL: text },
  _trailers: optional(headers),
  content: fields({ size: number, mimeType: text, _chunks: optional(chunks), ...notes }),
})
const timings = fields({ send: number, wait: number, receive: number })
const exchange = fields({
  ...{ startedDateTime: text, request, response, timings, _webSocketMessages: optional(messages) },
  _webSocketClose: optional(fields({ type: text, time: number, code: number, reason: text })),
})

/** What is wrong with a value that is to be a recorded exchange, and where; nothing where it is one. */
export function exchangeProblem(value: unknown): string | undefined {
  return exchange(value) ?? (isDeep(value) ? ` is nested more than ${MAX_LEVELS} deep` : undefined)
}

function named(what: string, holds: (value: unknown) => boolean): Check {
  return (value) => (holds(value) ? undefined : ` is not ${what}`)
}

/** Whether it is a text without control characters, which would end a header or have it refused (RFC 9110, section 5.5). */
export function isHeaderValue(value: unknown): boolean {
  // eslint-disable-next-line no-control-regex
  return typeof value === 'string' && !/[\0-\x08\x0a-\x1f\x7f]/.test(value)
}

function within(value: number, least: number, most: number): boolean {
  return value >= least && value <= most
}

function optional(check: Check): Check {
  return (value) => (value === undefined ? undefined : check(value))
}

function list(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return ' is not a list'
    for (const [at, each] of value.entries()) {
      const problem = check(each)
      if (problem !== undefined) return `/${at}${problem}`
    }
    return undefined
  }
}

function fields(checks: Readonly<Record<string, Check>>): Check {
  const each = Object.entries(checks)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return ' is not an object'
    for (const [name, check] of each) {
      const problem = check((value as Record<string, unknown>)[name])
      if (problem !== undefined) return `/${name}${problem}`
    }
    return undefined
  }
}
