import type { Condition } from '../../routing/condition.ts'
import { followed, type Description } from './models.ts'
import { childOf, flagAt, itemsOf, type Node } from './node.ts'
import { parameterKey } from './parameters.ts'
import { decodeSegment } from '../../routing/path-template.ts'

/** A path of a description, and what it says after a `#` or `?` to distinguish operations of one path. */
export interface PathKey {
  readonly path: string
  /** Such as `Action=ListUsers`, `X-Amz-Target=DynamoDB_20120810.ListTables`, `partNumber&uploadId` or `query={query}`. */
  readonly fragment: string | undefined
}

/** Takes a path of a description apart. */
export function readPathKey(key: string): PathKey {
  // No URL begins or ends with a blank.
  const text = key.trim()
  const at = text.search(/[?#]/)
  return at < 0
    ? { path: text, fragment: undefined }
    : { path: text.slice(0, at), fragment: text.slice(at + 1) }
}

interface KnownParameter {
  readonly name: string
  readonly in: string
  readonly isRequired: boolean
  /** The one value that it may have; `undefined` where there are others. */
  readonly only: string | undefined
}

/**
 * The conditions that a fragment stands for: of each parameter that it names, in the header or query where that is
 * described, and else of the query; a fragment that names none stands for the parameters that must have one value. A
 * field of the query may come in a form too where the method has a body, as clients of AWS send it.
 * @returns undefined where nothing that a request has distinguishes the operation
 */
export function conditionsOf(
  fragment: string,
  method: string,
  holders: readonly Node[],
  description: Description,
): readonly Condition[] | undefined {
  const known = holders.flatMap((holder) => parametersOf(holder, description))
  const inQuery = (name: string, equals?: string): Condition =>
    method === 'GET' || method === 'HEAD' ? { query: name, equals } : { form: name, equals }
  const conditionOf = ({ name, in: place }: KnownParameter, equals?: string): Condition =>
    place === 'header' ? { header: name, equals } : inQuery(name, equals)

  const pairs = fragment.split('&').filter((pair) => pair !== '')
  const named = pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    const isOpen = /^\{[^{}]*\}$/.test(value.join('='))
    const equals = value.length === 0 || isOpen ? undefined : decodeSegment(value.join('='))
    const parameter = known.find((each) => each.name.toLowerCase() === decodeSegment(name).toLowerCase())
    if (parameter !== undefined) return conditionOf(parameter, equals)
    return equals === undefined && !isOpen ? undefined : inQuery(decodeSegment(name), equals)
  })
  if (named.length > 0 && named.every((each) => each !== undefined)) return named
  const fixed = known.filter(({ isRequired, only }) => isRequired && only !== undefined)
  return fixed.length === 0 ? undefined : fixed.map((each) => conditionOf(each, each.only))
}

function parametersOf(holder: Node, description: Description): KnownParameter[] {
  return itemsOf(childOf(holder, 'parameters')).flatMap((given): KnownParameter[] => {
    const node = followed(description, given)
    const key = parameterKey(node)
    if (node === undefined || key === undefined || !['header', 'query'].includes(key.in)) return []
    const schema = followed(description, childOf(node, 'schema'))
    const values = schema === undefined ? [] : itemsOf(childOf(schema, 'enum'))
    const constant = schema && childOf(schema, 'const')?.value
    const only: unknown = values.length === 1 ? values[0]?.value : constant
    const text = typeof only === 'string' ? only : JSON.stringify(only)
    return [{ ...key, isRequired: flagAt(node, 'required') === true, only: text }]
  })
}
