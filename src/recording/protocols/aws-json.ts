import { type Protocol, textOf } from './protocol.ts'

const HEADER = 'x-amz-target'

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
  isUnknown: ({ status, response }) =>
    status >= 400 && /UnknownOperationException/.test(JSON.stringify(response)),
}
