import { isObject } from '../../engine/schema/schema.ts'
import type { Condition } from '../../routing/condition.ts'
import type { CallOutcome } from '../../engine/call-model.ts'
import type { CallForm, CallRequest } from '../calls/call.ts'
import type { Sample } from '../inference/sample.ts'
import { type Protocol, textOf } from './protocol.ts'

type Fields = Readonly<Record<string, unknown>>

/** The fields that name what is called, and those that say which of its kinds is meant. */
const NAMES = ['action', 'cmd', 'command', 'op', 'operation', 'function', 'method']
const KINDS = ['list', 'prop', 'meta', 'module', 'subaction']

/** Fields that say how an answer is written. */
const ASIDE = /^(format(_?version)?|callback|assert|utf8|uselang|origin|servedby|curtimestamp)$/i

/** Several values in one field, as in `titles=A|B`. */
const SEVERAL = /^[^|\n]{1,80}(\|[^|\n]{1,80})+$/

const calls: CallForm = {
  isOfPaths: true,
  read(request) {
    const found = namesIn(request)
    if (found === undefined) return undefined
    const { fields, named } = found
    const rest = Object.entries(fields).filter(
      ([name]) => !ASIDE.test(name) && !named.some(([each]) => each === name),
    )
    const isRead = request.method === 'GET'
    const args = Object.fromEntries(rest.map(([name, value]) => [name, isRead ? listed(name, value) : value]))
    return [{ name: named.map(([, value]) => value).join('.'), args, isChange: !isRead }]
  },
  outcomes({ body, status, headers = {} }) {
    if (status >= 400 || isFailed(body)) return [{ error: body, status, ...repeatedIn(headers, body) }]
    return body === undefined ? undefined : [{ value: body }]
  },
  write([{ value, error, status = 200, headers } = {}]) {
    return error === undefined
      ? { status: 200, body: value }
      : { status, body: error, ...(headers && { headers }) }
  },
}

/**
 * Commands at one path, each named by a field of the query or of a form: `?action=query&list=pages`, `?cmd=delete&id=7`.
 * Those of a GET only read.
 */
export const fieldCommands: Protocol = {
  name: 'field commands',
  speaks: (sample) => {
    const { method, response } = sample
    const named = method === 'GET' || method === 'POST' ? namesIn(sample)?.named : undefined
    // A value that answers repeat is what something is like, rather than what is done.
    return (
      named?.[0] !== undefined && isJson(response) && !JSON.stringify(response).includes(`:"${named[0][1]}"`)
    )
  },
  operations: () => (sample) => {
    const named = namesIn(sample)?.named ?? []
    const isForm = isObject(sample.body)
    const conditions = named.map(([name, equals]): Condition =>
      isForm ? { form: name, equals } : { query: name, equals },
    )
    const [first, ...others] = conditions
    if (first === undefined) return undefined
    const name = named.map(([, value]) => value).join('.')
    return { name, when: others.length === 0 ? first : conditions }
  },
  calls,
  isUnknown: (sample: Sample) => {
    const [first] = namesIn(sample)?.named ?? []
    const { response } = sample
    return (
      first !== undefined &&
      isFailed(response) &&
      UNKNOWN.test(JSON.stringify(response)) &&
      JSON.stringify(response).includes(first[1])
    )
  },
}

const UNKNOWN =
  /\b(unknown|unrecogni[sz]ed|unsupported|invalid|no such|bad)[\s_]?(value|command|action|method|operation)?/i

interface Named {
  readonly fields: Fields
  readonly named: readonly (readonly [field: string, value: string])[]
}

function namesIn({ query, body }: Pick<CallRequest, 'query' | 'body'>): Named | undefined {
  const fields: Fields = { ...query, ...(isObject(body) && body) }
  const valueOf = (name: string): readonly (readonly [string, string])[] => {
    const value = textOf(fields[name])
    return value !== undefined && WORD.test(value) ? [[name, value]] : []
  }
  const [first] = NAMES.flatMap(valueOf)
  return first && { fields, named: [first, ...KINDS.flatMap(valueOf)] }
}

const WORD = /^[A-Za-z][\w.-]{1,60}$/

// A field is called by several of what it takes: `ids`, `titles`.
function listed(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (SEVERAL.test(value)) return value.split('|')
  return /(ids|titles|names|keys|users)$/i.test(name) ? [value] : value
}

// Headers that have a word of an error, too, such as its code.
function repeatedIn(headers: Readonly<Record<string, string>>, body: unknown): Pick<CallOutcome, 'headers'> {
  const text = JSON.stringify(body)
  const own = Object.entries(headers).filter(
    ([, value]) => WORD.test(value) && value.length >= MIN_CODE && text.includes(`"${value}"`),
  )
  return own.length === 0 ? {} : { headers: Object.fromEntries(own) }
}

const MIN_CODE = 4

function isJson(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function isFailed(body: unknown): boolean {
  if (!isObject(body)) return false
  const { error, success, ok } = body
  return success === false || ok === false || (error !== undefined && error !== null && error !== false)
}
