import { itemsOf, kindOf, requiredOf } from '../../engine/schema/keywords.ts'
import { createFold, type Fold } from '../../engine/schema/merge.ts'
import {
  createResolver,
  isObject,
  propertiesOf,
  typesOf,
  type Schema,
  type SchemaOrBoolean,
} from '../../engine/schema/schema.ts'
import { InputInvalid } from '../../errors.ts'
import { ATTRIBUTE, parseXmlRoot, TEXT, xml } from '../../shape/parse-xml.ts'
import { createTreeReaders, type TextTree } from './text-tree.ts'

type Element = Readonly<Record<string, unknown>>

/** Makes the reader of XML bodies into a model's shape, as its `xml` keywords say (OpenAPI 3.1, XML Object). */
export function createXmlReader(model: Schema): (text: string) => unknown {
  const resolve = createResolver(model)
  const fold = createFold(resolve)
  const { read } = createTreeReaders(resolve)(model)
  return (text) => read(treeOf(parseXml(text), model, fold))
}

function treeOf(node: unknown, schema: SchemaOrBoolean, fold: Fold): TextTree {
  const folded = fold(schema)
  if (typeof folded === 'boolean') return plainTree(node)
  const kind = kindOf(folded)
  if (kind === 'array') return itemsIn(node, itemTag('item', folded, fold), true, folded, fold) ?? []
  if (kind === 'object') return objectIn(elementOf(node), folded, fold)
  // A schema that says nothing of its type leaves an element as it is.
  const types = typesOf(folded)
  if (types.length === 0) return plainTree(node)
  return types.includes('string') ? textOf(node) : textOf(node).trim()
}

function objectIn(element: Element, schema: Schema, fold: Fold): TextTree {
  const known = new Set<string>([TEXT])
  const fields = propertiesOf(schema).flatMap(([name, part]): [string, TextTree][] => {
    const { tag, tree, isSideBySide } = fieldIn(element, name, part, fold)
    known.add(tag)
    const found = tree ?? (isSideBySide && requiredOf(schema).includes(name) ? [] : undefined)
    return found === undefined ? [] : [[name, found]]
  })
  const others = Object.entries(element)
    .filter(([name]) => !known.has(name) && !name.startsWith(ATTRIBUTE))
    .map(([name, each]): [string, TextTree] => [name, plainTree(each)])
  return new Map([...others, ...fields])
}

interface Field {
  /** What the field is called in the element. */
  readonly tag: string
  /** Absent where it is not there. */
  readonly tree?: TextTree | undefined
  /** Whether it is a list without an element of its own, which is not there where it is empty. */
  readonly isSideBySide?: boolean
}

function fieldIn(element: Element, name: string, schema: SchemaOrBoolean, fold: Fold): Field {
  const rule = ruleOf(schema, fold)
  const tag = (rule.name ?? nameOf(name)).replace(/^.*:/, '')
  const attribute = element[`${ATTRIBUTE}${tag}`]
  const inAttribute = typeof attribute === 'string' ? attribute : undefined
  if (rule.attribute === true) return { tag, tree: inAttribute }
  if (rule.nodeType === 'text' || rule.nodeType === 'cdata') {
    const value = element[TEXT]
    return { tag, tree: typeof value === 'string' ? value : undefined }
  }
  const field = fold(schema)
  if (typeof field === 'boolean' || kindOf(field) !== 'array') {
    const child = element[tag]
    // Many a description does not say of an attribute that it is one.
    return { tag, tree: child === undefined ? inAttribute : treeOf([child].flat().at(-1), schema, fold) }
  }
  const item = itemTag(nameOf(name), field, fold)
  if (rule.wrapped !== true)
    return { tag: item, tree: itemsIn(element, item, false, field, fold), isSideBySide: true }
  const wrapper = element[tag]
  return { tag, tree: wrapper === undefined ? undefined : (itemsIn(wrapper, item, true, field, fold) ?? []) }
}

/** The items of a list among an element's children. A wrapper may hold nothing else, whatever they are called. */
function itemsIn(
  node: unknown,
  tag: string,
  isWrapper: boolean,
  list: Schema,
  fold: Fold,
): TextTree | undefined {
  const element = elementOf(node)
  const children = Object.keys(element).filter((name) => !name.startsWith(ATTRIBUTE) && name !== TEXT)
  const [only = tag] = isWrapper && children.length === 1 ? children : []
  const found = element[tag] ?? element[only]
  const item = itemsOf(list).rest
  return found === undefined ? undefined : [found].flat().map((each) => treeOf(each, item, fold))
}

// The items' own name counts, and else the list's.
function itemTag(name: string, list: Schema, fold: Fold): string {
  return ruleOf(itemsOf(list).rest, fold).name ?? name
}

function elementOf(node: unknown): Element {
  return isObject(node) ? node : {}
}

function textOf(node: unknown): string {
  const text = isObject(node) ? node[TEXT] : node
  return typeof text === 'string' ? text : ''
}

function plainTree(node: unknown): TextTree {
  if (Array.isArray(node)) return node.map(plainTree)
  const entries = Object.entries(elementOf(node))
    .filter(([name]) => name !== TEXT && name !== `${ATTRIBUTE}xmlns`)
    .map(([name, each]): [string, TextTree] => [name.replace(/^@/, ''), plainTree(each)])
  return entries.length === 0 ? textOf(node) : new Map(entries)
}

