import { isObject } from '../../engine/schema/schema.ts'
import { type Protocol, textOf } from './protocol.ts'

/** AWS query and EC2: `Action=ListUsers&Version=2010-05-08`, in the query or as a form. */
export const awsQuery: Protocol = {
  name: 'AWS query',
  speaks: ({ query, body }) =>
    [query, body].some((fields) => isObject(fields) && 'Action' in fields && 'Version' in fields),
  operations:
    () =>
    ({ query, body }) => {
      const name = textOf(query['Action']) ?? (isObject(body) ? textOf(body['Action']) : undefined)
      return name === undefined ? undefined : { name, when: { form: 'Action', equals: name } }
    },
  isUnknown: ({ status, response }) => status >= 400 && /\bInvalidAction\b/.test(String(response)),
}
