import { itemsOf } from '../../engine/schema/keywords.ts'
import { createFold, type Fold } from '../../engine/schema/merge.ts'
import { createResolver, isObject, propertiesOf, type SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { xml } from './parse-xml.ts'

const ATTRIBUTE = '@'
const TEXT = '#text'

/** Writes a value as XML, named and wrapped as the `xml` keywords of its model say (OpenAPI 3.1, XML Object). */
export function writeXml(value: unknown, model: SchemaOrBoolean): string {
  const fold = createFold(createResolver(isObject(model) ? model : {}))
  const element = elementOf(rootName(model, fold), model, value, fold)
  const builder = new (xml().XMLBuilder)({
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    suppressBooleanAttributes: false,
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(element)}`
}

/** How the `xml` keyword of a schema says that its values are written. */
export interface XmlRule {
  readonly name?: string
  readonly prefix?: string
  readonly namespace?: string
  readonly attribute?: boolean
  readonly wrapped?: boolean
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
export function ruleOf(schema: SchemaOrBoolean, fold: Fold): XmlRule {
  if (typeof schema === 'boolean') return {}
  const folded = fold(schema)
  const inner = typeof folded === 'object' && isObject(folded['xml']) ? folded['xml'] : {}
  return { ...inner, ...(isObject(schema['xml']) ? schema['xml'] : {}) }
}

function elementOf(name: string, schema: SchemaOrBoolean, value: unknown, fold: Fold): Elements {
  const rule = ruleOf(schema, fold)
  const folded = fold(schema)
  const tag = qualified(rule.name ?? name, rule)
  if (!Array.isArray(value)) return { [tag]: withNamespace(contentOf(folded, value, fold), rule) }
  return { [tag]: withNamespace(itemElements(name, folded, value, fold), rule) }
}

function contentOf(schema: SchemaOrBoolean, value: unknown, fold: Fold): unknown {
  if (value === null || value === undefined) return ''
  if (!isObject(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  const properties = new Map(typeof schema === 'boolean' ? [] : propertiesOf(schema))
  const content: Elements = {}
  for (const [name, field] of Object.entries(value)) {
    const part = properties.get(name) ?? true
    const rule = ruleOf(part, fold)
    if (rule.attribute === true)
      content[`${ATTRIBUTE}${qualified(rule.name ?? nameOf(name), rule)}`] = String(field)
    else if (!Array.isArray(field) || rule.wrapped === true)
      Object.assign(content, elementOf(nameOf(name), part, field, fold))
    else Object.assign(content, itemElements(nameOf(name), fold(part), field, fold))
  }
  return content
}

// The items of a list are elements side by side, named by the items' own keyword and else as the list.
function itemElements(
  name: string,
  schema: SchemaOrBoolean,
  items: readonly unknown[],
  fold: Fold,
): Elements {
  const item = typeof schema === 'boolean' ? true : itemsOf(schema).rest
  const rule = ruleOf(item, fold)
  const tag = qualified(rule.name ?? name, rule)
  const contents = items.map((each) => elementOf(name, item, each, fold)[tag])
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
export function nameOf(name: string): string {
  const safe = name.replace(/[^\w.-]/g, '_')
  return /^[A-Za-z_]/.test(safe) ? safe : `_${safe}`
}
