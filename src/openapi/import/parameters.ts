import type { Parameter, ResponseHeader } from '../../engine/operation.ts'
import type { Schema } from '../../engine/schema/schema.ts'
import { examplesOf, styleAt } from './content.ts'
import { followed, type Description } from './models.ts'
import type { Direction } from './discriminator.ts'
import { isHeaderName } from '../../http/headers.ts'
import { withLazy } from '../../engine/lazy.ts'
import { childOf, entriesOf, flagAt, itemsOf, textAt, type Node } from './node.ts'
import { isFormQuery, WHOLE_QUERY } from './whole-query.ts'

const PLACES = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const

// What these say is said elsewhere in a description (OpenAPI 3.1, Parameter Object).
const IGNORED = new Set(['accept', 'content-type', 'authorization'])

/** The parameters of an operation: its own, and those of its path item that it does not give anew. */
export function parametersOf(
  operation: Node,
  pathItem: Node,
  inPath: readonly string[],
  description: Description,
): readonly Parameter[] {
  const found = new Map<string, Parameter>()
  for (const holder of [pathItem, operation]) {
    for (const each of itemsOf(childOf(holder, 'parameters'))) {
      const parameter = parameterOf(each, description)
      if (parameter !== undefined) found.set(`${parameter.in} ${parameter.name}`, parameter)
    }
  }
  // What the path's template names is there, described or not.
  for (const name of inPath) if (!found.has(`path ${name}`)) found.set(`path ${name}`, textParameter(name))
  return [...found.values()].filter((each) => each.in !== 'path' || inPath.includes(each.name))
}

/** Where a parameter is, and its name; `undefined` for what is none. */
export function parameterKey(node: Node | undefined): { name: string; in: keyof typeof PLACES } | undefined {
  const [name, given] = node === undefined ? [] : [textAt(node, 'name'), textAt(node, 'in')]
  const place = given === WHOLE_QUERY ? 'query' : given
  if (name === undefined || place === undefined || !Object.hasOwn(PLACES, place)) return undefined
  return { name, in: place as keyof typeof PLACES }
}

function parameterOf(given: Node, description: Description): Parameter | undefined {
  const node = followed(description, given)
  const key = parameterKey(node)
  if (node === undefined || key === undefined) return undefined
  if (key.in === 'header' && IGNORED.has(key.name.toLowerCase())) return undefined
  const isWhole = textAt(node, 'in') === WHOLE_QUERY
  if (isWhole && !isFormQuery(node)) return undefined
  const style = styleAt(node) ?? PLACES[key.in]
  const [content] = entriesOf(childOf(node, 'content'))
  const parameter: Omit<Parameter, 'model'> = {
    ...key,
    required: key.in === 'path' || flagAt(node, 'required') === true,
    style,
    explode: flagAt(node, 'explode') ?? style === 'form',
    ...(flagAt(node, 'allowEmptyValue') === true && { allowEmptyValue: true }),
    ...(content !== undefined && !isWhole && { mediaType: content.key }),
  }
  return withLazy(parameter, {
    model: () => modelBeside(content ?? node, 'request', description),
    examples: () => examplesOf(content ?? node, description),
  })
}

function textParameter(name: string): Parameter {
  return { name, in: 'path', required: true, style: 'simple', explode: false, model: { type: 'string' } }
}

/** The headers of a response. The content gives the content type. */
export function headersOf(response: Node, description: Description): readonly ResponseHeader[] {
  return entriesOf(childOf(response, 'headers')).flatMap((each): ResponseHeader[] => {
    const node = followed(description, each)
    if (node === undefined || each.key.toLowerCase() === 'content-type' || !isHeaderName(each.key)) return []
    const [content] = entriesOf(childOf(node, 'content'))
    const described = content ?? node
    const header = { name: each.key, required: flagAt(node, 'required') === true }
    return [
      withLazy(header, {
        model: () => modelBeside(described, 'response', description),
        examples: () => examplesOf(described, description),
      }),
    ]
  })
}

function modelBeside(node: Node, direction: Direction, { models }: Description): Schema {
  const schema = childOf(node, 'schema')
  return schema === undefined ? {} : models.model(schema, direction)
}
