import type { Method, Route } from './route.ts'

/** A route that answers a path, with the path's parameters, percent-decoded. */
export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/** Finds the route of a method and path. */
export interface RouteTable {
  match(method: string, path: string): Match | undefined
  /** The methods that a path is declared with, HEAD and OPTIONS included; empty for an unknown path. */
  allowed(path: string): readonly string[]
}

interface Node {
  readonly fixed: Map<string, Node>
  readonly mixed: { readonly expression: RegExp; readonly text: string; readonly node: Node }[]
  open: Node | undefined
  readonly routes: Map<string, Route>
}

/**
 * A tree over path segments. A literal segment wins over one with literal parts, and that over a bare parameter;
 * a branch that has no route for the method is left for the next best. A trailing slash makes no difference.
 */
export function createRouteTable(routes: readonly Route[]): RouteTable {
  const root = createNode()
  for (const route of routes) addRoute(root, route)

  return {
    match(method, path) {
      const segments = segmentsOf(path)
      const found = find(root, segments, 0, [], (node) => node.routes.has(method))
      const head =
        method === 'HEAD' ? find(root, segments, 0, [], (node) => node.routes.has('GET')) : undefined
      const hit = found ?? head
      const route = hit?.node.routes.get(found === undefined ? 'GET' : method)
      return route === undefined || hit === undefined
        ? undefined
        : { route, params: named(route, hit.values) }
    },
    allowed(path) {
      const methods = new Set<string>()
      find(root, segmentsOf(path), 0, [], (node) => {
        for (const method of node.routes.keys()) methods.add(method)
        return false
      })
      if (methods.has('GET')) methods.add('HEAD')
      return methods.size === 0 ? [] : [...methods, 'OPTIONS']
    },
  }
}

function createNode(): Node {
  return { fixed: new Map(), mixed: [], open: undefined, routes: new Map<Method, Route>() }
}

function segmentsOf(path: string): string[] {
  const segments = path.split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  return segments
}

function addRoute(root: Node, route: Route): void {
  let node = root
  for (const segment of segmentsOf(route.path)) node = childOf(node, segment)
  node.routes.set(route.method, route)
}

const PARAMETER = /\{[^{}]+\}/g

function childOf(node: Node, segment: string): Node {
  if (!/\{[^{}]+\}/.test(segment)) {
    const literal = decode(segment)
    const child = node.fixed.get(literal) ?? createNode()
    node.fixed.set(literal, child)
    return child
  }
  if (/^\{[^{}]+\}$/.test(segment)) return (node.open ??= createNode())

  const text = segment.replace(PARAMETER, '{}')
  const known = node.mixed.find((each) => each.text === text)
  if (known !== undefined) return known.node
  const literals = text.split('{}').map((literal) => literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const child = createNode()
  node.mixed.push({ expression: new RegExp(`^${literals.join('(.+?)')}$`, 's'), text, node: child })
  return child
}

interface Hit {
  readonly node: Node
  readonly values: readonly string[]
}

function find(
  node: Node,
  segments: readonly string[],
  depth: number,
  values: readonly string[],
  accepts: (node: Node) => boolean,
): Hit | undefined {
  const segment = segments[depth]
  if (segment === undefined) return node.routes.size > 0 && accepts(node) ? { node, values } : undefined
  const text = decode(segment)

  const fixed = node.fixed.get(text)
  const hit = fixed && find(fixed, segments, depth + 1, values, accepts)
  if (hit !== undefined) return hit
  for (const { expression, node: child } of node.mixed) {
    const parts = expression.exec(text)
    const mixed = parts && find(child, segments, depth + 1, [...values, ...parts.slice(1)], accepts)
    if (mixed) return mixed
  }
  return node.open === undefined || text === ''
    ? undefined
    : find(node.open, segments, depth + 1, [...values, text], accepts)
}

// A malformed escape stands for itself; no parameter is lost and nothing throws.
function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function named(route: Route, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(route.parameters.map((name, index) => [name, values[index] ?? '']))
}
