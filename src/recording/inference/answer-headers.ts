import { remembered } from '../../engine/lazy.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { countEach } from '../../grouping.ts'
import { createMemo } from '../../memo.ts'
import { decodeSegment } from '../../routing/path-template.ts'
import { readCookies } from '../files/har.ts'
import type { Folded } from './fold-paths.ts'
import { isJson, type Sample } from './sample.ts'
import { isScalar, leavesOf, segmentKind } from './values.ts'

/** Headers that a route's answers have in common. */
export interface AnswerHeaders {
  /** Values by name; `{name}` in one stands for a field of the answer or the input. */
  readonly headers: Readonly<Record<string, string>>
  /** Names of those that matter, and follow no rule that was found. */
  readonly unexplained: readonly string[]
}

/** Seen this often and always the same, a header is the route's own. */
const MIN_SAME = 3

/** What the transport, the client, a cache or the server as a whole decides, and what the API does not promise. */
const NOT_OURS =
  /^(date|host|server|via|age|connection|keep-alive|transfer-encoding|trailer|upgrade|content-(length|type|encoding|range|md5)|vary|etag|last-modified|expires|cache-control|pragma|set-cookie|alt-svc|nel|report-to|link|accept-ranges|allow|www-authenticate|retry-after|server-timing|access-control-.*|cross-origin-.*|strict-transport-security|content-security-policy.*|referrer-policy|permissions-policy|([a-z]+-)*(request|correlation|trace|transaction)-id|x-(powered-by|frame-options|xss-protection|content-type-options|dns-prefetch-control|download-options|permitted-cross-domain-policies|runtime|response-time|cache|cache-hits|served-by|amzn?-.*|cloud-trace-context|forwarded-.*)|(x-)?rate-?limit.*|cf-.*)$/

/** Whether a header says something of the API: where its parts are, or what no server, cache or transport adds. */
export const isOwnHeader = remembered(
  (name: string) => name === 'link' || name === 'location' || !NOT_OURS.test(name),
  createMemo<boolean>(),
)

/**
 * Finds the headers that a route's answers always have: those that never change, and the `Location` of what was made.
 * @param usual those that all answers of the server have, which a route has that is seldom requested, too
 */
export function findHeaders(
  samples: readonly Sample[],
  folded: Folded,
  usual: Readonly<Record<string, string>> = {},
): AnswerHeaders {
  const [first] = samples
  if (first === undefined) return { headers: {}, unexplained: [] }
  const shared = Object.entries(usual).filter(([name, value]) => isAlways(samples, name, value))
  const constant = { ...Object.fromEntries(shared), ...constantHeaders(samples) }
  const located = samples.every(({ responseHeaders }) => responseHeaders['location'] !== undefined)
  const filled = Object.keys(first.responseHeaders).flatMap((name) => {
    const template = isFilled(samples, name) ? templateOf(samples, name, folded) : undefined
    return template === undefined ? [] : [[name, template] as const]
  })
  const { location } = Object.fromEntries(filled)
  const type = ownJsonType(samples)
  return {
    headers: {
      ...(type !== undefined && { 'content-type': type }),
      ...constant,
      ...Object.fromEntries(filled),
      ...cookieOf(samples),
    },
    unexplained: located && location === undefined ? ['location'] : [],
  }
}

// A cookie that all get who come without it, and that the others keep, as forms give one against forged requests.
function cookieOf(samples: readonly Sample[]): Readonly<Record<string, string>> {
  const all = samples.map(({ headers, responseHeaders: { 'set-cookie': set = '' } }) => {
    const { name = '', value = '' } = ONE_COOKIE.exec(set)?.groups ?? {}
    const had = readCookies(headers['cookie'] ?? '').find((cookie) => cookie.name === name)
    const isTaken = name !== '' && /^(?:"")?$/.test(value)
    return { name, set, isTaken, isNew: name !== '' && had === undefined, isKept: had?.value === value }
  })
  // Whoever leaves has none from then on.
  const [left] = all
  if (left !== undefined && all.every(({ name, isTaken }) => isTaken && name === left.name))
    return { 'set-cookie': left.set.replace(ANY_EXPIRES, `$1${new Date(0).toUTCString()}`) }
  const first = all.find(({ isNew }) => isNew)
  const has = ({ headers }: Sample): boolean =>
    readCookies(headers['cookie'] ?? '').some(({ name }) => name === first?.name)
  const isOwn = all.every(({ name, set, isNew, isKept }, at) =>
    name === first?.name ? isNew || isKept : set === '' && has(samples[at] as Sample),
  )
  return first === undefined || !isOwn ? {} : { 'set-cookie': first.set.replace(EXPIRES, '') }
}

const ONE_COOKIE = /^(?<name>[^=;,\s]+)=(?<value>[^;]*)(?!.*,\s*[^=;,\s]+=)/
// The time that a recorded cookie lasted has passed, unless it says that the cookie is taken away.
const EXPIRES = /;\s*expires=(?!\w+, 01.Jan.1970)[^;]*/gi

const ANY_EXPIRES = /(;\s*expires=)[^;]*/gi

