import type { HttpRequest } from '../../message.ts'
import type { Input } from '../../engine/input.ts'
import { lazy } from '../../engine/lazy.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { compileGenerator } from '../../engine/schema/compile.ts'
import type { Scope } from '../../engine/schema/generate.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { hashText, type Stream } from '../../engine/random.ts'
import type { ResponseHeader, ResponseRule } from '../../engine/operation.ts'
import { valueByName, type Known } from './header-values.ts'

/** Makes the headers of one response, from the stream of its request. */
export type MakeHeaders = (
  call: HttpRequest,
  input: Input,
  stream: () => Stream,
  known?: Known,
) => Readonly<Record<string, string>>

/** What the transport, the body or the gateway decides, whatever a description says of it. */
const NOT_OURS = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'connection', 'date'],
  ...['keep-alive', 'upgrade', 'trailer', 'link'],
])

/** What would change how a client goes on, so that it is not made up where the description gives no example. */
const NOT_MADE_UP =
  /^(set-cookie|strict-transport-security|www-authenticate|content-(range|location|disposition|security-policy.*)|cache-control|vary|age|refresh|clear-site-data|etag|location|access-control-.*)$/

/**
 * The declared headers of a response, optional ones as well: what is known of the answer, an example that fits, or a
 * generated value. A `Link` is not among them, since one that is made up leads nowhere.
 */
export function createHeaders({ headers }: ResponseRule, status: number, route: string): MakeHeaders {
  const makers = headers.flatMap((header) => {
    const name = header.name.toLowerCase()
    const make = NOT_OURS.has(name) ? undefined : createMaker(header, name, status)
    return make === undefined ? [] : [{ name, salt: hashText(name), make }]
  })
  if (makers.length === 0) return () => NONE
  return (call, input, stream, known = NOTHING) => {
    const [place, scope] = [stream(), { route, input, headers: call.headers, depth: 0 }]
    const made = makers.flatMap(({ name, salt, make }): [string, string][] => {
      const value = make(place.child(salt), scope, call, known)
      return value === undefined ? [] : [[name, headerText(value)]]
    })
    return Object.fromEntries(made)
  }
}

const NONE = {}
const NOTHING: Known = {}

type Make = (stream: Stream, scope: Scope, call: HttpRequest, known: Known) => unknown

function createMaker(
  { required, model, examples }: ResponseHeader,
  name: string,
  status: number,
): Make | undefined {
  const checker = createChecker(model)
  const example = examples.find(({ value }) => checker.fits(value))
  const byName = valueByName(name, status)
  const isRedirect = status >= 300 && status < 400 && name === 'location'
  const mayBeMade = required || isRedirect || !NOT_MADE_UP.test(name)
  const generate =
    example === undefined && mayBeMade ? lazy(() => compileGenerator(model, { checker })) : undefined
  if (byName === undefined && example === undefined && generate === undefined) return undefined
  return (stream, scope, call, known) => {
    // Of a page, and of what was made, the truth is known; else an example says more than a guess by the name.
    const value = example !== undefined && !isTrue(name, known) ? undefined : byName?.(call, known, stream)
    const fitting = value === undefined ? undefined : [value, `${value}`].find((each) => checker.fits(each))
    return fitting ?? example?.value ?? generate?.()(stream, scope)
  }
}

function isTrue(name: string, { facts, body }: Known): boolean {
  return name === 'location' ? body !== undefined : facts !== undefined && !name.includes('limit-')
}

/** A header's value in the style `simple` (RFC 6570); what no header may hold is left out. */
export function headerText(value: unknown): string {
  const parts = Array.isArray(value) ? value : isObject(value) ? Object.entries(value).flat() : [value]
  const text = parts.map((part) => (typeof part === 'object' ? JSON.stringify(part) : String(part))).join(',')
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
}
