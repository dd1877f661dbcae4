import { isObject } from '../../../engine/schema/schema.ts'

type Node = Readonly<Record<string, unknown>>

/** The elements that describe a service in XML, of what describes it in JSON (OData CSDL JSON 4.01). */
export function schemasOfJson(document: Node): readonly Node[] {
  return partsIn(document).map(([namespace, schema]) => {
    const kinds = partsIn(schema).flatMap(([name, part]) =>
      [part].flat().map((each) => ({ kind: kindOf(each), node: elementOf(name, each) })),
    )
    const ofKind = (kind: string): readonly Node[] =>
      kinds.filter((each) => each.kind === kind).map(({ node }) => node)
    return {
      '@Namespace': namespace,
      ...(typeof schema['$Alias'] === 'string' && { '@Alias': schema['$Alias'] }),
      ...Object.fromEntries(KINDS.map((kind) => [kind, ofKind(kind)])),
      Annotations: partsIn(schema['$Annotations']).map(([target, own]) => ({
        ...{ '@Target': target, Annotation: annotationsOf(own) },
      })),
    }
  })
}

const KINDS = ['EntityType', 'ComplexType', 'EntityContainer', 'Action', 'Function']

function elementOf(name: string, node: Node): Node {
  switch (kindOf(node)) {
    case 'EntityContainer':
      return { '@Name': name, ...containedIn(node) }
    case 'EntityType':
    case 'ComplexType':
      return { '@Name': name, ...typeOf(node) }
    default:
      return { '@Name': name }
  }
}

function typeOf(node: Node): Node {
  const properties = partsIn(node)
  const isLink = ([, each]: readonly [string, Node]): boolean => kindOf(each) === 'NavigationProperty'
  const { $Key: keys, $BaseType: base, $OpenType: isOpen } = node
  return {
    ...(typeof base === 'string' && { '@BaseType': base }),
    ...(isOpen === true && { '@OpenType': 'true' }),
    ...(Array.isArray(keys) && {
      Key: {
        PropertyRef: keys
          .flatMap((key: unknown) => [isObject(key) ? Object.values(key) : key].flat())
          .map((key) => ({ '@Name': key })),
      },
    }),
    Property: properties.filter((each) => !isLink(each)).map(([name, each]) => propertyOf(name, each)),
    NavigationProperty: properties.filter(isLink).map(([name, each]) => linkOf(name, each)),
  }
}

function propertyOf(name: string, node: Node): Node {
  const { $DefaultValue: initial, $Nullable: isNullable } = node
  return {
    ...{ '@Name': name, '@Type': typeIn(node), '@Nullable': String(isNullable === true) },
    ...(initial !== undefined && {
      '@DefaultValue': typeof initial === 'string' ? initial : JSON.stringify(initial),
    }),
    Annotation: annotationsOf(node),
  }
}

function linkOf(name: string, node: Node): Node {
  const constraints = Object.entries(
    isObject(node['$ReferentialConstraint']) ? node['$ReferentialConstraint'] : {},
  )
  return {
    ...{ '@Name': name, '@Type': typeIn(node), '@Partner': node['$Partner'] },
    ...(node['$ContainsTarget'] === true && { '@ContainsTarget': 'true' }),
    ReferentialConstraint: constraints
      .filter(([own]) => !own.includes('@'))
      .map(([own, other]) => ({ '@Property': own, '@ReferencedProperty': other })),
    ...(typeof node['$OnDelete'] === 'string' && { OnDelete: { '@Action': node['$OnDelete'] } }),
  }
}

function containedIn(node: Node): Node {
  const parts = partsIn(node)
  const having = (member: string): typeof parts =>
    parts.filter(([, each]) => typeof each[member] === 'string')
  const typed = having('$Type')
  const bound = ({ $NavigationPropertyBinding: bindings }: Node): Node => ({
    NavigationPropertyBinding: Object.entries(isObject(bindings) ? bindings : {}).map(([path, target]) => ({
      ...{ '@Path': path, '@Target': target },
    })),
  })
  const sets = typed.filter(([, each]) => each['$Collection'] === true)
  return {
    EntitySet: sets.map(([name, each]) => ({ '@Name': name, '@EntityType': each['$Type'], ...bound(each) })),
    Singleton: typed
      .filter(([, each]) => each['$Collection'] !== true)
      .map(([name, each]) => ({ '@Name': name, '@Type': each['$Type'], ...bound(each) })),
    ActionImport: having('$Action').map(([name]) => ({ '@Name': name })),
    FunctionImport: having('$Function').map(([name]) => ({ '@Name': name })),
  }
}

function typeIn({ $Type: type = 'Edm.String', $Collection: isMany }: Node): string {
  return isMany === true ? `Collection(${String(type)})` : String(type)
}

function annotationsOf(node: Node): readonly Node[] {
  return Object.entries(node).flatMap(([name, value]) =>
    name.startsWith('@') ? [{ '@Term': name.slice(1), value }] : [],
  )
}

function kindOf(node: unknown): string {
  const kind = isObject(node) ? node['$Kind'] : undefined
  return typeof kind === 'string' ? kind : ''
}

// What is neither of the format itself nor an annotation; overloads of operations are lists.
function partsIn(node: unknown): readonly (readonly [name: string, part: Node])[] {
  return Object.entries(isObject(node) ? node : {}).flatMap(([name, part]) =>
    !/^\$|@/.test(name) && (isObject(part) || Array.isArray(part)) ? [[name, part as Node] as const] : [],
  )
}
