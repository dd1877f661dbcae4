import { areSame } from '../memo.ts'
import { type CompiledCondition, weightOf, whenKey } from './condition.ts'

/** What a router finds: anything with a method and a path template. */
export interface Routable {
  /** `*` for every method that has no route of its own. */
  readonly method: string
  /** Such as `/users/{id}`, `/report.{format}` or `/files/{path*}`, whose parameter takes one or more segments. */
  readonly path: string
  /** Further templates of the same route. */
  readonly aliases?: readonly string[] | undefined
  /** What distinguishes its requests from those of other routes with this method and path; absent for all the rest. */
  readonly when?: readonly CompiledCondition[] | undefined
}

/** A route, and its path's parameters, percent-decoded. */
export interface RouteMatch<T> {
  readonly route: T
  readonly params: Readonly<Record<string, string>>
}

/** A route under one of its templates. */
export interface Entry<T> {
  readonly route: T
  readonly names: readonly string[]
  /** What is found where there are no parameters. */
  readonly match: RouteMatch<T>
  readonly when: readonly CompiledCondition[] | undefined
  /** What is tried next where the request is not as its conditions say. */
  next: Entry<T> | undefined
}

/** The routes of a path, by method. */
export type Methods<T> = Map<string, Entry<T>>

/** Where the segments of paths lead to. */
export interface Node<T> {
  readonly literal: Map<string, Node<T>>
  /** Below a segment of literals and parameters, in the order in which they were declared. */
  readonly mixed: { readonly literals: readonly string[]; readonly node: Node<T> }[]
  /** Below a bare parameter. */
  parameter: Node<T> | undefined
  /** Below a parameter of one or more segments. */
  several: Node<T> | undefined
  rest: Methods<T> | undefined
  readonly methods: Methods<T>
}

/** Adds a route to those of a path, in the order in which they are tried; one for the same requests takes the place of the one before. */
export function addEntry<T>(methods: Methods<T>, entry: Entry<T> & { readonly route: T & Routable }): void {
  const own = whenKey(entry.when ?? [])
  const entries: Entry<T>[] = [entry]
  for (let each = methods.get(entry.route.method); each !== undefined; each = each.next)
    if (whenKey(each.when ?? []) !== own) entries.push(each)
  const ordered = [...entries.slice(1), entry].toSorted(
    (a, b) => weightOf(b.when ?? []) - weightOf(a.when ?? []),
  )
  ordered.forEach((each, index) => (each.next = ordered[index + 1]))
  methods.set(entry.route.method, ordered[0] ?? entry)
}

/** A place in a tree of paths, below which nothing is yet. */
export function createNode<T>(): Node<T> {
  return {
    literal: new Map(),
    mixed: [],
    parameter: undefined,
    several: undefined,
    rest: undefined,
    methods: new Map(),
  }
}

/** The place below a segment of literals and parameters. */
export function childOf<T>(node: Node<T>, literals: readonly string[]): Node<T> {
  const [only = ''] = literals
  if (literals.length === 1) {
    const child = node.literal.get(only) ?? createNode()
    node.literal.set(only, child)
    return child
  }
  if (literals.every((literal) => literal === '') && literals.length === 2)
    return (node.parameter ??= createNode())
  const known = node.mixed.find((each) => areSame(each.literals, literals))
  if (known !== undefined) return known.node
  const child = createNode<T>()
  node.mixed.push({ literals, node: child })
  return child
}
