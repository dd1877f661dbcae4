import { JSON_TYPE, type HttpResponse } from '../message.ts'
import { SimError } from '../errors.ts'
import { bytesOf, type WrittenBody } from './known-answer.ts'
import { isObject } from './schema/schema.ts'

/**
 * What is answered in place of an error of the gateway's own, in the form of the API that is simulated. In its texts and
 * names `{path}`, `{method}`, `{id}` (the last parameter of the path) and `{field}` (the first field that does not fit)
 * stand for what the request says.
 */
export interface ErrorAnswer extends WrittenBody {
  /** Default: that of the error. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers by the codes of errors, such as `SIM_ITEM_NOT_FOUND`. */
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
  const answer = SimError.is(error) && Object.hasOwn(answers, error.code) ? answers[error.code] : undefined
  if (answer === undefined || !SimError.is(error)) return undefined
  const values = {
    method,
    path: url.replace(/\?.*$/s, ''),
    id: Object.values(match?.params ?? {}).at(-1),
    field: fieldOf(error),
  }
  const { body, headers = {}, status = error.statusCode, ...rest } = filled(answer, values) as ErrorAnswer
  const own = Object.entries({ ...error.headers, ...headers }).flat()
  const type = body === undefined || 'content-type' in headers ? [] : ['content-type', JSON_TYPE]
  return {
    status,
    headers: [...own, ...type],
    body: bytesOf({ ...rest, ...(body !== undefined && { body }) }),
  }
}

function fieldOf(error: Error): string | undefined {
  const [first] =
    (error as { readonly issues?: readonly { readonly loc: readonly unknown[] }[] }).issues ?? []
  return first === undefined ? undefined : String(first.loc.at(-1))
}

type Values = Readonly<Record<string, string | undefined>>

function filled(value: unknown, values: Values): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\{(\w+)\}/g, (all, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? '') : all,
    )
  if (Array.isArray(value)) return value.map((item: unknown) => filled(item, values))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [filled(name, values), filled(part, values)]),
  )
}
