import { isObject } from '../../engine/schema/schema.ts'
import { elementAt, escapeText, readXml, TEXT } from '../../shape/parse-xml.ts'
import type { CallOutcome } from '../../engine/call-model.ts'
import type { CallForm } from '../calls/call.ts'
import { MULTICALL, type Protocol, saysNoSuchMethod, textOf } from './protocol.ts'

const ELEMENT = '/methodCall/methodName'

/** Parameters are named by their places; a fault is kept whole. */
const calls: CallForm = {
  read({ body }) {
    const call = callIn(body)
    if (call === undefined) return undefined
    const inner = innerOf(call)?.map((each) => ({ name: String(each['methodName']), params: each['params'] }))
    return (inner ?? [call]).map(({ name, params }) => ({
      ...{ name, args: Object.fromEntries([params ?? []].flat().entries()) },
      ...(inner !== undefined && { isPart: true }),
    }))
  },
  outcomes({ body, status }, called) {
    const answer = partIn(readText(body), 'methodResponse')
    if (!isObject(answer) || typeof body !== 'string') return undefined
    if ('fault' in answer) return called.length === 1 ? [{ error: body, status }] : undefined
    const open = /<param>\s*(?=<value>)/.exec(body)
    const end = body.lastIndexOf('</value>')
    if (open === null || end < open.index) return undefined
    const before = body.slice(0, open.index + open[0].length)
    const after = body.slice(end + '</value>'.length)
    const value = decode(partIn(partIn(partIn(answer, 'params'), 'param'), 'value'))
    const frame = { text: `${before}{result}${after}`, names: spellingOf(body) }
    if (called.some(({ isPart }) => isPart === true))
      return innerOutcomes(value, called.length, status, frame)
    return [{ value, frame }]
  },
  write(outcomes, { body }) {
    const [outcome] = outcomes
    const call = callIn(body)
    if (call !== undefined && innerOf(call) !== undefined) return writeInner(outcomes)
    if (outcome?.error !== undefined) return { status: outcome.status ?? 200, body: outcome.error }
    const { text = '', names = {} } = outcome?.frame ?? {}
    return { status: 200, body: text.replace('{result}', () => encode(outcome?.value, names).trimEnd()) }
  },
}

/** A call with its parameters; `undefined` where the body is none. */
function callIn(body: unknown): { readonly name: string; readonly params: readonly unknown[] } | undefined {
  const call = partIn(readText(body), 'methodCall')
  const name = textOf(partIn(call, 'methodName'))
  const params = partsIn(partIn(call, 'params'), 'param').map((param) => decode(partIn(param, 'value')))
  return name === undefined ? undefined : { name, params }
}

function innerOf({
  name,
  params,
}: NonNullable<ReturnType<typeof callIn>>): readonly Readonly<Record<string, unknown>>[] | undefined {
  const [inner] = name === MULTICALL ? params : []
  return Array.isArray(inner) && inner.every((each) => isObject(each)) ? inner : undefined
}

function innerOutcomes(
  results: unknown,
  calls: number,
  status: number,
  frame: CallOutcome['frame'],
): readonly CallOutcome[] | undefined {
  if (!Array.isArray(results) || results.length !== calls) return undefined
  return results.map((each: unknown) =>
    Array.isArray(each)
      ? { value: each[0], ...(frame !== undefined && { frame }) }
      : { error: `<methodResponse><fault>${encode(each, {})}</fault></methodResponse>`, status },
  )
}

// Each result in a list of its own, and each failure as it is.
function writeInner(outcomes: readonly CallOutcome[]): ReturnType<CallForm['write']> {
  const { text = PLAIN, names = {} } = outcomes.find(({ frame }) => frame !== undefined)?.frame ?? {}
  const results = outcomes.map(({ value, error }) =>
    error === undefined
      ? [value]
      : decode(partIn(partIn(partIn(readText(error), 'methodResponse'), 'fault'), 'value')),
  )
  return { status: 200, body: text.replace('{result}', () => encode(results, names).trimEnd()) }
}

