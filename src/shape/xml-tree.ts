import { isObject } from '../engine/schema/schema.ts'
import { compareTexts } from '../grouping.ts'
import { xml } from './parse-xml.ts'

/** An element of XML with its namespace, its attributes by name, and what is in it in order; or a text. */
export type XmlNode = XmlElement | string

export interface XmlElement {
  /** `{namespace}name`; without the braces where it has no namespace. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** Texts of white space alone are left out beside elements. */
  readonly nodes: readonly XmlNode[]
}

const TEXT = '#text'
const ATTRIBUTES = ':@'

/**
 * Reads an XML document with its namespaces (Namespaces in XML 1.0); `undefined` where a text is none, or nests deeper
 * than 100 elements.
 */
export function readXmlTree(text: string): XmlElement | undefined {
  if (!/^\s*</.test(text) || /<!DOCTYPE/i.test(text)) return undefined
  const { XMLParser, XMLValidator } = xml()
  if (XMLValidator.validate(text) !== true) return undefined
  const parser = new XMLParser({
    ...{ preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: '', textNodeName: TEXT },
    ...{ parseTagValue: false, parseAttributeValue: false, trimValues: false, htmlEntities: true },
    ...{ ignoreDeclaration: true, ignorePiTags: true, maxNestedTags: 100 },
    processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
  })
  try {
    return nodesOf(parser.parse(text), new Map()).find((node) => typeof node !== 'string')
  } catch {
    return undefined
  }
}

function nodesOf(given: unknown, known: ReadonlyMap<string, string>): readonly XmlNode[] {
  if (!Array.isArray(given)) return []
  const nodes = given.flatMap((each: unknown) => (isObject(each) ? [nodeOf(each, known)] : []))
  return nodes.some((node) => typeof node !== 'string')
    ? nodes.filter((node) => typeof node !== 'string' || node.trim() !== '')
    : nodes
}

function nodeOf(given: Readonly<Record<string, unknown>>, known: ReadonlyMap<string, string>): XmlNode {
  if (TEXT in given) return String(given[TEXT])
  const [tag = ''] = Object.keys(given).filter((key) => key !== ATTRIBUTES)
  const all = Object.entries((given[ATTRIBUTES] ?? {}) as Record<string, string>)
  const namespaces = new Map(known)
  for (const [name, value] of all) {
    const [, prefix] = /^xmlns(?::(.+))?$/.exec(name) ?? [undefined, undefined]
    if (name === 'xmlns' || prefix !== undefined) namespaces.set(prefix ?? '', value)
  }
  const attributes = all.filter(([name]) => !/^xmlns(:|$)/.test(name))
  return {
    name: qualified(tag, namespaces),
    attributes: Object.fromEntries(attributes),
    nodes: nodesOf(given[tag], namespaces),
  }
}

function qualified(tag: string, namespaces: ReadonlyMap<string, string>): string {
  const at = tag.indexOf(':')
  const namespace = namespaces.get(tag.slice(0, Math.max(0, at))) ?? ''
  return namespace === '' ? tag.slice(at + 1) : `{${namespace}}${tag.slice(at + 1)}`
}

/** The elements within one, of a name if one is given. */
export function elementsIn(element: XmlElement | undefined, name?: string): readonly XmlElement[] {
  return (element?.nodes ?? []).filter(
    (node): node is XmlElement => typeof node !== 'string' && (name === undefined || node.name === name),
  )
}

/** The text of an element, that of elements in it included. */
export function textIn(element: XmlElement | undefined): string {
  return (element?.nodes ?? []).map((node) => (typeof node === 'string' ? node : textIn(node))).join('')
}

/** The part of a name that is not its namespace. */
export function localName(name: string): string {
  return name.slice(name.lastIndexOf('}') + 1)
}

/** Prefixes by their namespaces; the empty one is the namespace of names without a prefix. */
export type Prefixes = Readonly<Record<string, string>>

/** An element's name as it is written, and what declares its namespace where no prefix is known for it. */
export function writtenName(name: string, prefixes: Prefixes): { tag: string; declaration: string } {
  const [, namespace, local] = /^\{([^]*)\}([^}]*)$/.exec(name) ?? []
  if (namespace === undefined) return { tag: name, declaration: '' }
  const prefix = Object.hasOwn(prefixes, namespace) ? prefixes[namespace] : undefined
  if (prefix !== undefined)
    return { tag: prefix === '' ? (local ?? '') : `${prefix}:${local}`, declaration: '' }
  return { tag: `x:${local}`, declaration: ` xmlns:x="${escapeXml(namespace)}"` }
}

/** Nodes as XML. */
export function writeXml(nodes: readonly XmlNode[], prefixes: Prefixes): string {
  return nodes
    .map((node) => (typeof node === 'string' ? escapeXml(node) : writeElement(node, prefixes)))
    .join('')
}

function writeElement({ name, attributes, nodes }: XmlElement, prefixes: Prefixes): string {
  const { tag, declaration } = writtenName(name, prefixes)
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const open = `${tag}${declaration}${written.join('')}`
  return nodes.length === 0 ? `<${open}/>` : `<${open}>${writeXml(nodes, prefixes)}</${tag}>`
}

/**
 * An XML document as a text that is equal for documents that say the same: without its declaration, comments and white
 * space between elements, with attributes in order and default namespaces in place of prefixes. `undefined` where a text
 * is none.
 */
export function canonicalXml(text: string): string | undefined {
  const root = readXmlTree(text)
  return root === undefined ? undefined : canonical(root, '')
}

function canonical(node: XmlNode, outer: string): string {
  if (typeof node === 'string') return escapeXml(node)
  const [, namespace = '', name = ''] = /^(?:\{(.*)\})?(.*)$/s.exec(node.name) ?? []
  const attributes = Object.entries(node.attributes).toSorted(([one], [other]) => compareTexts(one, other))
  if (namespace !== outer) attributes.unshift(['xmlns', namespace])
  const open = `${name}${attributes.map(([key, value]) => ` ${key}="${escapeXml(value)}"`).join('')}`
  const nodes = node.nodes.map((each) => canonical(each, namespace)).join('')
  return nodes === '' ? `<${open}/>` : `<${open}>${nodes}</${name}>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as it stands in XML. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
}
