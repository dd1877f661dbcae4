import { JSON_TYPE, type HttpResponse } from '../message.ts'
import { type InputIssue, ItemExists, SimError } from '../errors.ts'
import { bytesOf, type WrittenBody } from './known-answer.ts'
import { isObject } from './schema/schema.ts'

/**
 * What is answered in place of an error of the gateway's own, in the form of the API that is simulated. In its texts and
 * names `{path}`, `{method}`, `{id}` (the last parameter of the path, or its last
 * segment where no route has it), the names of the path's other parameters and `{field}` (the first field that does not
 * fit) stand for what the request says, `{value}` for what it has in that field or what is there already, `{item.NAME}` for what an item that is not changed has in one, and `{message}` for
 * what is wrong with it. A member whose name has `{field}`, and the only item of a list that has `{field}` or
 * `{message}`, are there for each such field.
 */
export interface ErrorAnswer extends WrittenBody {
  /** Default: that of the error. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** What `{message}` stands for by what is wrong, such as `missing` or `type_error`; else the gateway's own words. */
  readonly messages?: Readonly<Record<string, string>>
}

/**
 * Answers by the codes of errors, such as `SIM_ITEM_NOT_FOUND`; those of an input that does not fit also by what is wrong
 * first, such as `SIM_INPUT_INVALID/missing`, and those of an item that is not changed by why: `SIM_ITEM_EXISTS/amount`.
 */
export type ErrorAnswers = Readonly<Record<string, ErrorAnswer>>

/** The request that failed. */
interface Failed {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly match?: { readonly params: Readonly<Record<string, string>> } | undefined
}

/** The answer to a request that ended with an error; `undefined` where none is declared for it. */
export function answerError(
  answers: ErrorAnswers,
  error: Error,
  { method, url, match }: Failed,
): HttpResponse | undefined {
  if (!SimError.is(error)) return undefined
  const [issue] = (error as { readonly issues?: readonly InputIssue[] }).issues ?? []
  const { reason = issue?.type ?? '' } = error as { readonly reason?: string }
  const code = [`${error.code}/${reason}`, error.code].find((each) => Object.hasOwn(answers, each))
  const answer = code === undefined ? undefined : answers[code]
  if (answer === undefined) return undefined
  const { messages = {}, ...form } = answer
  const path = url.replace(/\?.*$/s, '')
  const request = {
    ...itemValues(error),
    ...match?.params,
    method,
    path,
    id: match === undefined ? path.slice(path.lastIndexOf('/') + 1) : Object.values(match.params).at(-1),
    ...{ field: undefined, value: takenValue(error), message: error.message },
  }
  const issues = issuesOf(error, messages).map((issue) => ({ ...request, ...issue }))
  const {
    body,
    headers = {},
    status = error.statusCode,
    ...rest
  } = filled(form, request, issues) as ErrorAnswer
  const own = Object.entries({ ...error.headers, ...headers }).flat()
  const type = body === undefined || 'content-type' in headers ? [] : ['content-type', JSON_TYPE]
  return {
    status,
    headers: [...own, ...type],
    body: bytesOf({ ...rest, ...(body !== undefined && { body }) }),
  }
}

function itemValues(error: Error): Values {
  const { item } = error as { readonly item?: Readonly<Record<string, unknown>> }
  return Object.fromEntries(
    Object.entries(item ?? {}).flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) ? [[`item.${name}`, String(value)]] : [],
    ),
  )
}

function takenValue(error: Error): string | undefined {
  return ItemExists.is(error) ? (error as Partial<ItemExists>).value : undefined
}

type Values = Readonly<Record<string, string | undefined>>

// What is wrong, one for each field.
function issuesOf(error: Error, messages: Readonly<Record<string, string>>): readonly Values[] {
  const { issues = [] } = error as { readonly issues?: readonly InputIssue[] }
  const byField = new Map<string, Values>()
  for (const { type, loc, msg, input } of issues) {
    const field = String(loc.at(-1))
    const said = { field, value: typeof input === 'string' ? input : JSON.stringify(input) }
    const message = Object.hasOwn(messages, type) ? filledText(messages[type] ?? '', said) : msg
    if (!byField.has(field)) byField.set(field, { ...said, message })
  }
  return [...byField.values()]
}

function filled(value: unknown, request: Values, issues: readonly Values[]): unknown {
  const [first = request] = issues
  if (typeof value === 'string') return filledText(value, first)
  if (Array.isArray(value)) {
    const [item] = value as readonly unknown[]
    const isEach = value.length === 1 && issues.length > 1 && /\{(field|message)\}/.test(JSON.stringify(item))
    if (isEach) return issues.map((issue) => filled(item, request, [issue]))
    return value.map((part: unknown) => filled(part, request, issues))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const own = name.includes('{field}') && issues.length > 0 ? issues.map((issue) => [issue]) : [issues]
      return own.map((some) => [filledText(name, some[0] ?? request), filled(part, request, some)])
    }),
  )
}

function filledText(text: string, values: Values): string {
  return text.replaceAll(/\{((?:item\.)?\w+)\}/g, (all, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : all,
  )
}
