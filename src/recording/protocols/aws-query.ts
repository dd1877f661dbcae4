import { isObject } from '../../engine/schema/schema.ts'
import { itemKey, qualifiedNames, readXml, withoutAttributes, writeElements } from '../../shape/parse-xml.ts'
import type { CallForm } from '../calls/call.ts'
import { type Protocol, textOf } from './protocol.ts'

/** What says how a request is to be read, and who sends it. */
const COMMON = /^(Action|Version|AWSAccessKeyId|Signature(Method|Version)?|SecurityToken|Timestamp|X-Amz-.*)$/

const RESULT = /<(\w+Result)>/

/** The other fields are arguments, and what the element `…Result` holds is the result; an error is kept whole. */
const calls: CallForm = {
  unwrapsLists: true,
  read({ query, body }) {
    const fields = fieldsIn(query, body)
    const name = textOf(fields?.['Action'])
    if (fields === undefined || name === undefined) return undefined
    const own = Object.entries(fields).filter(([field]) => !COMMON.test(field))
    return [{ name, args: nested(own) }]
  },
  outcomes({ body, status }) {
    const document = typeof body === 'string' ? readXml(body) : undefined
    if (!isObject(document) || typeof body !== 'string') return undefined
    if (status >= 400) return [{ error: body, status }]
    const [open = '', name = ''] = RESULT.exec(body) ?? []
    const end = body.lastIndexOf(`</${name}>`)
    if (name === '' || end === -1) return [{ value: {}, frame: { text: body, names: {} } }]
    const [before, after] = [body.slice(0, body.indexOf(open) + open.length), body.slice(end)]
    const [root] = Object.values(document)
    const value = isObject(root) ? withoutAttributes(root[name]) : undefined
    const frame = {
      text: `${before}{result}${after}`,
      names: { ...qualifiedNames(body), ...itemNames(value) },
    }
    return [{ value: isObject(value) ? withItems(value) : {}, frame }]
  },
  write([outcome]) {
    if (outcome?.error !== undefined) return { status: outcome.status ?? 400, body: outcome.error }
    const { text = '', names = {} } = outcome?.frame ?? {}
    return { status: 200, body: text.replace('{result}', () => writeElements(outcome?.value, names)) }
  },
}

const ITEM = /^(member|entry|item)$/

/** Fields such as `Tags.member.1.Key` and `Attribute.1.Name` as lists and objects. */
function nested(fields: readonly (readonly [string, unknown])[]): Readonly<Record<string, unknown>> {
  const root: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [field, value] of fields) {
    let node = root
    const names = field.split('.')
    for (const name of names.slice(0, -1)) {
      const next = node[name]
      node = (isObject(next) ? next : (node[name] = Object.create(null))) as Record<string, unknown>
    }
    node[names.at(-1) ?? ''] = value
  }
  return withLists(root) as Readonly<Record<string, unknown>>
}

// What has numbers as names is a list.
function withLists(node: unknown): unknown {
  if (!isObject(node)) return node
  const entries = Object.entries(node).map(([name, part]) => [name, withLists(part)] as const)
  const [[name, only] = ['', undefined], ...others] = entries
  if (others.length === 0 && ITEM.test(name) && Array.isArray(only)) return only
  if (entries.length > 0 && entries.every(([each]) => /^\d+$/.test(each)))
    return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, part]) => part)
  return Object.fromEntries(entries)
}

/** A result whose lists are lists, rather than elements that hold an element for each item. */
function withItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withItems)
  if (!isObject(value)) return value
  const [[name, only] = ['', undefined], ...others] = Object.entries(value)
  if (others.length === 0 && ITEM.test(name)) return [only].flat().map(withItems)
  return Object.fromEntries(Object.entries(value).map(([each, part]) => [each, withItems(part)]))
}

/** What the items of lists are called, by the names of those. */
function itemNames(value: unknown): Readonly<Record<string, string>> {
  if (Array.isArray(value)) return Object.assign({}, ...value.map(itemNames)) as Record<string, string>
  if (!isObject(value)) return {}
  const own = Object.entries(value).flatMap(([name, part]) => {
    const [item = '', ...others] = Object.keys(isObject(part) ? part : {})
    return others.length === 0 && ITEM.test(item) ? [[itemKey(name), item]] : []
  })
  return Object.assign(Object.fromEntries(own), ...Object.values(value).map(itemNames)) as Record<
    string,
    string
  >
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
