import { elementAt } from '../../shape/parse-xml.ts'
import { type Protocol, textOf } from './protocol.ts'

const ELEMENT = '/methodCall/methodName'

/** XML-RPC: `<methodCall><methodName>sample.add</methodName>`. */
export const xmlRpc: Protocol = {
  name: 'XML-RPC',
  speaks: ({ body }) => nameIn(body) !== undefined,
  operations:
    () =>
    ({ body }) => {
      const name = nameIn(body)
      return name === undefined ? undefined : { name, when: { element: ELEMENT, equals: name } }
    },
}

function nameIn(body: unknown): string | undefined {
  return typeof body === 'string' ? textOf(elementAt(body, ELEMENT)) : undefined
}