// JSON of a kind of its own, such as that of SCIM, is sent as that.
function ownJsonType(samples: readonly Sample[]): string | undefined {
  const [type, ...others] = new Set(samples.map(({ responseHeaders }) => responseHeaders['content-type']))
  const isOwn = type !== undefined && others.length === 0 && /^[\w.-]+\/[\w.-]+\+json\b/.test(type)
  return isOwn && samples.every(isJson) ? type : undefined
}

/** In this share of a server's answers a header is one that it usually sends. */
const MIN_USUAL = 0.8

/** The headers that most answers of a server have that succeeded, whatever they are about. */
export function usualHeaders(samples: readonly Sample[]): Readonly<Record<string, string>> {
  const fine = samples.filter(({ status }) => status < 300)
  const [first] = fine
  const pairs = fine.flatMap(({ responseHeaders }) => Object.entries(responseHeaders).filter(isConstant))
  const counts = countEach(pairs.map((pair) => JSON.stringify(pair)))
  const least = Math.max(MIN_SAME, fine.length * MIN_USUAL)
  const usual = [...counts].flatMap(([pair, times]) =>
    times >= least ? [JSON.parse(pair) as [string, string]] : [],
  )
  const names = Object.keys(first?.responseHeaders ?? {})
  return Object.fromEntries(usual.toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b)))
}

function isConstant([name, value]: readonly [string, string]): boolean {
  const isOwn = name === 'link' ? !isPageLink(value) : name !== 'location' && !NOT_OURS.test(name)
  return isOwn && !/redacted-|[{}]/.test(value)
}

/** Whether a `Link` leads from a page to another. */
export function isPageLink(link: string): boolean {
  return /rel="?[^";,]*\b(next|prev|previous|first|last)\b/i.test(link)
}

function isAlways(samples: readonly Sample[], name: string, value: string): boolean {
  return samples.every(({ responseHeaders }) => responseHeaders[name] === value)
}

/** The headers that answers always have and that never change. */
export function constantHeaders(samples: readonly Sample[]): Readonly<Record<string, string>> {
  const [first] = samples
  if (first === undefined || samples.length < MIN_SAME) return {}
  const constant = Object.entries(first.responseHeaders).filter(
    (pair) => isConstant(pair) && isAlways(samples, ...pair),
  )
  return Object.fromEntries(constant)
}

/** Headers that say where something is, of which one shows what it is made of. */
const ADDRESSES = /^(content-)?location$/

// What is the same everywhere needs no fields, and what is never the same shows where it comes from.
function isFilled(samples: readonly Sample[], name: string): boolean {
  const values = samples.map(({ responseHeaders }) => responseHeaders[name])
  if (!isOwnHeader(name) || values.includes(undefined)) return false
  if (name === 'link' && values.some((value) => isPageLink(value ?? ''))) return false
  return ADDRESSES.test(name) || new Set(values).size > 1
}

// Where all that differs between the values is a field of the answer or of the path.
function templateOf(samples: readonly Sample[], header: string, folded: Folded): string | undefined {
  const parts = samples.map((sample) => {
    const text = sample.responseHeaders[header] ?? ''
    // Of several hosts, each is the gateway's; that of one alone is replaced when it is served.
    const isOwn = folded.host !== undefined && text.startsWith(`${sample.origin}/`)
    const own = isOwn ? text.slice(sample.origin.length) : text
    return own.split(/([/?&=#]|\('?|'?\))/)
  })
  const [first = []] = parts
  // In a tree, no field says where in it something is.
  if (folded.path.endsWith('*}') || parts.some(({ length }) => length !== first.length)) return undefined
  const template = first.map((text, index) => {
    const texts = parts.map((each) => each[index] ?? '')
    const name = nameOf(texts.map(decodeSegment), samples, folded)
    const isFixed = texts.every((each) => each === text)
    const isOfPath = name !== undefined && folded.parameters.includes(name)
    if (isFixed && (name === undefined || (segmentKind(text) === 'word' && !isOfPath))) return text
    return name === undefined ? undefined : `{${name}}`
  })
  return template.includes(undefined) ? undefined : template.join('')
}

function nameOf(texts: readonly string[], samples: readonly Sample[], folded: Folded): string | undefined {
  const values = samples.map((sample): Record<string, unknown> => ({
    ...sample.query,
    ...(isObject(sample.body) ? sample.body : {}),
    ...folded.values(sample),
    ...deepValues(sample.response),
    ...(isObject(sample.response) ? sample.response : {}),
  }))
  const names = Object.keys(values[0] ?? {}).filter((name) =>
    values.every((each, index) => isScalar(each[name]) && String(each[name]) === texts[index]),
  )
  const depthOf = (name: string): number => name.split('.').length
  const ids = names.filter((name) => /(^|\.)id$/.test(name)).toSorted((a, b) => depthOf(a) - depthOf(b))
  return ids[0] ?? names.toSorted((a, b) => depthOf(a) - depthOf(b))[0]
}

// What an answer has in objects, such as the item in an envelope, by names with dots between.
function deepValues(response: unknown): Record<string, unknown> {
  const leaves = [...leavesOf(response)].filter(([path]) => path.includes('.') && !path.includes('['))
  return Object.fromEntries(leaves.map(([path, [value]]) => [path, value]))
}
