import { isObject } from '../../../engine/schema/schema.ts'
import { readXml } from '../../../shape/parse-xml.ts'
import { schemasOfJson } from './csdl-json.ts'
import { type EntitySet, KEY, type Link, OWNER, readLiteral } from './service.ts'

type Node = Readonly<Record<string, unknown>>

/** What `$metadata` says of the sets of a service and of its operations; `undefined` for what is none. */
export function readMetadata(
  metadata: unknown,
):
  { readonly sets: Readonly<Record<string, EntitySet>>; readonly operations: readonly string[] } | undefined {
  const schemas = schemasIn(metadata)
  if (schemas.length === 0) return undefined
  const types = new Map<string, EntityType>()
  for (const schema of schemas)
    for (const kind of ['EntityType', 'ComplexType'])
      for (const node of nodesIn(schema, kind)) {
        const type = { name: `${attribute(schema, 'Namespace')}.${attribute(node, 'Name')}`, node }
        types.set(type.name, type)
        if (attribute(schema, 'Alias') !== '')
          types.set(`${attribute(schema, 'Alias')}.${attribute(node, 'Name')}`, type)
      }
  const containers = schemas.flatMap((schema) => nodesIn(schema, 'EntityContainer'))
  const declared = containers.flatMap((each) => [
    ...nodesIn(each, 'EntitySet').map((node) => ({ node, type: attribute(node, 'EntityType') })),
    ...nodesIn(each, 'Singleton').map((node) => ({ node, type: attribute(node, 'Type') })),
  ])
  const sets = new Map<string, EntitySet>()
  const mandatory = mandatoryIn(schemas)
  const setOf = (type: string): string | undefined =>
    declared
      .filter(({ node }) => !('@Type' in node))
      .map(({ node, type: own }) => ({ name: attribute(node, 'Name'), own: types.get(own) }))
      .find(({ own }) => own !== undefined && own === types.get(type))?.name
  const add = (name: string, typeName: string, node: Node, isWithin: boolean): void => {
    const type = types.get(typeName)
    if (type === undefined || sets.has(name)) return
    const { keys, properties, links } = partsOf(type, types)
    const bindings = new Map(
      nodesIn(node, 'NavigationPropertyBinding').map((each) => [
        attribute(each, 'Path'),
        attribute(each, 'Target'),
      ]),
    )
    const within: (readonly [string, string])[] = []
    const found = links.flatMap((link): [string, Link][] => {
      const own = attribute(link, 'Name')
      const [, many, single] = /^(?:Collection\((.+)\)|(.+))$/.exec(attribute(link, 'Type')) ?? []
      const other = many ?? single ?? ''
      const isWithinThis = attribute(link, 'ContainsTarget') === 'true'
      const bound = bindings.get(own)?.split('/').at(-1)
      const to = isWithinThis ? `${name}/${own}` : (bound ?? setOf(other))
      if (to === undefined) return []
      if (isWithinThis && name.split('/').length < MAX_WITHIN) within.push([to, other])
      const isOwned = nodesIn(link, 'OnDelete').some((each) => attribute(each, 'Action') === 'Cascade')
      const by = isWithinThis ? [[KEY, OWNER] as const] : constraintsOf(link, types.get(other), types)
      return [
        [own, { to, isMany: many !== undefined, by, ...((isOwned || isWithinThis) && { isOwned: true }) }],
      ]
    })
    sets.set(name, {
      keys,
      quoted: keys.filter((key) =>
        properties.some(
          (each) => attribute(each, 'Name') === key && attribute(each, 'Type') === 'Edm.String',
        ),
      ),
      properties: Object.fromEntries(properties.map((each) => [attribute(each, 'Name'), initialOf(each)])),
      types: Object.fromEntries(
        properties.map((each) => [attribute(each, 'Name'), attribute(each, 'Type').replace(/^Edm\./, '')]),
      ),
      links: Object.fromEntries(found),
      ...(attribute(type.node, 'OpenType') === 'true' && { isOpen: true }),
      ...('@Type' in node && !isWithin && { isSingleton: true }),
      required: properties
        .filter((each) => isRequired(each, keys) || isMandatory(mandatory, [name, type.name], each))
        .map((each) => attribute(each, 'Name')),
    })
    for (const [to, other] of within) add(to, other, {}, true)
  }
  for (const { node, type } of declared) add(attribute(node, 'Name'), type, node, false)
  const operations = schemas.flatMap((schema) =>
    ['Action', 'Function'].flatMap((kind) =>
      nodesIn(schema, kind).flatMap((node) => [
        attribute(node, 'Name'),
        `${attribute(schema, 'Namespace')}.${attribute(node, 'Name')}`,
      ]),
    ),
  )
  const imports = containers.flatMap((each) =>
    ['ActionImport', 'FunctionImport'].flatMap((kind) =>
      nodesIn(each, kind).map((node) => attribute(node, 'Name')),
    ),
  )
  return { sets: Object.fromEntries(sets), operations: [...new Set([...operations, ...imports])] }
}

