import { couldFit, fitsAll, type ConditionRequest } from './condition.ts'
import {
  addEntry,
  childOf,
  createNode,
  type Entry,
  type Methods,
  type Node,
  type Routable,
  type RouteMatch,
} from './path-node.ts'
import { hostOfCall, readHostPattern, type HostPattern } from './host.ts'
import {
  decodeSegment,
  isDecodable,
  matchLiterals,
  paramsOf,
  readTemplate,
  segmentsOf,
  splitPath,
} from './path-template.ts'

export type { Routable, RouteMatch }

/** What of a request decides on its route. */
export interface RequestAddress extends ConditionRequest {
  readonly method: string
  /** As it was sent, without the query: split before it is decoded, so that `%2F` stays within its segment. */
  readonly path: string
  readonly host?: string | undefined
  readonly scheme?: 'http' | 'https' | undefined
}

/** Finds routes by host, method and path. */
export interface Router<T> {
  /** HEAD is answered by the GET route, unless one of its own is declared. */
  match(request: RequestAddress): RouteMatch<T> | undefined
  /** Whether what is in the body of a request decides on its route; absent where it does so for none. */
  readsBody?(request: RequestAddress): boolean
  /** The methods that a path is declared with, HEAD and OPTIONS included; empty for an unknown path. */
  allowed(request: Omit<RequestAddress, 'method'>): readonly string[]
}

export interface RouterOptions<T> {
  /** The host that a route answers for, such as `api.example.com` or `*.example.com`; absent or undefined for any. */
  readonly hostOf?: (route: T) => string | undefined
  /** Whether a slash at a path's end matters, and a malformed escape matches nothing. */
  readonly strict?: boolean
}

const MAX_KNOWN_HOSTS = 1_000
const MAX_KNOWN_LENGTH = 255

/**
 * A route of the most specific host wins, and one without a host comes last. On a host a literal segment wins over one
 * with literal parts, that over a bare parameter, and that over one that takes several, the fewest that fit, or the rest; of several with literal
 * parts, the first declared wins. What has no route for the method is left for the next best. Of routes with the same
 * method and path those with conditions come first: with the most, those with values, those on the head, in order. Of
 * two routes for the same requests the last wins.
 */
export function createRouter<T extends Routable>(
  routes: readonly T[],
  { hostOf = () => undefined, strict = false }: RouterOptions<T> = {},
): Router<T> {
  const hosts = [...new Set(routes.map(hostOf))]
    .map((host) => ({
      pattern: host === undefined ? undefined : readHostPattern(host),
      tree: new PathTree(
        routes.filter((route) => hostOf(route) === host),
        strict,
      ),
    }))
    .toSorted((a, b) => (b.pattern?.weight ?? -1) - (a.pattern?.weight ?? -1))
  const [anyHost] = hosts
  const isForAnyHost = hosts.length === 1 && anyHost?.pattern === undefined
  const treesOf = createTreesOf(hosts)

  const mayReadBody = routes.some(({ when }) => when?.some(({ isInBody }) => isInBody) === true)
  const readsBody = (request: RequestAddress): boolean =>
    treesOf(request).some((tree) => tree.readsBody(request))

  return {
    match(request) {
      if (isForAnyHost) return anyHost?.tree.match(request)
      for (const tree of treesOf(request)) {
        const match = tree.match(request)
        if (match !== undefined) return match
      }
      return undefined
    },
    ...(mayReadBody && { readsBody }),
    allowed(request) {
      return [...new Set(treesOf(request).flatMap((tree) => tree.allowed(request.path)))]
    },
  }
}

interface HostTree<T> {
  readonly pattern: HostPattern | undefined
  readonly tree: PathTree<T>
}

type AddressedHost = Pick<RequestAddress, 'host' | 'scheme'>

function createTreesOf<T>(hosts: readonly HostTree<T>[]): (request: AddressedHost) => readonly PathTree<T>[] {
  const known = { http: new Map<string, readonly PathTree<T>[]>(), https: new Map<string, PathTree<T>[]>() }
  return ({ host: written = '', scheme = 'http' }) => {
    const ofScheme = known[scheme]
    const before = ofScheme.get(written)
    if (before !== undefined) return before
    const host = hostOfCall({ host: written, scheme })
    const trees = hosts
      .filter(({ pattern }) => pattern === undefined || (host !== undefined && pattern.matches(host)))
      .map(({ tree }) => tree)
    if (ofScheme.size >= MAX_KNOWN_HOSTS) ofScheme.clear()
    if (written.length <= MAX_KNOWN_LENGTH) ofScheme.set(written, trees)
    return trees
  }
}

const NO_PARAMS: Readonly<Record<string, string>> = {}
const EVERY_METHOD = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

class PathTree<T> {
  readonly #root = createNode<T>()
  /** The paths of templates without parameters, which nothing can be more specific than. */
  readonly #exact = new Map<string, Methods<T>>()
  readonly #strict: boolean

