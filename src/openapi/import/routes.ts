import type { RouteOptions } from '../../engine/route-options.ts'
import type { Method, RouteDefinition } from '../../engine/route.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { compileWhen, whenKey, whenName } from '../../routing/condition.ts'
import { MAX_SEGMENTS, namesOf, pathShape } from '../../routing/path-template.ts'
import { followed, type Description } from './models.ts'
import { findMethodProblem } from '../../http/methods.ts'
import { METHODS } from './grammar.ts'
import { childOf, entriesOf, textAt, type Node, itemsOf } from './node.ts'
import { conditionsOf, readPathKey } from './path-fragment.ts'
import type { Problem } from './problem.ts'
import { routeOf } from './route-of.ts'
import { findRouteProblems } from './route-problems.ts'

/** Reads options of a route from data, which names them as data files do; reports what is wrong with them. */
export type ReadRouteOptions = (
  data: Readonly<Record<string, unknown>>,
  report: (keys: readonly string[], message: string) => void,
) => RouteOptions

/** The routes of a description, in its order. What cannot be served is reported and left out. */
export function routesOf(
  description: Description,
  readOptions: ReadRouteOptions,
  report: (problem: Problem) => void,
): RouteDefinition[] {
  const { root } = description.library
  const routes: RouteDefinition[] = []
  const taken = new Map<string, Node>()
  const ids = new Map<string, Node>()

  // Operations that nothing distinguishes from others of their path: the first answers where no other does.
  const alike: (readonly [Node, Node, Node])[] = []

  const addOperation = (given: Node, pathItem: Node, operation: Node, isLast = false): void => {
    const method = operation.key.toUpperCase() as Method
    const holders = [operation, pathItem, root]
    const [basePath = '', ...otherBasePaths] = basePathsOf(holders)
    const { path: own, fragment } = readPathKey(given.key)
    const path = `${basePath}${own}`
    const extensions = simExtensionsOf([root, pathItem, operation])
    const data = Object.fromEntries([...extensions.options].map(([name, { value }]) => [name, value]))
    const options = readOptions(data, ([name = '', ...keys], message) => {
      const node = nodeAt(extensions.options.get(name) ?? operation, keys)
      report({ node, message: `the option ${name}: ${message}` })
    })
    const found =
      options.when ?? (fragment && conditionsOf(fragment, method, [pathItem, operation], description))
    const when = typeof found === 'object' ? compileWhen(found) : undefined
    if (fragment !== undefined && when === undefined && !isLast) {
      report({
        node: operation,
        message: `nothing says what a request has that is for '${fragment}': no parameter of that name, and none that must have one value. Say it with x-sim-when`,
      })
      return void alike.push([given, pathItem, operation])
    }
    const shape = `${method} ${pathShape(path)}#${whenKey(when ?? [])}`
    if (taken.has(shape)) {
      if (isLast) return
      return report({
        node: operation,
        message: `${method} ${path} answers the same requests as another path of the description, which is served`,
      })
    }
    taken.set(shape, operation)
    takeId(operation)
    for (const problem of findRouteProblems(own, operation, pathItem, description)) report(problem)
    const { stateful } = extensions
    const name = when === undefined ? undefined : (fragment ?? whenName(when))
    routes.push(
      routeOf(
        {
          ...{ method, path, basePath, otherBasePaths, origins: originsOf(holders), name, when },
          ...{ operation, pathItem, options, stateful },
        },
        description,
      ),
    )
  }
  const takeId = (operation: Node): void => {
    const id = textAt(operation, 'operationId')
    if (id === undefined) return
    if (ids.has(id))
      report({
        node: childOf(operation, 'operationId') ?? operation,
        message: `the operationId '${id}' is taken by another operation`,
      })
    else ids.set(id, operation)
  }

  for (const given of entriesOf(childOf(root, 'paths'))) {
    if (given.key.startsWith('x-')) continue
    const pathItem = followed(description, given)
    const problem = findPathProblem(readPathKey(given.key).path)
    if (problem !== undefined) report({ node: given, message: problem })
    if (problem !== undefined || pathItem === undefined) continue
    for (const operation of [...entriesOf(pathItem), ...entriesOf(childOf(pathItem, 'additionalOperations'))])
      if (isMethod(operation.key) && isObject(operation.value)) addOperation(given, pathItem, operation)
  }
  for (const [given, pathItem, operation] of alike) addOperation(given, pathItem, operation, true)
  return routes
}

// Fixed fields are in lower case, those of other methods as they are sent.
function isMethod(key: string): boolean {
  return findMethodProblem(METHODS.includes(key) ? key.toUpperCase() : key) === undefined
}