/**
 * The root of an XML document: a text, or its children and attributes by name, without their prefixes.
 * @throws InputInvalid when it is not well-formed, declares a document type, or nests deeper than 100 elements
 */
export function parseXml(text: string): unknown {
  try {
    return parseXmlRoot(text)[1]
  } catch (error) {
    const msg = (error as Error).message
    throw new InputInvalid([{ type: 'xml_invalid', loc: ['body'], msg, input: text.slice(0, 200) }])
  }
}

/** Writes a value as XML, named and wrapped as the `xml` keywords of its model say (OpenAPI 3.1, XML Object). */
export function writeXml(value: unknown, model: SchemaOrBoolean): string {
  const fold = createFold(createResolver(isObject(model) ? model : {}))
  const element = writeElement(rootName(model, fold), model, value, fold)
  const builder = new (xml().XMLBuilder)({
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    suppressBooleanAttributes: false,
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(element)}`
}

/** How the `xml` keyword of a schema says that its values are written. */
interface XmlRule {
  readonly name?: string
  readonly prefix?: string
  readonly namespace?: string
  readonly attribute?: boolean
  readonly wrapped?: boolean
  /** What a value is in XML (OpenAPI 3.2); it takes the place of the two above. */
  readonly nodeType?: 'element' | 'attribute' | 'text' | 'cdata' | 'none'
}

type Elements = Record<string, unknown>

// The name on a reference is that of the schema it refers to, since a component is named by its place.
function rootName(model: SchemaOrBoolean, fold: Fold): string {
  if (typeof model === 'boolean') return 'root'
  const { $ref: reference, title } = model
  const referred = typeof reference === 'string' ? reference.split('/').at(-1) : undefined
  return ruleOf(model, fold).name ?? nameOf(referred ?? (typeof title === 'string' ? title : 'root'))
}

/** What the `xml` keyword says of a schema's values; the one beside a reference wins over that of its schema. */
function ruleOf(schema: SchemaOrBoolean, fold: Fold): XmlRule {
  if (typeof schema === 'boolean') return {}
  const folded = fold(schema)
  const inner = typeof folded === 'object' && isObject(folded['xml']) ? folded['xml'] : {}
  const rule: XmlRule = { ...inner, ...(isObject(schema['xml']) ? schema['xml'] : {}) }
  const { nodeType } = rule
  // No attribute holds an object.
  const isObjects = typeof folded === 'object' && kindOf(folded) === 'object'
  const attribute =
    !isObjects && (nodeType === undefined ? rule.attribute === true : nodeType === 'attribute')
  return { ...rule, attribute, ...(nodeType !== undefined && { wrapped: nodeType === 'element' }) }
}

function writeElement(name: string, schema: SchemaOrBoolean, value: unknown, fold: Fold): Elements {
  const rule = ruleOf(schema, fold)
  const folded = fold(schema)
  const tag = qualified(rule.name ?? name, rule)
  if (!Array.isArray(value)) return { [tag]: withNamespace(writeContent(folded, value, fold), rule) }
  return { [tag]: withNamespace(writeItems(name, folded, value, fold), rule) }
}

function writeContent(schema: SchemaOrBoolean, value: unknown, fold: Fold): unknown {
  if (value === null || value === undefined) return ''
  if (!isObject(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  const properties = new Map(typeof schema === 'boolean' ? [] : propertiesOf(schema))
  const content: Elements = {}
  for (const [name, field] of Object.entries(value)) {
    const part = properties.get(name) ?? true
    const rule = ruleOf(part, fold)
    if (rule.attribute === true)
      content[`${ATTRIBUTE}${qualified(rule.name ?? nameOf(name), rule)}`] = String(field)
    else if (rule.nodeType === 'text' || rule.nodeType === 'cdata') content[TEXT] = String(field)
    else if (!Array.isArray(field) || rule.wrapped === true)
      Object.assign(content, writeElement(nameOf(name), part, field, fold))
    else Object.assign(content, writeItems(nameOf(name), fold(part), field, fold))
  }
  return content
}

// The items of a list are elements side by side, named by the items' own keyword and else as the list.
function writeItems(name: string, schema: SchemaOrBoolean, items: readonly unknown[], fold: Fold): Elements {
  const item = typeof schema === 'boolean' ? true : itemsOf(schema).rest
  const rule = ruleOf(item, fold)
  const tag = qualified(rule.name ?? name, rule)
  const contents = items.map((each) => writeElement(name, item, each, fold)[tag])
  return { [tag]: contents }
}

function withNamespace(content: unknown, { namespace, prefix }: XmlRule): unknown {
  if (namespace === undefined) return content
  const attribute = `${ATTRIBUTE}xmlns${prefix === undefined ? '' : `:${prefix}`}`
  return { [attribute]: namespace, ...(isObject(content) ? content : { [TEXT]: content }) }
}

function qualified(name: string, { prefix }: XmlRule): string {
  return prefix === undefined ? name : `${prefix}:${name}`
}

/** A field's name as that of an element, which may hold less. */
function nameOf(name: string): string {
  const safe = name.replace(/[^\w.-]/g, '_')
  return /^[A-Za-z_]/.test(safe) ? safe : `_${safe}`
}