// In XML, or in JSON, which says its version.
function schemasIn(metadata: unknown): readonly Node[] {
  if (typeof metadata === 'string')
    return nodesIn(nodeIn(nodeIn(readXml(metadata), 'Edmx'), 'DataServices'), 'Schema')
  return isObject(metadata) && '$Version' in metadata ? schemasOfJson(metadata) : []
}

/** So deep are entities within others. */
const MAX_WITHIN = 4

interface EntityType {
  readonly name: string
  readonly node: Node
}

function partsOf(
  { node }: EntityType,
  types: ReadonlyMap<string, EntityType>,
  depth = 0,
): { keys: readonly string[]; properties: readonly Node[]; links: readonly Node[] } {
  const base = depth > 8 ? undefined : types.get(attribute(node, 'BaseType'))
  const above = base && partsOf(base, types, depth + 1)
  const keys = nodesIn(nodeIn(node, 'Key'), 'PropertyRef').map((each) => attribute(each, 'Name'))
  return {
    keys: keys.length > 0 ? keys : (above?.keys ?? []),
    properties: [...(above?.properties ?? []), ...nodesIn(node, 'Property')],
    links: [...(above?.links ?? []), ...nodesIn(node, 'NavigationProperty')],
  }
}

// The other side may say it, and is what is linked by name.
function constraintsOf(
  link: Node,
  other: EntityType | undefined,
  types: ReadonlyMap<string, EntityType>,
): Link['by'] {
  const own = pairsIn(link)
  if (own.length > 0 || other === undefined) return own.length > 0 ? own : undefined
  const partner = attribute(link, 'Partner')
  const back = partsOf(other, types).links.find((each) => attribute(each, 'Name') === partner)
  const pairs = back === undefined ? [] : pairsIn(back)
  return pairs.length > 0 ? pairs.map(([theirs, ours]) => [ours, theirs]) : undefined
}

function pairsIn(link: Node): readonly (readonly [string, string])[] {
  return nodesIn(link, 'ReferentialConstraint').map(
    (each) => [attribute(each, 'Property'), attribute(each, 'ReferencedProperty')] as const,
  )
}

function isRequired(property: Node, keys: readonly string[]): boolean {
  const isPlain = attribute(property, 'Nullable') === 'false' && !('@DefaultValue' in property)
  return isPlain && !keys.includes(attribute(property, 'Name'))
}

function mandatoryIn(schemas: readonly Node[]): ReadonlySet<string> {
  const targets = schemas.flatMap((schema) => nodesIn(schema, 'Annotations'))
  return new Set(targets.filter(saysMandatory).map((each) => attribute(each, 'Target')))
}

function saysMandatory(node: Node): boolean {
  return nodesIn(node, 'Annotation').some(
    (each) => attribute(each, 'Term').endsWith('FieldControl') && /Mandatory/.test(JSON.stringify(each)),
  )
}

function isMandatory(targets: ReadonlySet<string>, owners: readonly string[], property: Node): boolean {
  const name = attribute(property, 'Name')
  const isNamed = [...targets].some((target) =>
    owners.some((owner) => target === `${owner}/${name}` || target.endsWith(`.${owner}/${name}`)),
  )
  return isNamed || saysMandatory(property)
}

function initialOf(property: Node): unknown {
  const type = attribute(property, 'Type')
  if (type.startsWith('Collection(')) return []
  const given = property['@DefaultValue']
  if (typeof given !== 'string') return null
  return type === 'Edm.String' ? given : readLiteral(given)
}

function attribute(node: unknown, name: string): string {
  const value = isObject(node) ? node[`@${name}`] : undefined
  return typeof value === 'string' ? value : ''
}

function nodeIn(node: unknown, name: string): Node {
  return nodesIn(node, name)[0] ?? {}
}

function nodesIn(node: unknown, name: string): readonly Node[] {
  const found = isObject(node) && Object.hasOwn(node, name) ? [node[name]].flat() : []
  return found.filter((each) => isObject(each))
}
