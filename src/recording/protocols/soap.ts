import { elementAt } from '../../shape/parse-xml.ts'
import { type Protocol, textOf } from './protocol.ts'

const ELEMENT = '/Envelope/Body/*'

/** SOAP 1.1 and 1.2: the element in the body of the envelope, or `SOAPAction` where that says more. */
export const soap: Protocol = {
  name: 'SOAP',
  speaks: ({ body }) => typeof body === 'string' && elementAt(body, ELEMENT) !== undefined,
  operations(samples) {
    const elements = new Map(
      samples.map((sample) => [
        sample,
        typeof sample.body === 'string' ? elementAt(sample.body, ELEMENT) : undefined,
      ]),
    )
    const actions = new Set(samples.map(({ headers }) => headers['soapaction']))
    const isByAction = actions.size > new Set(elements.values()).size
    return (sample) => {
      const action = textOf(sample.headers['soapaction'])
      const name = elements.get(sample)
      if (isByAction && action !== undefined)
        return { name: action.replaceAll('"', ''), when: { header: 'soapaction', equals: action } }
      return name === undefined ? undefined : { name, when: { element: ELEMENT, equals: name } }
    }
  },
}
