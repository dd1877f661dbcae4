import { isObject } from '../../engine/schema/schema.ts'
import type { OpenApiDocument } from '../export/document.ts'
import { freeName, nameOf, childOf, entriesOf, itemsOf, pathOf, pointerOf, type Node } from './node.ts'
import { modern, placedOf } from './convert-schema.ts'
import type { Description } from './models.ts'
import { FIELDS, type Kind } from './grammar.ts'
import { referenceOf, siblingsCount } from './library.ts'
import { remembered } from '../../engine/lazy.ts'
import { KEYWORDS } from './schema-keywords.ts'

type Table = Record<string, unknown>

/**
 * A description as one OpenAPI 3.1 document that means the same: what other files hold is among its components, and
 * schemas are those of JSON Schema 2020-12.
 */
export function documentOf({ library, checked }: Description): OpenApiDocument {
  const { root } = library
  const components = childOf(root, 'components')
  const bundleOf = remembered((section: string): Bundle => {
    const own = new Set(entriesOf(components && childOf(components, section)).map(({ key }) => key))
    return { section, taken: own, names: new Map(), parts: new Map() }
  })
  const bundles = new Set<Bundle>()

  const copy = (node: Node, kind: Kind): unknown => {
    const { value } = node
    if (!isObject(value)) return value
    const reference = referenceOf(node)
    if (kind === 'schema')
      return reference === undefined ? copySchema(node, value) : copyReference(node, value)
    if (reference !== undefined) return { ...value, $ref: referenceTo(node, kind) }
    const fields = kind === 'callback' ? undefined : (FIELDS[kind] ?? {})
    return mapEntries(node, (part) => {
      if (fields === undefined) return part.key.startsWith('x-') ? part.value : copy(part, 'pathItem')
      const field = fields[part.key]
      if (field === undefined) return part.value
      if (field.holds === 'one') return copy(part, field.kind)
      if (field.holds === 'list') return itemsOf(part).map((each) => copy(each, field.kind))
      return mapEntries(part, (each) => (isData(each, field.kind) ? each.value : copy(each, field.kind)))
    })
  }
  const copyReference = (node: Node, value: Table): unknown => {
    const siblings = siblingsCount(library)
      ? copySchema(node, value)
      : { ...notesOf(value), ...placedOf(node) }
    return checked.broken.has(value) ? siblings : { ...siblings, $ref: referenceTo(node, 'schema') }
  }
  const copySchema = (node: Node, value: Table): Table => {
    const kept = Object.entries(value).flatMap(([key, held]): [string, unknown][] => {
      const keyword = KEYWORDS.get(key)
      const part = childOf(node, key)
      if (key === '$ref' || part === undefined) return []
      if (keyword === undefined) return key === '$schema' || key === '$id' ? [] : [[key, held]]
      if (keyword.check(held) !== undefined) return []
      if (key === 'discriminator') return [[key, copyDiscriminator(part)]]
      if (keyword.holds === 'plain') return [[key, held]]
      if (Array.isArray(held)) return [[key, itemsOf(part).map((each) => copy(each, 'schema'))]]
      return [
        [
          key,
          keyword.holds === 'one' ? copy(part, 'schema') : mapEntries(part, (each) => copy(each, 'schema')),
        ],
      ]
    })
    const { nullable, ...others } = Object.fromEntries(kept)
    const isOld = !siblingsCount(library)
    const schema = modern({ ...others, ...(isOld && nullable === true && { nullable }) }, false)
    // Beside an \`allOf\`, it is read leniently or not, and OpenAPI 3.1 has no way to say so: its own is as it was.
    const isOpen = value['nullable'] === true && (schema['type'] === undefined || !isOld)
    return { ...schema, ...(isOpen && { nullable: true }) }
  }
  const copyDiscriminator = (node: Node): unknown => {
    const mapping = childOf(node, 'mapping')
    if (mapping === undefined) return node.value
    const { source } = node
    const moved = mapEntries(mapping, ({ value }) => {
      if (typeof value !== 'string' || /^[\w.-]+$/.test(value)) return value
      const target = library.find(value, source)
      return typeof target === 'string' ? value : pointerFor(target, 'schema')
    })
    return { ...(node.value as Table), mapping: moved }
  }
  const referenceTo = (node: Node, kind: Kind): string => {
    const reference = referenceOf(node) ?? ''
    const target = library.find(reference, node.source)
    return typeof target === 'string' ? reference : pointerFor(target, kind)
  }
  const pointerFor = (target: Node, kind: Kind): string => {
    if (target.source === root.source) return encodeURI(pointerOf(pathOf(target)))
    const bundle = bundleOf(SECTIONS[kind] ?? 'x-sim-parts')
    bundles.add(bundle)
    const { section, taken, names, parts } = bundle
    const known = names.get(target.value)
    if (known !== undefined) return pointerOf(['components', section, known])
    const name = freeName(nameOf(target), taken)
    taken.add(name)
    names.set(target.value, name)
    // The place is taken before it is filled, since a part may refer to itself.
    parts.set(name, {})
    parts.set(name, copy(target, kind))
    return pointerOf(['components', section, name])
  }

  const document = copy(root, 'document') as Table
  const all: Table = isObject(document['components']) ? document['components'] : {}
  for (const { section, parts } of bundles)
    all[section] = { ...(all[section] as Table | undefined), ...Object.fromEntries(parts) }
  const version = String(document['openapi'])
  return {
    ...document,
    openapi: version.startsWith('3.0') ? '3.1.0' : version,
    ...(Object.keys(all).length > 0 && { components: all }),
  } as unknown as OpenApiDocument
}

/** The parts of other files that become components of one section. */
interface Bundle {
  readonly section: string
  /** The names that its components have. */
  readonly taken: Set<string>
  readonly names: Map<unknown, string>
  readonly parts: Map<string, unknown>
}

/** Where components of a kind stand; kinds without a place of their own stand beside the others. */
const SECTIONS: Readonly<Partial<Record<Kind, string>>> = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  example: 'examples',
  requestBody: 'requestBodies',
  header: 'headers',
  securityScheme: 'securitySchemes',
  link: 'links',
  callback: 'callbacks',
  pathItem: 'pathItems',
  mediaType: 'mediaTypes',
}

function notesOf(value: Table): Table {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key === 'description'))
}

function isData({ key }: Node, kind: Kind): boolean {
  return kind !== 'schema' && key.startsWith('x-')
}

function mapEntries(node: Node, change: (part: Node) => unknown): unknown {
  if (!isObject(node.value)) return node.value
  return Object.fromEntries(entriesOf(node).map((part) => [part.key, change(part)]))
}
