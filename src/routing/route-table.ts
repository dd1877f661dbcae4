import type { RouteDefinition } from '../engine/route.ts'

/** A route that answers a path, with the path's parameters, percent-decoded. */
export interface Match {
  readonly route: RouteDefinition
  readonly params: Readonly<Record<string, string>>
}

/** Finds the route of a method and path. */
export interface RouteTable {
  /** HEAD is answered by the GET route, unless one of its own is declared. */
  match(method: string, path: string): Match | undefined
  /** The methods that a path is declared with, HEAD and OPTIONS included; empty for an unknown path. */
  allowed(path: string): readonly string[]
}

/**
 * A tree over path segments. A literal segment wins over one with literal parts, and that over a bare parameter; of
 * several with literal parts, the first declared wins. A branch that has no route for the method is left for the next
 * best. A trailing slash makes no difference.
 */
export function createRouteTable(routes: readonly RouteDefinition[]): RouteTable {
  const root = createNode()
  for (const route of routes) addRoute(root, route)
  // Nothing is more literal than a path without parameters, so that it need not be looked for in the tree.
  const exact = new Map<string, Match>()
  for (const route of routes)
    if (!/[{}%]|\/$/.test(route.path)) exact.set(`${route.method} ${route.path}`, { route, params: NONE })

  return {
    match(method, path) {
      const known = exact.get(`${method} ${path}`)
      if (known !== undefined) return known
      const other = method === 'HEAD' ? 'GET' : method
      const routeOf = ({ routes }: Node): RouteDefinition | undefined =>
        routes.get(method) ?? routes.get(other)
      const hit = find(root, segmentsOf(path), 0, [], routeOf)
      return hit && { route: hit.found, params: namedValues(hit.found, hit.values) }
    },
    allowed(path) {
      const methods = new Set<string>()
      find(root, segmentsOf(path), 0, [], (node) => {
        for (const method of node.routes.keys()) methods.add(method)
        return undefined
      })
      if (methods.has('GET')) methods.add('HEAD')
      return methods.size === 0 ? [] : [...methods.add('OPTIONS')]
    },
  }
}

const NONE: Readonly<Record<string, string>> = {}

interface Node {
  /** Below a literal segment. */
  readonly fixed: Map<string, Node>
  /** Below a segment of literals and parameters, in the order they were declared. */
  readonly mixed: Mixed[]
  /** Below a bare parameter. */
  open: Node | undefined
  readonly routes: Map<string, RouteDefinition>
}

interface Mixed {
  /** The segment without its parameters' names. */
  readonly shape: string
  readonly expression: RegExp
  readonly node: Node
}

function createNode(): Node {
  return { fixed: new Map(), mixed: [], open: undefined, routes: new Map() }
}

function addRoute(root: Node, route: RouteDefinition): void {
  let node = root
  for (const segment of segmentsOf(route.path)) node = childOf(node, segment)
  node.routes.set(route.method, route)
}

// Of the request target `*`, which is no path, nothing is declared; but an empty one is the root.
export function segmentsOf(path: string): string[] {
  const segments = path.split('/')
  if (segments[0] === '') segments.shift()
  if (segments.at(-1) === '') segments.pop()
  return segments
}

const PARAMETER = /\{[^{}]+\}/g

function childOf(node: Node, segment: string): Node {
  const shape = segment.replace(PARAMETER, '{}')
  if (shape === segment) {
    const literal = decode(segment)
    const child = node.fixed.get(literal) ?? createNode()
    node.fixed.set(literal, child)
    return child
  }
  if (shape === '{}') return (node.open ??= createNode())

  const known = node.mixed.find((each) => each.shape === shape)
  if (known !== undefined) return known.node
  const literals = shape.split('{}').map((literal) => decode(literal).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const child = { shape, expression: new RegExp(`^${literals.join('(.+?)')}$`, 's'), node: createNode() }
  node.mixed.push(child)
  return child.node
}

interface Hit {
  readonly found: RouteDefinition
  readonly values: readonly string[]
}

function find(
  node: Node,
  segments: readonly string[],
  depth: number,
  values: readonly string[],
  routeOf: (node: Node) => RouteDefinition | undefined,
): Hit | undefined {
  const segment = segments[depth]
  if (segment === undefined) {
    const found = routeOf(node)
    return found && { found, values }
  }
  const text = decode(segment)
  const fixed = node.fixed.get(text)
  const hit = fixed && find(fixed, segments, depth + 1, values, routeOf)
  if (hit !== undefined) return hit
  for (const { expression, node: child } of node.mixed) {
    const parts = expression.exec(text)
    const mixed = parts && find(child, segments, depth + 1, [...values, ...parts.slice(1)], routeOf)
    if (mixed) return mixed
  }
  if (node.open === undefined || text === '') return undefined
  return find(node.open, segments, depth + 1, [...values, text], routeOf)
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

function namedValues({ parameters }: RouteDefinition, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(parameters.map((name, index) => [name, values[index] ?? '']))
}
