import { isDeepStrictEqual } from 'node:util'
import type { SavedAnswer } from '../engine/saved-answer.ts'
import { essenceOf } from '../media-type.ts'
import type { Headers } from '../message.ts'
import { negotiatorOf } from '../routing/negotiator.ts'

/** What of a request decides which saved answer it gets. */
export interface SavedRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Headers
  readonly body: unknown
}

/** What a request says of the answer that it wants. */
export interface Wanted {
  readonly code?: string | undefined
  readonly name?: string | undefined
  readonly id?: string | undefined
}

/** The saved answers that are as a request wants. */
export function wantedOf(
  answers: readonly SavedAnswer[],
  { code, name, id }: Wanted,
): readonly SavedAnswer[] {
  return answers.filter(
    (each) =>
      (code === undefined || String(each.status) === code) &&
      (name === undefined || each.name === name) &&
      (id === undefined || each.id === id),
  )
}

/** The saved answers of the media type that a client likes best; none where it takes none of theirs. */
export function acceptable(answers: readonly SavedAnswer[], accept: string): readonly SavedAnswer[] {
  const types = [...new Set(answers.flatMap((each) => typeOf(each) ?? []))]
  const [best] = negotiatorOf({ accept }).mediaTypes(types)
  return answers.filter((each) => typeOf(each) === undefined || typeOf(each) === best)
}

// What has no body is of any type.
function typeOf({ headers, body }: SavedAnswer): string | undefined {
  if (body === '') return undefined
  return essenceOf(headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'application/json')
}

/**
 * The saved answer whose own request is most like a request: in the path first, then in the body and the query, and in
 * the headers where nothing else differs. One that says that something went wrong is for just the request that it was
 * saved for, unless there is no other.
 */
export function mostAlike(answers: readonly SavedAnswer[], request: SavedRequest): SavedAnswer | undefined {
  const scored = answers.map((answer) => ({ answer, ...likeness(answer, request) }))
  const isGood = ({ answer }: { readonly answer: SavedAnswer }): boolean => answer.status < 400
  const able = scored.filter((each) => isGood(each) || each.isSame)
  const [best] = (able.length > 0 ? able : scored).toSorted(
    (a, b) =>
      b.score - a.score ||
      Number(isGood(b)) - Number(isGood(a)) ||
      b.sameHeaders - a.sameHeaders ||
      a.answer.status - b.answer.status,
  )
  return best?.answer
}

function likeness(
  { request: saved }: SavedAnswer,
  { params, query, headers, body }: SavedRequest,
): { score: number; isSame: boolean; sameHeaders: number } {
  const path = Object.entries(saved.params)
  const samePath = path.filter(([name, value]) => params[name] === value).length
  const has = ([name, value]: readonly [string, string]): boolean =>
    query.some((each) => each[0] === name && each[1] === value)
  const sameQuery = saved.query.filter(has).length
  const isSameBody = saved.body !== undefined && isAlike(saved.body, body)
  const shared = saved.body === undefined ? 0 : sharedFields(saved.body, body)
  const isSame =
    samePath === path.length &&
    sameQuery === saved.query.length &&
    saved.query.length === query.length &&
    (saved.body === undefined || isSameBody) &&
    (path.length > 0 || saved.query.length > 0 || saved.body !== undefined)
  const other = saved.query.length - sameQuery + Math.max(0, query.length - saved.query.length) / 2
  const hasHeader = ([name, value]: readonly [string, string]): boolean =>
    isAlike(value, [headers[name]].flat()[0])
  const sameHeaders = saved.headers.filter(hasHeader).length / Math.max(1, saved.headers.length)
  return {
    sameHeaders,
    score: samePath * 100 + (isSameBody ? 50 : shared * 10) + sameQuery * 5 - other,
    isSame,
  }
}

// Queries of GraphQL are the same whatever spaces they are written with.
function isAlike(saved: unknown, body: unknown): boolean {
  if (isDeepStrictEqual(saved, body)) return true
  // What is a variable may be anything.
  if (typeof saved === 'string' && /^\{\{[^{}]+\}\}$/.test(saved)) return body !== undefined
  const plain = (value: unknown): string =>
    (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\\[nrt]|\s+/g, '')
  return typeof saved === typeof body && plain(saved) === plain(body)
}

/** The share of a saved body that a body has just so: of its fields, and of those within them. */
function sharedFields(saved: unknown, body: unknown): number {
  if (typeof saved !== 'object' || saved === null || typeof body !== 'object' || body === null)
    return Number(isAlike(saved, body))
  const entries = Object.entries(saved)
  const own = body as Readonly<Record<string, unknown>>
  const shares = entries.map(([name, value]) =>
    sharedFields(value, Object.hasOwn(own, name) ? own[name] : undefined),
  )
  return entries.length === 0 ? 0 : shares.reduce((sum, each) => sum + each, 0) / entries.length
}
