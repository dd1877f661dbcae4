import { mediaKindOf } from '../../media-type.ts'
import { childOf, entriesOf, type Node } from './node.ts'

/** The place of a parameter that is the whole query (OpenAPI 3.2). */
export const WHOLE_QUERY = 'querystring'

/** Whether a parameter that is the whole query is written as forms are, as the fields of an object in `query` are. */
export function isFormQuery(node: Node): boolean {
  const [content] = entriesOf(childOf(node, 'content'))
  return content !== undefined && mediaKindOf(content.key) === 'form'
}
