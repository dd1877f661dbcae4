import type { Kind } from './grammar.ts'
import { childOf, entriesOf, textAt, type Node } from './node.ts'

/** Something that is described and not simulated. */
export interface Unused {
  readonly kind:
    | ('link' | 'callback' | 'webhook' | 'operation' | 'external example' | 'security scheme')
    | 'collection format'
  readonly name: string
}

/** What an object of a description holds that is not simulated. */
export function unusedOf(node: Node, kind: Kind): readonly Unused[] {
  return FINDERS[kind]?.(node) ?? []
}

function namesAt(node: Node, field: string, kind: Unused['kind']): Unused[] {
  return entriesOf(childOf(node, field)).map(({ key }) => ({ kind, name: key }))
}

const FINDERS: Readonly<Partial<Record<Kind, (node: Node) => readonly Unused[]>>> = {
  document: (node) => [...namesAt(node, 'webhooks', 'webhook'), ...namesAt(node, 'x-webhooks', 'webhook')],
  operation: (node) => namesAt(node, 'callbacks', 'callback'),
  response: (node) => namesAt(node, 'links', 'link'),
  // Methods that Node.js does not take.
  pathItem: (node) => [
    ...(childOf(node, 'query') === undefined
      ? []
      : [{ kind: 'operation' as const, name: `QUERY ${node.key}` }]),
    ...entriesOf(childOf(node, 'additionalOperations')).map(({ key }) => ({
      kind: 'operation' as const,
      name: `${key} ${node.key}`,
    })),
  ],
  example: (node) =>
    childOf(node, 'externalValue') === undefined ? [] : [{ kind: 'external example', name: node.key }],
  parameter: (node) => collectionFormatOf(node, textAt(node, 'name') ?? node.key),
  encoding: (node) => collectionFormatOf(node, node.key),
  securityScheme: (node) => (isChecked(node) ? [] : [{ kind: 'security scheme', name: node.key }]),
}

// Of Swagger 2.0, which the conversion keeps where OpenAPI 3 has no such style.
function collectionFormatOf(node: Node, name: string): readonly Unused[] {
  const format = textAt(node, 'x-collectionFormat')
  return format === undefined ? [] : [{ kind: 'collection format', name: `${format} of ${name}` }]
}

function isChecked(scheme: Node): boolean {
  const type = textAt(scheme, 'type')
  if (type === 'http') return /^(basic|bearer)$/i.test(textAt(scheme, 'scheme') ?? '')
  return type === 'apiKey' || type === 'oauth2' || type === 'openIdConnect'
}