function findPathProblem(path: string): string | undefined {
  if (!path.startsWith('/')) return "the path must start with '/'; it is not served"
  if (/[{}]/.test(path.replace(/\{[^{}]+\}/g, '')))
    return 'the path has a brace without its partner; it is not served'
  if (path.split('/').length > MAX_SEGMENTS)
    return `the path has more than ${MAX_SEGMENTS} parts; it is not served`
  const names = namesOf(path)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? undefined : `the path names the parameter '${twice}' twice; it is not served`
}

function nodeAt(node: Node, keys: readonly string[]): Node {
  return keys.reduce((at, key) => childOf(at, key) ?? at, node)
}

/**
 * The paths below which the servers of the nearest holder have its operations, without a slash at their ends: that of
 * the first with the defaults of its variables, then the others.
 * @param holders operation, path item and document: the first that names servers counts
 */
export function basePathsOf(holders: readonly Node[]): readonly string[] {
  const servers = serversOf(holders)
  return servers === undefined ? [''] : pathsOfServers(servers)
}

/** The schemes and hosts of the servers of the nearest holder, where they are absolute. */
export function originsOf(holders: readonly Node[]): readonly string[] {
  const servers = serversOf(holders)
  return servers === undefined ? [] : originsOfServers(servers)
}

function serversOf(holders: readonly Node[]): Node | undefined {
  return holders.map((holder) => childOf(holder, 'servers')).find((each) => itemsOf(each).length > 0)
}

// Most operations share the servers of their document.
const pathsOfServers = ofServers(pathOfUrl)
const originsOfServers = ofServers((url) => /^https?:\/\/[^/?#{}]+/i.exec(url)?.[0].toLowerCase())

function ofServers(read: (url: string) => string | undefined): (servers: Node) => readonly string[] {
  const known = new WeakMap<object, readonly string[]>()
  return (servers) => {
    const key = servers.value as object
    const found = known.get(key) ?? [
      ...new Set(itemsOf(servers).flatMap((each) => urlsOf(each).flatMap((url) => read(url) ?? []))),
    ]
    known.set(key, found)
    return found
  }
}

const MAX_URLS = 100

/** A server's addresses: with the defaults of its variables, then with the other values that they may have. */
function urlsOf(server: Node): readonly string[] {
  const variables = childOf(server, 'variables')
  const [first = '', ...parts] = (textAt(server, 'url') ?? '').split(/\{([^{}]+)\}/)
  let urls = [first]
  for (let index = 0; index < parts.length; index += 2) {
    const [name = '', text = ''] = parts.slice(index)
    const values = valuesOf(variables && childOf(variables, name))
    urls = urls.flatMap((url) => values.map((value) => `${url}${value}${text}`)).slice(0, MAX_URLS)
  }
  return urls
}

function valuesOf(variable: Node | undefined): readonly string[] {
  const usual = variable && childOf(variable, 'default')?.value
  const others = itemsOf(variable && childOf(variable, 'enum')).map(({ value }) => value)
  const all = [usual, ...others].filter((each) => typeof each === 'string' || typeof each === 'number')
  return all.length === 0 ? [''] : [...new Set(all.map(String))]
}

// An address without a host is relative to the description's own, which nobody knows here: to the root.
function pathOfUrl(url: string): string {
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*|^\/\/[^/?#]*/i, '').replace(/[?#][^]*$/, '')
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
  return segments.length === 0 ? '' : `/${segments.join('/')}`
}

/** What the `x-sim-…` keys of a description say of a route. */
export interface SimExtensions {
  /** By name; what stands nearer to the operation wins. */
  readonly options: ReadonlyMap<string, Node>
  /** Whether the route keeps what it is sent; `undefined` where nothing says so. */
  readonly stateful: boolean | undefined
}

const PREFIX = 'x-sim-'
const OPTIONS = 'x-sim-options'
const STATEFUL = 'x-sim-stateful'

/** Reads the `x-sim-…` keys of a document, a path item and an operation, in this order. */
export function simExtensionsOf(holders: readonly Node[]): SimExtensions {
  const options = new Map<string, Node>()
  let stateful: boolean | undefined
  for (const holder of holders) {
    if (!isObject(holder.value)) continue
    const keys = Object.keys(holder.value).filter((key) => key.startsWith(PREFIX))
    if (keys.length === 0) continue
    for (const option of entriesOf(childOf(holder, OPTIONS))) options.set(option.key, option)
    for (const key of keys) {
      const node = childOf(holder, key)
      if (node === undefined || key === OPTIONS) continue
      if (key !== STATEFUL) options.set(key.slice(PREFIX.length).replaceAll('-', '_'), node)
      else if (typeof node.value === 'boolean') stateful = node.value
    }
  }
  return { options, stateful }
}
