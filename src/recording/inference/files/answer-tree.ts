import { isObject } from '../../../engine/schema/schema.ts'

/** A part of a body: a text, or what stands between its beginning and its end. */
export type Part = string | Element

/** An element of XML, or a member, list or object of JSON. */
export interface Element {
  /** Empty for items of a JSON list. */
  readonly name: string
  readonly open: string
  readonly close: string
  /** Between the parts. */
  readonly separator: string
  readonly parts: readonly Part[]
}

/** A body in parts; `undefined` where it is neither XML nor JSON. */
export function partsOf(text: string, type: string): Element | undefined {
  if (/json/.test(type) || /^\s*[[{]/.test(text)) return jsonParts(text)
  return /xml|html/.test(type) || text.startsWith('<') ? xmlParts(text) : undefined
}

function jsonParts(text: string): Element | undefined {
  try {
    return { ...WHOLE, parts: [partOf('', JSON.parse(text))] }
  } catch {
    return undefined
  }
}

const WHOLE = { name: '', open: '', close: '', separator: '' }

function partOf(name: string, value: unknown): Part {
  if (Array.isArray(value))
    return { name, open: '[', close: ']', separator: ',', parts: value.map((item) => partOf('', item)) }
  if (isObject(value)) {
    const parts = Object.entries(value).map(([key, item]): Element => ({
      ...{ name: key, open: `${JSON.stringify(key)}:`, close: '', separator: '' },
      parts: [partOf(key, item)],
    }))
    return { name, open: '{', close: '}', separator: ',', parts }
  }
  const text = JSON.stringify(value)
  if (typeof value !== 'string') return { name, open: '', close: '', separator: '', parts: [text] }
  return { name, open: '"', close: '"', separator: '', parts: [text.slice(1, -1)] }
}

const TOKEN =
  /<!--[^]*?(?:-->|$)|<\?[^]*?(?:\?>|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<![^>]*>|<(\/?)([^\s/<>]+)((?:"[^"]*"|'[^']*'|[^"'<>])*)>|[^<]+/g

function xmlParts(text: string): Element | undefined {
  const stack: { element: Omit<Element, 'parts' | 'close'>; parts: Part[] }[] = [
    { element: WHOLE, parts: [] },
  ]
  for (const [whole, slash, tag] of text.matchAll(TOKEN)) {
    const top = stack.at(-1)
    if (top === undefined) return undefined
    if (tag === undefined) {
      top.parts.push(whole)
      continue
    }
    // White space between elements belongs to the one after it.
    const last = top.parts.at(-1)
    const isBetween = typeof last === 'string' && last.trim() === '' && (slash === '' || top.parts.length > 1)
    const before = isBetween ? last : ''
    if (isBetween) top.parts.pop()
    if (slash === '/') {
      stack.pop()
      stack.at(-1)?.parts.push({ ...top.element, close: before + whole, parts: top.parts })
    } else {
      const element = { name: tag.slice(tag.indexOf(':') + 1), open: before + whole, separator: '' }
      if (whole.endsWith('/>')) top.parts.push({ ...element, close: '', parts: [] })
      else stack.push({ element, parts: [] })
    }
  }
  const [root] = stack
  return stack.length === 1 && root !== undefined ? { ...WHOLE, parts: root.parts } : undefined
}

/** A part as it was written. */
export function textOfPart(part: Part): string {
  if (typeof part === 'string') return part
  return part.open + part.parts.map(textOfPart).join(part.separator) + part.close
}

/** The texts in a part, as they were written. */
export function leavesOf(part: Part): ReadonlySet<string> {
  if (typeof part === 'string') return new Set([part])
  return new Set(part.parts.flatMap((each) => [...leavesOf(each)]))
}
