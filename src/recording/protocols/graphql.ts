import { isObject } from '../../engine/schema/schema.ts'
import { readSelected, rootsOf, selectionOf, type SelectedOperation } from '../../routing/selection.ts'
import { ERROR_TYPE, type CallForm, type CallRequest } from '../calls/call.ts'
import { namedAsSelected, namedPlainly } from '../calls/selected-value.ts'
import type { Sample } from '../inference/sample.ts'
import { type Operation, type Protocol, textOf } from './protocol.ts'

const HASH = '/extensions/persistedQuery/sha256Hash'

/** The fields at the root are what is called; each has its result under its alias. */
const calls: CallForm = {
  hasAliases: true,
  read(request) {
    const operation = operationIn(request)
    return operation?.fields.map(({ name, args, fields }) => ({
      ...{ name, args, isChange: operation.kind === 'mutation' },
      selects: fields.length === 0 ? undefined : fields,
    }))
  },
  outcomes({ body, status }, called) {
    if (!isObject(body)) return undefined
    const { data, errors } = body
    if (Array.isArray(errors)) return called.length === 1 ? [{ error: { errors, data }, status }] : undefined
    if (!isObject(data)) return undefined
    const values = Object.values(data)
    if (values.length !== called.length) return undefined
    return values.map((value, at) => {
      const payload = namedPlainly(value, called[at]?.selects)
      return isRefusal(payload) ? { error: { payload }, status } : { value }
    })
  },
  write(outcomes, request) {
    const failed = outcomes.find(({ error }) => error !== undefined && payloadOf(error) === undefined)
    if (failed !== undefined) return { status: failed.status ?? 200, body: failed.error }
    const selected = operationIn(request)?.fields ?? []
    const data = selected.map(({ alias, fields }, at) => {
      const { error, value } = outcomes[at] ?? {}
      return [alias, error === undefined ? value : namedAsSelected(payloadOf(error), fields)]
    })
    return { status: 200, body: { data: Object.fromEntries(data) as unknown } }
  },
  unknown: { status: 400, body: { errors: [{ message: 'The recording does not show what this selects' }] } },
}

function payloadOf(error: unknown): unknown {
  return isObject(error) ? error['payload'] : undefined
}

// Many servers say in the result itself why there is none: by a list of errors beside it, or by an object of a type for that.
function isRefusal(value: unknown): boolean {
  if (!isObject(value)) return false
  if (ERROR_TYPE.test(String(value['__typename']))) return true
  const lists = Object.entries(value).filter(([name, part]) => ERRORS.test(name) && isListOfErrors(part))
  const others = Object.entries(value).filter(([name]) => !ERRORS.test(name))
  return lists.length > 0 && others.every(([, part]) => typeof part !== 'object' || part === null)
}

function isListOfErrors(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(hasMessage)
}

const ERRORS = /errors$/i

function operationIn({ body, query: search }: CallRequest): SelectedOperation | undefined {
  const { query, operationName, variables } = isObject(body) ? body : search
  if (typeof query !== 'string') return undefined
  return readSelected(query, textOf(operationName), isObject(variables) ? variables : {})
}

/** GraphQL over HTTP, by POST: operations with one selection are one, whatever their arguments; persisted ones by hash. */
export const graphql: Protocol = {
  name: 'GraphQL',
  speaks({ body, response }) {
    if (!isObject(body)) return false
    const { query } = body
    const isDocument = typeof query === 'string' && (selectionOf(query) !== undefined || isRefused(response))
    return isDocument || hashIn(body) !== undefined
  },
  operations: () => (sample) => bySelection(sample) ?? byHash(sample),
  calls,
  isUnknown: ({ response }) => isObject(response) && hasUnknownField(response),
}

// Many servers answer texts that they cannot read with 200 (GraphQL over HTTP, section 6.4.1).
function isRefused(response: unknown): boolean {
  const { errors, data } = isObject(response) ? response : {}
  return Array.isArray(errors) && (data === undefined || data === null) && errors.every(hasMessage)
}

function hasMessage(error: unknown): boolean {
  return isObject(error) && typeof error['message'] === 'string'
}

// No operation has a field that its type has not (GraphQL, section 5.3.1).
function hasUnknownField({ data, errors }: Readonly<Record<string, unknown>>): boolean {
  const isOne = (error: unknown): boolean => isObject(error) && UNKNOWN_FIELD.test(String(error['message']))
  return (
    (data === undefined || data === null) && Array.isArray(errors) && errors.length > 0 && errors.every(isOne)
  )
}

const UNKNOWN_FIELD = /^(Cannot query field|field ["']?\w+["']? not found)/i

function bySelection({ body }: Sample): Operation | undefined {
  if (!isObject(body) || typeof body['query'] !== 'string') return undefined
  const name = textOf(body['operationName'])
  const selection = selectionOf(body['query'], name)
  if (selection === undefined) return undefined
  return { name: name ?? rootsOf(selection), when: { selection } }
}

function byHash({ body }: Sample): Operation | undefined {
  const hash = hashIn(body)
  if (hash === undefined || !isObject(body)) return undefined
  return { name: textOf(body['operationName']) ?? hash, when: { pointer: HASH, equals: hash } }
}

function hashIn(body: unknown): string | undefined {
  const extensions = isObject(body) ? body['extensions'] : undefined
  const persisted = isObject(extensions) ? extensions['persistedQuery'] : undefined
  return isObject(persisted) ? textOf(persisted['sha256Hash']) : undefined
}
