import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppAnswers, Exchange } from './ask.ts'
import type { Got } from './client.ts'
import { digestOf } from './pages.ts'

/** A difference that is meant: where it shows, and why. All that is given must fit; texts are regular expressions. */
export interface Purpose {
  readonly reason: string
  readonly app?: string
  /** Of the request's method and path, such as `^OPTIONS /users`. */
  readonly request?: string
  /** Of what differs, such as `^header allow`. */
  readonly kind?: string
}

export const PURPOSES = join(import.meta.dirname, 'on-purpose.json')

export function readPurposes(): Purpose[] {
  return JSON.parse(readFileSync(PURPOSES, 'utf8')) as Purpose[]
}

/** What two builds answer differently. */
export interface Difference {
  readonly app: string
  readonly index: number
  /** What differs, such as `status 404 -> 200` or `header etag`. */
  readonly kind: string
  readonly before: Exchange
  readonly after?: Got
}

/** Which differences there are between the answers of two builds to the same requests. */
export function findDifferences(before: readonly AppAnswers[], after: readonly AppAnswers[]): Difference[] {
  const later = new Map(after.map((each) => [each.app, each]))
  return before.flatMap(({ app, refused, exchanges }) => {
    const other = later.get(app)
    const first = exchanges[0] ?? { request: { method: '', path: '', headers: {} }, answer: said(refused) }
    if (other?.refused !== refused)
      return [{ app, index: 0, kind: 'start', before: first, after: said(other?.refused) }]
    return exchanges.flatMap((exchange, index) => {
      const answer = other?.exchanges[index]?.answer
      const kind = answer === undefined ? 'no answer' : kindOf(exchange.answer, answer)
      return kind === undefined
        ? []
        : [{ app, index, kind, before: exchange, ...(answer && { after: answer }) }]
    })
  })
}

function said(text = 'serves'): Got {
  return { status: 0, headers: [], body: text }
}

function kindOf(before: Got, after: Got): string | undefined {
  if (digestOf(before) === digestOf(after)) return undefined
  if (before.status !== after.status) return `status ${before.status} -> ${after.status}`
  if (before.body !== after.body) return 'body'
  const names = new Set([...before.headers, ...after.headers].filter((_, index) => index % 2 === 0))
  const values = ({ headers }: Got, name: string): string =>
    headers.filter((_, index) => index % 2 === 1 && headers[index - 1] === name).join(', ')
  const changed = [...names].filter((name) => values(before, name) !== values(after, name))
  return changed.length === 0 ? 'order of headers' : `header ${changed.join(', ')}`
}

/** Whether a difference is one that is meant; of a recorded answer only the digest is known, and so no kind. */
export function isMeant(purpose: Purpose, app: string, request: string, kind?: string): boolean {
  const fits = (pattern: string | undefined, text: string | undefined): boolean =>
    pattern === undefined || text === undefined || new RegExp(pattern).test(text)
  return fits(purpose.app, app) && fits(purpose.request, request) && fits(purpose.kind, kind)
}
