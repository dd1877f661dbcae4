import { isObject } from '../../engine/schema/schema.ts'
import { qualifiedNames, readXml, withoutAttributes, writeElements } from '../../shape/parse-xml.ts'
import type { CallForm } from '../calls/call.ts'
import { type Protocol, textOf } from './protocol.ts'

/** What says how a request is to be read, and who sends it. */
const COMMON = /^(Action|Version|AWSAccessKeyId|Signature(Method|Version)?|SecurityToken|Timestamp|X-Amz-.*)$/

const RESULT = /^([^]*<(\w+Result)>)[^]*(<\/\2>[^]*)$/

/** The other fields are arguments, and what the element `…Result` holds is the result; an error is kept whole. */
const calls: CallForm = {
  unwrapsLists: true,
  read({ query, body }) {
    const fields = fieldsIn(query, body)
    const name = textOf(fields?.['Action'])
    if (fields === undefined || name === undefined) return undefined
    const own = Object.entries(fields).filter(([field]) => !COMMON.test(field))
    return [{ name, args: Object.fromEntries(own) }]
  },
  outcomes({ body, status }) {
    const document = typeof body === 'string' ? readXml(body) : undefined
    if (!isObject(document) || typeof body !== 'string') return undefined
    if (status >= 400) return [{ error: body, status }]
    const [, before, name = '', after] = RESULT.exec(body) ?? []
    if (before === undefined || after === undefined) return [{ value: {}, frame: { text: body, names: {} } }]
    const [root] = Object.values(document)
    const value = isObject(root) ? withoutAttributes(root[name]) : undefined
    const frame = { text: `${before}{result}${after}`, names: qualifiedNames(body) }
    return [{ value: isObject(value) ? value : {}, frame }]
  },
  write([outcome]) {
    if (outcome?.error !== undefined) return { status: outcome.status ?? 400, body: outcome.error }
    const { text = '', names = {} } = outcome?.frame ?? {}
    return { status: 200, body: text.replace('{result}', () => writeElements(outcome?.value, names)) }
  },
}

/** AWS query and EC2: `Action=ListUsers&Version=2010-05-08`, in the query or as a form. */
export const awsQuery: Protocol = {
  name: 'AWS query',
  speaks: ({ query, body }) => fieldsIn(query, body) !== undefined,
  calls,
  operations:
    () =>
    ({ query, body }) => {
      const name = textOf(query['Action']) ?? (isObject(body) ? textOf(body['Action']) : undefined)
      return name === undefined ? undefined : { name, when: { form: 'Action', equals: name } }
    },
  isUnknown: ({ status, response }) => status >= 400 && /\bInvalidAction\b/.test(String(response)),
}

function fieldsIn(query: unknown, body: unknown): Readonly<Record<string, unknown>> | undefined {
  return [query, body].find(
    (fields): fields is Readonly<Record<string, unknown>> =>
      isObject(fields) && 'Action' in fields && 'Version' in fields,
  )
}
