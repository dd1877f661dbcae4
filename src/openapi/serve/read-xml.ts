import { itemsOf, kindOf } from '../../engine/schema/keywords.ts'
import { createFold, type Fold } from '../../engine/schema/merge.ts'
import {
  createResolver,
  isObject,
  propertiesOf,
  typesOf,
  type Schema,
  type SchemaOrBoolean,
} from '../../engine/schema/schema.ts'
import { ATTRIBUTE, parseXml, TEXT } from './parse-xml.ts'
import { createTreeReaders, type TextTree } from './text-tree.ts'
import { nameOf, ruleOf } from './write-xml.ts'

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
    const { tag, tree } = fieldIn(element, name, part, fold)
    known.add(tag)
    return tree === undefined ? [] : [[name, tree]]
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
}

function fieldIn(element: Element, name: string, schema: SchemaOrBoolean, fold: Fold): Field {
  const rule = ruleOf(schema, fold)
  const tag = rule.name ?? nameOf(name)
  if (rule.attribute === true) {
    const value = element[`${ATTRIBUTE}${tag}`]
    return { tag, tree: typeof value === 'string' ? value : undefined }
  }
  const field = fold(schema)
  if (typeof field === 'boolean' || kindOf(field) !== 'array') {
    const child = element[tag]
    return { tag, tree: child === undefined ? undefined : treeOf([child].flat().at(-1), schema, fold) }
  }
  const item = itemTag(nameOf(name), field, fold)
  if (rule.wrapped !== true) return { tag: item, tree: itemsIn(element, item, false, field, fold) }
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