const PLAIN = "<?xml version='1.0'?><methodResponse><params><param>{result}</param></params></methodResponse>"

/** XML-RPC: `<methodCall><methodName>sample.add</methodName>`. */
export const xmlRpc: Protocol = {
  name: 'XML-RPC',
  speaks: ({ body }) => nameIn(body) !== undefined,
  calls,
  operations:
    () =>
    ({ body }) => {
      const name = nameIn(body)
      return name === undefined ? undefined : { name, when: { element: ELEMENT, equals: name } }
    },
  isUnknown: ({ response }) =>
    typeof response === 'string' && response.includes('<fault>') && saysNoSuchMethod(response),
}

function nameIn(body: unknown): string | undefined {
  return typeof body === 'string' ? textOf(elementAt(body, ELEMENT)) : undefined
}

function readText(body: unknown): unknown {
  return typeof body === 'string' ? readXml(body) : undefined
}

function partIn(node: unknown, name: string): unknown {
  return isObject(node) ? node[name] : undefined
}

function partsIn(node: unknown, name: string): readonly unknown[] {
  const parts = partIn(node, name)
  return parts === undefined ? [] : [parts].flat()
}

// What has no type is a string; a time, or bytes, keep theirs.
function decode(node: unknown): unknown {
  if (!isObject(node)) return node ?? ''
  const [[type, part] = ['string', '']] = Object.entries(node).filter(([name]) => name !== TEXT)
  if (type === 'struct')
    return Object.fromEntries(
      partsIn(part, 'member').map((member) => [
        textOf(partIn(member, 'name')) ?? '',
        decode(partIn(member, 'value')),
      ]),
    )
  if (type === 'array') return partsIn(partIn(part, 'data'), 'value').map(decode)
  if (/^(i\d|int|double)$/.test(type)) return Number(part)
  if (type === 'boolean') return part === '1'
  if (type === 'nil') return null
  return type === 'string' ? part : { [type]: part }
}

const TYPED = /^(dateTime\.iso8601|base64)$/

function encode(value: unknown, names: Readonly<Record<string, string>>): string {
  const element = (name: string, content: string): string => {
    const open = `<${name}>${names[`<${name}>`] ?? ''}`
    return `${open}${content}</${name}>${names[`</${name}>`] ?? ''}`
  }
  const typed = (): string => {
    if (typeof value === 'string')
      return names['string'] === '' ? escapeText(value) : element('string', escapeText(value))
    if (typeof value === 'number')
      return element(Number.isInteger(value) ? (names['int'] ?? 'int') : 'double', String(value))
    if (typeof value === 'boolean') return element('boolean', value ? '1' : '0')
    if (Array.isArray(value))
      return element('array', element('data', value.map((each) => encode(each, names)).join('')))
    if (!isObject(value)) return '<nil/>'
    const [[name, only] = ['', undefined], ...others] = Object.entries(value)
    if (TYPED.test(name) && others.length === 0) return element(name, String(only))
    const members = Object.entries(value).map(([key, part]) =>
      element('member', element('name', escapeText(key)) + encode(part, names)),
    )
    return element('struct', members.join(''))
  }
  return element('value', typed())
}

// How a server writes integers and strings, and the white space after its tags.
function spellingOf(text: string): Readonly<Record<string, string>> {
  const spaces = [...text.matchAll(/<(\/?[\w.]+)>(\s+)(?=<)/g)].map(
    ([, tag = '', space = '']) => [`<${tag}>`, space] as const,
  )
  const [, integer] = /<(i\d|int)>/.exec(text) ?? []
  return {
    ...Object.fromEntries(spaces),
    ...(integer !== undefined && { int: integer }),
    ...(!text.includes('<string>') && /<value>[^<\s]/.test(text) && { string: '' }),
  }
}
