import type { Method, RouteDefinition } from '../../engine/route.ts'
import { pathShape } from '../../routing/path-template.ts'
import type { RouteOptions } from '../../engine/route-options.ts'
import { basePathOf } from './base-path.ts'
import { followed, type Description } from './description.ts'
import { METHODS } from './grammar.ts'
import { childOf, entriesOf, textAt, type Node } from './node.ts'
import type { Problem } from './problem.ts'
import { routeOf } from './route-of.ts'
import { findRouteProblems } from './route-problems.ts'
import { simExtensionsOf } from './sim-extensions.ts'

/** Reads options of a route from data, which names them as data files do; tells what is wrong with them. */
export type ReadRouteOptions = (
  data: Readonly<Record<string, unknown>>,
  tell: (keys: readonly string[], message: string) => void,
) => RouteOptions

/** The routes of a description, in its order. What cannot be served is told and left out. */
export function routesOf(
  description: Description,
  readOptions: ReadRouteOptions,
  tell: (problem: Problem) => void,
): RouteDefinition[] {
  const { root } = description.library
  const routes: RouteDefinition[] = []
  const taken = new Map<string, Node>()
  const ids = new Map<string, Node>()

  const addOperation = (given: Node, pathItem: Node, operation: Node): void => {
    const method = operation.key.toUpperCase() as Method
    const basePath = basePathOf([operation, pathItem, root])
    const path = `${basePath}${given.key}`
    const shape = `${method} ${pathShape(path)}`
    if (taken.has(shape)) {
      return tell({
        node: operation,
        message: `${method} ${path} answers the same requests as another path of the description, which is served`,
      })
    }
    taken.set(shape, operation)
    takeId(operation)
    for (const problem of findRouteProblems(given.key, operation, pathItem, description)) tell(problem)
    const extensions = simExtensionsOf([root, pathItem, operation])
    const data = Object.fromEntries([...extensions.options].map(([name, { value }]) => [name, value]))
    const options = readOptions(data, ([name = '', ...keys], message) => {
      const node = nodeAt(extensions.options.get(name) ?? operation, keys)
      tell({ node, message: `the option ${name}: ${message}` })
    })
    const { stateful } = extensions
    routes.push(routeOf({ method, path, basePath, operation, pathItem, options, stateful }, description))
  }
  const takeId = (operation: Node): void => {
    const id = textAt(operation, 'operationId')
    if (id === undefined) return
    if (ids.has(id))
      tell({
        node: childOf(operation, 'operationId') ?? operation,
        message: `the operationId '${id}' is taken by another operation`,
      })
    else ids.set(id, operation)
  }

  for (const given of entriesOf(childOf(root, 'paths'))) {
    if (given.key.startsWith('x-')) continue
    const pathItem = followed(description, given)
    const problem = findPathProblem(given.key)
    if (problem !== undefined) tell({ node: given, message: problem })
    if (problem !== undefined || pathItem === undefined) continue
    for (const operation of entriesOf(pathItem))
      if (isMethod(operation.key) && typeof operation.value === 'object')
        addOperation(given, pathItem, operation)
  }
  return routes
}

function isMethod(key: string): boolean {
  return (METHODS as readonly string[]).includes(key)
}

function findPathProblem(path: string): string | undefined {
  if (!path.startsWith('/')) return "the path must start with '/'; it is not served"
  if (/[?#]/.test(path))
    return 'a path with a query or a fragment cannot be told from others; it is not served'
  if (/[{}]/.test(path.replace(/\{[^{}]+\}/g, '')))
    return 'the path has a brace without its partner; it is not served'
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? '')
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? undefined : `the path names the parameter '${twice}' twice; it is not served`
}

function nodeAt(node: Node, keys: readonly string[]): Node {
  return keys.reduce((at, key) => childOf(at, key) ?? at, node)
}
