import { isObject } from '../../engine/schema/schema.ts'
import type { CallForm } from '../calls/call.ts'
import { bodyAndStatus, type Protocol, textOf } from './protocol.ts'

const HEADER = 'x-amz-target'

/** The body has the arguments, the answer's the result, which may have none; the status says whether it failed. */
const calls: CallForm = {
  ...bodyAndStatus,
  read({ headers, body = {} }) {
    const target = textOf(headers[HEADER])
    return target === undefined || !isObject(body)
      ? undefined
      : [{ name: target.slice(target.lastIndexOf('.') + 1), args: body }]
  },
}

/** AWS JSON 1.0 and 1.1: `X-Amz-Target: DynamoDB_20120810.GetItem`. */
export const awsJson: Protocol = {
  name: 'AWS JSON',
  speaks: ({ headers }) => textOf(headers[HEADER]) !== undefined,
  operations:
    () =>
    ({ headers }) => {
      const name = textOf(headers[HEADER])
      return name === undefined ? undefined : { name, when: { header: HEADER, equals: name } }
    },
  calls,
  isUnknown: ({ status, response }) =>
    status >= 400 && /UnknownOperationException/.test(JSON.stringify(response)),
}
