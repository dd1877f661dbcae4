import type { Input } from '../engine/input.ts'
import { isObject } from '../engine/schema/schema.ts'
import { encodeSegment } from '../routing/path-template.ts'
import { headerText } from '../openapi/serve/response-headers.ts'
import { linkHeader } from './paging/page-links.ts'
import type { PageFacts } from './paging/page-fields.ts'

/** What the names in headers stand for, besides the input. */
export interface HeaderValues {
  /** The answer. */
  readonly body: unknown
  /** The answer with what it leaves out. */
  readonly whole?: unknown
  /** What is true of the page that the answer is. */
  readonly facts?: PageFacts | undefined
}

const NAME = /\{([A-Za-z_][\w.-]*|links( (first|prev|next|last)\??)*( or [^{}]*)?|range \*)\}/g
const ADDRESSES = /^(content-)?location$/i

/**
 * Makes a route's headers with values in place of the names in braces: of a page what is true of it, else a field of
 * the answer, else of the input. A header with a name that nothing has a value for is left out.
 */
export function createHeaderFiller(
  headers: Readonly<Record<string, string>> | undefined,
): (input: Input, values: HeaderValues) => Readonly<Record<string, string>> {
  const templates = Object.entries(headers ?? {})
  if (!templates.some(([, template]) => template.includes('{'))) {
    const constant = Object.fromEntries(templates)
    return () => constant
  }
  return (input, { body, whole, facts }) => {
    const valueOf = (name: string): string | undefined =>
      [facts && factOf(name, facts), at(body, name), at(whole, name), at(input, name)]
        .map(textOf)
        .find((text) => text !== undefined)
    return Object.fromEntries(templates.flatMap(([name, template]) => fillHeader(name, template, valueOf)))
  }
}

function fillHeader(
  name: string,
  template: string,
  valueOf: (name: string) => string | undefined,
): [name: string, text: string][] {
  if (!template.includes('{')) return [[name, template]]
  // A value within an address is one segment of it.
  const isPart = ADDRESSES.test(name) && !/^\{[^{}]*\}$/.test(template)
  let isWhole = true
  const text = template.replace(NAME, (_, key: string) => {
    const value = valueOf(key)
    isWhole &&= value !== undefined
    return isPart ? encodeSegment(value ?? '') : (value ?? '')
  })
  return isWhole ? [[name, headerText(text)]] : []
}

function factOf(name: string, facts: PageFacts): unknown {
  const [wanted = '', ...otherwise] = name.split(' or ')
  const [links, ...relations] = wanted.split(' ')
  if (links === 'links') {
    const own = linkHeader(facts, relations.length === 0 ? undefined : relations.join(' '))
    return own ?? (otherwise.length === 0 ? undefined : otherwise.join(' or '))
  }
  if (links === 'range') return rangeOf(facts, relations[0] ?? '')
  const key = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const fact: unknown = Object.hasOwn(facts, key) ? facts[key as keyof PageFacts] : undefined
  return isObject(fact) ? (fact['number'] ?? fact['token']) : fact
}

// The places of the first and the last item, such as `0-4`.
function rangeOf({ total, size, offset }: PageFacts, none: string): string {
  const last = Math.min(offset + size, total) - 1
  return last >= offset ? `${offset}-${last}` : none || `${offset}-${offset}`
}

function at(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined
  if (Object.hasOwn(value, name)) return value[name]
  const [first = '', ...rest] = name.split('.')
  return rest.length > 0 && Object.hasOwn(value, first) ? at(value[first], rest.join('.')) : undefined
}

function textOf(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
}
