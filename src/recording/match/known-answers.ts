import { bytesOf, type KnownAnswer } from '../../engine/known-answer.ts'
import type { Awaitable, Headers, HttpResponse } from '../../message.ts'
import type { Counters } from '../../state/counters.ts'
import { entryOf } from '../../grouping.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { formOf, readBodyValue } from './body-value.ts'
import { compileMatch, headOf } from './match.ts'

/** A request, as far as it says which one it is. */
export interface NamedRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly contentType: string
}

const RULES = compileMatch({ ignoreHost: true })

/**
 * What names a request: equal for those whose method, path, query and body say the same, secrets aside, as replay
 * compares them.
 */
export function requestKey(
  { method, url, contentType }: NamedRequest,
  bytes: Buffer,
  redactor: Redactor,
): Awaitable<string> {
  const { path, query } = headOf({ method, host: undefined, url, headers: [] }, redactor, RULES)
  const head = JSON.stringify([method, path, query])
  if (bytes.length === 0) return head
  return readBodyValue(bytes, contentType, RULES, redactor.at(url)).then((body) => `${head} ${formOf(body)}`)
}

/** The answers that a route knows for single requests. */
export interface KnownAnswers {
  /**
   * The answer to a request; of several in turn, and then the last again.
   * @param after what clients have changed so far
   * @param turns counts how often each request came
   */
  find(key: string, headers: Headers, after: string, turns: Counters): HttpResponse | undefined
}

/** @param method of requests that do not say it */
export async function createKnownAnswers(
  answers: readonly KnownAnswer[],
  method: string,
  redactor: Redactor,
): Promise<KnownAnswers> {
  const byKey = new Map<string, KnownAnswer[]>()
  for (const answer of answers) {
    const { when } = answer
    const contentType = when.type ?? (when.body === undefined ? '' : 'application/json')
    const named = { method: when.method ?? method, url: when.url, contentType }
    entryOf(byKey, await requestKey(named, bytesOf(when), redactor), () => []).push(answer)
  }
  const responses = new Map<KnownAnswer, HttpResponse>()
  return {
    find(key, headers, after, turns) {
      const fitting = (byKey.get(key) ?? []).filter(
        (answer) =>
          (answer.after ?? after) === after &&
          Object.entries(answer.when.headers ?? {}).every(([name, value]) => textOf(headers[name]) === value),
      )
      if (fitting.length === 0) return undefined
      const turn = fitting.length === 1 ? 0 : turns.next(`${key} ${after} ${fitting.length}`)
      const answer = fitting[Math.min(turn, fitting.length - 1)] as KnownAnswer
      return entryOf(responses, answer, () => responseOf(answer))
    },
  }
}

function textOf(value: string | readonly string[] | undefined): string {
  return [value ?? ''].flat().join(', ')
}

function responseOf(answer: KnownAnswer): HttpResponse {
  const flat = Object.entries(answer.headers ?? {}).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [name.toLowerCase(), value]),
  )
  return { status: answer.status, headers: flat, body: bytesOf(answer) }
}
