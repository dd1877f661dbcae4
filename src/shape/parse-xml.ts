import { createRequire } from 'node:module'
import { lazy } from '../engine/lazy.ts'
import { isObject } from '../engine/schema/schema.ts'

/** What reads and writes XML; few apps ever see a document of it. */
export const xml = lazy(
  () => createRequire(import.meta.url)('fast-xml-parser') as typeof import('fast-xml-parser'),
)

/** What stands before the name of an attribute among an element's children. */
export const ATTRIBUTE = '@'
/** The name of an element's text where it has attributes or children too. */
export const TEXT = '#text'

/**
 * The root of an XML document, by its name: a text, or its children and attributes by name, without their prefixes.
 * @throws Error when it is not well-formed, declares a document type, or nests deeper than 100 elements
 */
export function parseXmlRoot(text: string): readonly [name: string, root: unknown] {
  // Entities of its own are how a small document becomes a huge one.
  if (/<!DOCTYPE/i.test(text)) throw new Error('XML with a document type declaration is not read')
  const { XMLParser, XMLValidator } = xml()
  const verdict = XMLValidator.validate(text)
  if (verdict !== true) throw new Error(`${verdict.err.msg} (line ${verdict.err.line})`)
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    htmlEntities: true,
    processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
    maxNestedTags: 100,
  })
  const [root, ...others] = Object.entries(parser.parse(text) as Record<string, unknown>)
  if (root === undefined || others.length > 0 || Array.isArray(root[1]))
    throw new Error('XML has one root element')
  return root
}

/** An XML document as `parseXmlRoot` gives it, below the name of its root; `undefined` where the text is none. */
export function readXml(text: string): unknown {
  try {
    const [name, root] = parseXmlRoot(text)
    return { [name]: root }
  } catch {
    return undefined
  }
}

/**
 * What a document has at a path of local names: the text of the first element there, such as `/methodCall/methodName`,
 * the name of one that `*` ends the path with, such as `/Envelope/Body/*`, or an attribute's value, `/query/@type`.
 * @param document as `readXml` gives it
 */
export function elementIn(document: unknown, path: string): string | undefined {
  return valueBelow(document, path.split('/').slice(1))
}

/** As `elementIn`, of a text; `undefined` where that is not XML. */
export function elementAt(text: string, path: string): string | undefined {
  return elementIn(readXml(text), path)
}

function valueBelow(node: unknown, [name, ...below]: readonly string[]): string | undefined {
  if (name === undefined) return isObject(node) ? textOf(node[TEXT]) : textOf(node)
  if (!isObject(node)) return undefined
  if (name === '*') return Object.keys(node).find((each) => !each.startsWith(ATTRIBUTE) && each !== TEXT)
  const found = Object.hasOwn(node, name) ? [node[name]].flat() : []
  return found.map((each) => valueBelow(each, below)).find((value) => value !== undefined)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

/**
 * An XML document as values that can be observed like JSON: each element an object of its attributes (`@id`), its text
 * (`#text`) and lists of its children by name, so that an element that came once is like one that came several times.
 * @throws Error as `parseXmlRoot`
 */
export function xmlValue(text: string): unknown {
  const [name, root] = parseXmlRoot(text)
  return { [name]: elementOf(root) }
}

function elementOf(node: unknown): unknown {
  if (!isObject(node)) return textEntry(node)
  const entries = Object.entries(node).map(([name, part]): [string, unknown] => [
    name,
    name.startsWith(ATTRIBUTE) ? part : [part].flat().map(elementOf),
  ])
  const own = entries.filter(([name]) => name !== TEXT && name !== `${ATTRIBUTE}xmlns`)
  return { ...Object.fromEntries(own), ...textEntry(node[TEXT]) }
}

function textEntry(text: unknown): object {
  const trimmed = typeof text === 'string' ? text.trim() : ''
  return trimmed === '' ? {} : { [TEXT]: trimmed }
}

/** An element as `readXml` gives it, of texts and children alone. */
export function withoutAttributes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutAttributes)
  if (!isObject(node)) return textOf(node)
  const parts = Object.entries(node).filter(([name]) => !name.startsWith(ATTRIBUTE))
  if (parts.every(([name]) => name === TEXT)) return textOf(node[TEXT])
  return Object.fromEntries(
    parts.filter(([name]) => name !== TEXT).map(([name, part]) => [name, withoutAttributes(part)]),
  )
}

/** The names of a document's elements as they are written, by their local names. */
export function qualifiedNames(text: string): Readonly<Record<string, string>> {
  const names = text.matchAll(/<((?:[\w.-]+:)?([\w.-]+))[\s/>]/g)
  return Object.fromEntries([...names].map(([, whole = '', local = '']) => [local, whole]))
}

/** Under which name the names of a document say what the items of a list are called that has an element around them. */
export function itemKey(list: string): string {
  return `${list}[]`
}

/** Members as elements; a list as one element for each item. @param names as they are written, by local names */
export function writeElements(value: unknown, names: Readonly<Record<string, string>>): string {
  if (value === null || value === undefined) return ''
  if (!isObject(value)) return escapeText(typeof value === 'string' ? value : JSON.stringify(value))
  return Object.entries(value)
    .flatMap(([name, part]) => {
      const item = names[itemKey(name)]
      const parts = item !== undefined && Array.isArray(part) ? [{ [item]: part }] : [part].flat()
      return parts.map((each: unknown) => [names[name] ?? name, each] as const)
    })
    .filter(([, each]) => each !== undefined)
    .map(([name, each]) => `<${name}>${writeElements(each, names)}</${name}>`)
    .join('')
}

/** A text as what an element holds. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
