import { isObject } from '../../engine/schema/schema.ts'
import { followed, type Description } from './models.ts'
import { childOf, entriesOf, itemsOf, type Node } from './node.ts'
import { isHeaderName } from '../../http/headers.ts'
import { parameterKey } from './parameters.ts'
import type { Problem } from './problem.ts'
import { namesOf } from '../../routing/path-template.ts'
import { statusOf } from './route-of.ts'

/** What is wrong with an operation besides the form of its parts. All of it is served in spite of that. */
export function findRouteProblems(
  path: string,
  operation: Node,
  pathItem: Node,
  description: Description,
): Problem[] {
  return [
    ...findParameterProblems(path, operation, pathItem, description),
    ...findResponseProblems(operation, description),
    ...findSecurityProblems(operation, description),
  ]
}

function findParameterProblems(
  path: string,
  operation: Node,
  pathItem: Node,
  description: Description,
): Problem[] {
  const problems: Problem[] = []
  const inPath = namesOf(path)
  const described = new Set<string>()
  for (const holder of [pathItem, operation]) {
    const own = new Set<string>()
    for (const given of itemsOf(childOf(holder, 'parameters'))) {
      const node = followed(description, given)
      if (node === undefined || !isObject(node.value)) continue
      const key = parameterKey(node)
      if (key === undefined) {
        problems.push({ node, message: 'a parameter needs a name, and as in: path, query, header or cookie' })
        continue
      }
      const name = `${key.in} ${key.name}`
      if (own.has(name))
        problems.push({ node: given, message: `the ${key.in} parameter '${key.name}' comes twice` })
      own.add(name)
      if (key.in === 'path' && !inPath.includes(key.name) && holder === operation)
        problems.push({ node: given, message: `the path has no parameter '${key.name}'` })
      described.add(name)
    }
  }
  for (const name of inPath)
    if (!described.has(`path ${name}`))
      problems.push({
        node: operation,
        message: `the path's parameter '${name}' is not described; any text will do`,
      })
  return problems
}

function findResponseProblems(operation: Node, description: Description): Problem[] {
  const responses = childOf(operation, 'responses')
  if (responses === undefined)
    return [{ node: operation, message: 'has no responses; it answers an empty 200' }]
  const keys = entriesOf(responses).filter(({ key }) => !key.startsWith('x-'))
  const statuses = keys
    .filter(({ key }) => statusOf(key) === undefined)
    .map((node) => ({ node, message: `'${node.key}' is not a status, a class such as 2XX, or default` }))
  const headers = keys
    .flatMap((each) => entriesOf(childOf(followed(description, each) ?? each, 'headers')))
    .filter(({ key }) => !isHeaderName(key))
    .map((node) => ({ node, message: `'${node.key}' cannot be the name of a header; it is left out` }))
  return [...statuses, ...headers]
}

function findSecurityProblems(operation: Node, { library: { root } }: Description): Problem[] {
  const components = childOf(root, 'components')
  const schemes = components && childOf(components, 'securitySchemes')
  const has = (name: string): boolean => schemes !== undefined && childOf(schemes, name) !== undefined
  return itemsOf(childOf(operation, 'security'))
    .flatMap(entriesOf)
    .filter(({ key }) => !has(key))
    .map((node) => ({ node, message: `there is no security scheme '${node.key}'; it is not required` }))
}
