import { isObject } from '../../engine/schema/schema.ts'
import type { SecurityRequirement, SecurityScheme } from '../../engine/operation.ts'
import { followed, type Description } from './description.ts'
import { childOf, itemsOf, textAt, type Node } from './node.ts'

/** The credentials that an operation asks for: its own requirements, or those of the whole description. */
export function securityOf(operation: Node, description: Description): readonly SecurityRequirement[] {
  const { root } = description.library
  const requirements = itemsOf(childOf(operation, 'security') ?? childOf(root, 'security'))
  return requirements
    .filter(({ value }) => isObject(value))
    .map(({ value }) => Object.keys(value as object).flatMap((name) => schemeOf(name, description) ?? []))
}

/** How a scheme of a description is checked; `undefined` for one that is not there, or not checked. */
export function schemeOf(name: string, description: Description): SecurityScheme | undefined {
  const schemes = childOf(description.library.root, 'components')
  const given = schemes && childOf(schemes, 'securitySchemes')
  const node = followed(description, given && childOf(given, name))
  return node === undefined ? undefined : readScheme(name, node)
}

function readScheme(name: string, node: Node): SecurityScheme | undefined {
  const type = textAt(node, 'type')
  // The token of either flow comes as a bearer token.
  if (type === 'oauth2' || type === 'openIdConnect') return { name, kind: 'bearer' }
  const scheme = textAt(node, 'scheme')?.toLowerCase()
  if (type === 'http') return scheme === 'bearer' || scheme === 'basic' ? { name, kind: scheme } : undefined
  const [place, field] = [textAt(node, 'in'), textAt(node, 'name')]
  if (type !== 'apiKey' || field === undefined) return undefined
  return place === 'header' || place === 'query' || place === 'cookie'
    ? { name, kind: 'apiKey', in: place, field }
    : undefined
}
