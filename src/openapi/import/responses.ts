import type { RequestBody, ResponseRule } from '../../engine/operation.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { contentOf } from './content.ts'
import { followed, type Description } from './description.ts'
import { headersOf } from './parameters.ts'
import { childOf, entriesOf, flagAt, type Node } from './node.ts'

/** The body of an operation's requests, if it describes one. */
export function requestBodyOf(operation: Node, description: Description): RequestBody | undefined {
  const node = followed(description, childOf(operation, 'requestBody'))
  if (node === undefined || !isObject(node.value)) return undefined
  const content = contentOf(childOf(node, 'content'), 'request', description)
  return { required: flagAt(node, 'required') === true, content }
}

/** The responses of an operation, in the description's order. */
export function responsesOf(operation: Node, description: Description): readonly ResponseRule[] {
  return entriesOf(childOf(operation, 'responses')).flatMap((each): ResponseRule[] => {
    const status = statusOf(each.key)
    const node = followed(description, each) ?? each
    if (status === undefined || !isObject(node.value)) return []
    return [
      {
        status,
        content: contentOf(childOf(node, 'content'), 'response', description),
        headers: headersOf(node, description),
      },
    ]
  })
}

/** A status, or a class of them, as a response's key says it; `undefined` for a key that is none. */
export function statusOf(key: string): ResponseRule['status'] | undefined {
  if (key === 'default') return key
  const wanted = key.toUpperCase()
  if (/^[1-5]XX$/.test(wanted)) return wanted as ResponseRule['status']
  return /^[1-5]\d\d$/.test(wanted) ? Number(wanted) : undefined
}