  // The look-up being made. It is synchronous, so that these fields serve all of them, and none allocates.
  #request: RequestAddress = { method: '', path: '' }
  #path = ''
  #end = 0
  readonly #values: string[] = []
  #collected: Set<string> | undefined
  #wantsBody = false

  constructor(routes: readonly (T & Routable)[], strict: boolean) {
    this.#strict = strict
    for (const route of routes)
      for (const path of [route.path, ...(route.aliases ?? [])]) this.#add(route, path)
  }

  match(request: RequestAddress): RouteMatch<T> | undefined {
    this.#request = request
    const exact = this.#exact.get(request.path)
    const entry = (exact && this.#choose(exact)) ?? this.#search(request.path)
    if (entry === undefined || entry.names.length === 0) return entry?.match
    return { route: entry.route, params: paramsOf(entry.names, this.#values) }
  }

  readsBody(request: RequestAddress): boolean {
    this.#wantsBody = false
    this.match(request)
    return this.#wantsBody
  }

  allowed(path: string): readonly string[] {
    const methods = new Set<string>()
    this.#collected = methods
    this.#search(path)
    this.#collected = undefined
    if (methods.delete('*')) for (const method of EVERY_METHOD) methods.add(method)
    if (methods.has('GET')) methods.add('HEAD')
    return methods.size === 0 ? [] : [...methods.add('OPTIONS')]
  }

  #add(route: T & Routable, path: string): void {
    const segments = readTemplate(this.#strict ? splitPath(path) : segmentsOf(path))
    const names = segments.flatMap((segment) => segment.names)
    let node = this.#root
    let methods = node.methods
    for (const { literals, takesMore, takesRest } of segments) {
      if (takesRest) methods = node.rest ??= new Map()
      else if (takesMore) {
        node = node.several ??= createNode()
        methods = node.methods
      } else {
        node = childOf(node, literals)
        methods = node.methods
      }
    }
    addEntry(methods, {
      route,
      names,
      match: { route, params: NO_PARAMS },
      when: route.when,
      next: undefined,
    })
    if (!path.includes('%') && names.length === 0 && (path === '/' || this.#strict || !path.endsWith('/')))
      this.#exact.set(path, methods)
  }

  #search(path: string): Entry<T> | undefined {
    if (this.#strict && !isDecodable(path)) return undefined
    this.#path = path
    // Past the last segment: the slash at the end of a path that has one, so that `/` has no segment at all.
    this.#end = !this.#strict && path.endsWith('/') ? path.length - 1 : path.length
    return this.#find(this.#root, path.startsWith('/') || path === '' ? 1 : 0, 0)
  }

  #find(node: Node<T>, start: number, count: number): Entry<T> | undefined {
    if (start > this.#end) return this.#choose(node.methods)
    const end = this.#segmentEnd(start)
    const text = decodeSegment(this.#path.slice(start, end))

    const literal = node.literal.get(text)
    const found = literal && this.#find(literal, end + 1, count)
    if (found !== undefined) return found
    for (const { literals, node: child } of node.mixed) {
      if (!matchLiterals(literals, text, this.#values, count)) continue
      const found = this.#find(child, end + 1, count + literals.length - 1)
      if (found !== undefined) return found
    }
    if (node.parameter !== undefined && text !== '') {
      this.#values[count] = text
      const found = this.#find(node.parameter, end + 1, count + 1)
      if (found !== undefined) return found
    }
    if (node.several !== undefined) {
      for (let last = end; last < this.#end; last = this.#segmentEnd(last + 1)) {
        const found = this.#find(node.several, last + 1, count + 1)
        if (found === undefined) continue
        this.#values[count] = this.#textBetween(start, last)
        return found
      }
    }
    if (node.rest === undefined) return undefined
    this.#values[count] = this.#textBetween(start, this.#end)
    return this.#choose(node.rest)
  }

  #segmentEnd(start: number): number {
    const slash = this.#path.indexOf('/', start)
    return slash < 0 ? this.#end : slash
  }

  #textBetween(start: number, end: number): string {
    return this.#path.slice(start, end).split('/').map(decodeSegment).join('/')
  }

  #choose(methods: Methods<T>): Entry<T> | undefined {
    if (this.#collected !== undefined) {
      for (const method of methods.keys()) this.#collected.add(method)
      return undefined
    }
    const { method } = this.#request
    return (
      this.#fitting(methods.get(method)) ??
      (method === 'HEAD' ? this.#fitting(methods.get('GET')) : undefined) ??
      this.#fitting(methods.get('*'))
    )
  }

  #fitting(first: Entry<T> | undefined): Entry<T> | undefined {
    for (let entry = first; entry !== undefined; entry = entry.next) {
      const { when } = entry
      if (when === undefined || fitsAll(when, this.#request)) return entry
      if (this.#request.content === undefined) this.#wantsBody ||= couldFit(when, this.#request)
    }
    return undefined
  }
}
