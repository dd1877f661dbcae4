import { isObject } from '../../engine/schema/schema.ts'
import {
  elementAt,
  qualifiedNames,
  readXml,
  withoutAttributes,
  writeElements,
} from '../../shape/parse-xml.ts'
import type { CallForm } from '../calls/call.ts'
import { type Protocol, textOf } from './protocol.ts'

const ELEMENT = '/Envelope/Body/*'

const RESPONSE =
  /^([^]*<(?:[\w.-]+:)?Body\b[^>]*>\s*<[^>]+?)(\/?)>([^]*?)(<\/[^>]+>\s*<\/(?:[\w.-]+:)?Body>[^]*)$/

/** What the element in the body holds are arguments and results; a fault is kept whole. */
const calls: CallForm = {
  unwrapsLists: true,
  read({ body }) {
    const call = bodyOf(body)
    return call && [{ name: call[0], args: isObject(call[1]) ? call[1] : {} }]
  },
  outcomes({ body, status }) {
    const answer = bodyOf(body)
    if (answer === undefined || typeof body !== 'string') return undefined
    const [name, value] = answer
    if (name === 'Fault') return [{ error: body, status }]
    const [, before, , , after] = RESPONSE.exec(body) ?? []
    if (before === undefined || after === undefined) return undefined
    return [
      {
        value: isObject(value) ? value : {},
        frame: { text: `${before}>{result}${after}`, names: qualifiedNames(body) },
      },
    ]
  },
  write([outcome]) {
    if (outcome?.error !== undefined) return { status: outcome.status ?? 500, body: outcome.error }
    const { text = '', names = {} } = outcome?.frame ?? {}
    return { status: 200, body: text.replace('{result}', () => writeElements(outcome?.value, names)) }
  },
}

// The element in the body of an envelope, by its local name, and what it holds without attributes.
function bodyOf(text: unknown): readonly [name: string, value: unknown] | undefined {
  const document = typeof text === 'string' ? readXml(text) : undefined
  const envelope = isObject(document) ? document['Envelope'] : undefined
  const body = isObject(envelope) ? withoutAttributes(envelope['Body']) : undefined
  return isObject(body) ? Object.entries(body)[0] : undefined
}

/** SOAP 1.1 and 1.2: the element in the body of the envelope, or `SOAPAction` where that says more. */
export const soap: Protocol = {
  name: 'SOAP',
  speaks: ({ body }) => typeof body === 'string' && elementAt(body, ELEMENT) !== undefined,
  calls,
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
