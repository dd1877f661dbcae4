import type { HttpRequest } from '../../message.ts'
import type { Input } from '../../engine/input.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { compileGenerator } from '../../engine/schema/compile.ts'
import type { Generate } from '../../engine/schema/generate.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { hashText, type Stream } from '../../engine/random.ts'
import type { ResponseHeader, ResponseRule } from '../../engine/operation.ts'

/** Makes the headers of one response, from the stream of its request. */
export type MakeHeaders = (
  call: HttpRequest,
  input: Input,
  stream: () => Stream,
) => Readonly<Record<string, string>>

/** What the transport or the body decides, whatever a description says of it. */
const NOT_OURS = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'connection', 'date'],
  ...['keep-alive', 'upgrade', 'trailer'],
])

/**
 * The declared headers of a response: those that are required, those with an example that fits, and the `Location` of
 * a redirect. A `Link` is not among them, since one that is made up leads nowhere.
 */
export function createHeaders({ headers }: ResponseRule, status: number, route: string): MakeHeaders {
  const isRedirect = status >= 300 && status < 400
  const makers = headers
    .filter(({ name }) => !NOT_OURS.has(name.toLowerCase()) && name.toLowerCase() !== 'link')
    .flatMap((header) => {
      const name = header.name.toLowerCase()
      const make = createMaker(header, header.required || (isRedirect && name === 'location'))
      return make === undefined ? [] : [{ name, salt: hashText(name), make }]
    })
  if (makers.length === 0) return () => NONE
  return (call, input, stream) => {
    const [place, scope] = [stream(), { route, input, headers: call.headers, depth: 0 }]
    const made = makers.flatMap(({ name, salt, make }): [string, string][] => {
      const value = make(place.child(salt), scope)
      return value === undefined ? [] : [[name, headerText(value)]]
    })
    return Object.fromEntries(made)
  }
}

const NONE = {}

function createMaker({ model, examples }: ResponseHeader, needed: boolean): Generate | undefined {
  const checker = createChecker(model)
  const example = examples.find(({ value }) => checker.fits(value))
  if (example !== undefined) return () => example.value
  return needed ? compileGenerator(model, { checker }) : undefined
}

/** A header's value in the style `simple` (RFC 6570); what no header may hold is left out. */
export function headerText(value: unknown): string {
  const parts = Array.isArray(value) ? value : isObject(value) ? Object.entries(value).flat() : [value]
  const text = parts.map((part) => (typeof part === 'object' ? JSON.stringify(part) : String(part))).join(',')
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
}
