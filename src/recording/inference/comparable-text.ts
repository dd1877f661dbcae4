import { comparableComponents } from '../../collections/dav/components.ts'
import { dav } from '../../collections/dav/multi-status.ts'
import { decodeSegment } from '../../routing/path-template.ts'
import { madeKind } from '../../shape/made-values.ts'
import { compareTexts } from '../../grouping.ts'
import { readXmlTree, textIn, type XmlNode } from '../../shape/xml-tree.ts'

/** What a text says, in parts that are compared one by one. */
export type Comparable = string | readonly Comparable[]

/**
 * A text in parts that are the same where another says the same: of XML whatever prefixes its namespaces have, of a
 * multi-status (RFC 4918, section 13) in whatever order, of calendars and cards whatever order their properties have.
 */
export function comparableText(text: string): Comparable {
  const root = readXmlTree(text)
  return root === undefined
    ? partsOf(text)
    : comparable(root, /}(multistatus|[^}]+-response)$/.test(root.name))
}

function comparable(node: XmlNode, isUnordered: boolean): Comparable {
  if (typeof node === 'string') return partsOf(node.trim())
  const { name, attributes, nodes } = node
  const own = Object.entries(attributes).map(([key, value]) => `${key}=${value}`)
  if (name === dav('getetag')) return [name, textIn(node).trim().replace(/^W\//, '')]
  const parts = nodes.map((each) =>
    name === dav('href') && typeof each === 'string'
      ? decodeSegment(each.trim())
      : comparable(each, isUnordered),
  )
  const sorted = isUnordered
    ? parts
        .map(keyed)
        .toSorted(([one], [other]) => compareTexts(one, other))
        .map(([, part]) => part)
    : parts
  return [name, ...own.toSorted(compareTexts), ...sorted]
}

function keyed(part: Comparable): readonly [key: string, part: Comparable] {
  return [JSON.stringify(part), part]
}

function partsOf(text: string): Comparable {
  return comparableComponents(text)?.split('\n') ?? wordsOf(text)
}

/** The words of a text, each of which may be one that a server makes up; a time is one. */
export function wordsOf(text: string): Comparable {
  if (/^(http-date|date-time)$/.test(madeKind(text) ?? '')) return text
  const words = text
    .replaceAll(PADDING, '')
    .replaceAll(HTTP_DATES, (date) => new Date(date).toISOString())
    .split(BETWEEN)
  return words.length === 1 ? text : words
}

/** Each of which is one value. */
const HTTP_DATES = /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g
const BETWEEN = /([^\w.:+-]+)/
/** The end of base64, which follows from the length of what it codes. */
const PADDING = /(?<=[\w+-]{12})(?:=|%3D){1,2}(?![\w=])/g
