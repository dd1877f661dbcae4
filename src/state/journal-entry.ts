import type { ContractNotes } from '../engine/contract-violation.ts'
import { parseQuery } from '../engine/query.ts'
import type { Headers } from '../message.ts'
import type { Redactor } from '../recording/redaction/redactor.ts'
import { chaosTexts, type ChaosDecision } from './chaos.ts'
import type { JournalEntry } from './journal.ts'

/** The most bytes of a body that a journal keeps. */
export const MAX_JOURNAL_BODY = 16 * 1024

/** What requests of one client often have in common. */
export interface RecordedHead {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly path: string
  readonly search: string
  readonly headers: Headers
  /** Path and query as the client wrote them, and what of it is above the gateway. */
  readonly url: string
  readonly prefix: string
}

/** What is kept of a request, and an entry is made of. */
export interface EntrySource extends Pick<
  JournalEntry,
  'id' | 'method' | 'mode' | 'durationMs' | 'arrivedMs'
> {
  readonly route: string | undefined
  readonly connection: number | undefined
  readonly session: { readonly key: string; readonly redactor: Redactor }
  /** When it came, by the session's clock. */
  readonly moment: number
  readonly head: RecordedHead
  /** What chaos counts it by, and which it was. */
  readonly key: string
  readonly ordinal: number
  readonly chaos: ChaosDecision | undefined
  readonly advice: JournalEntry['retryHeaders'] | undefined
  readonly notes: ContractNotes | undefined
  readonly status: number | undefined
  readonly gateway: string | undefined
  readonly requestBody: unknown
  /** UTF-8 bytes of JSON, as a character each. */
  readonly responseBody: string | undefined
  /** Writes these bytes again from the request's head, in place of keeping them. */
  readonly rewriteBody: ((head: RecordedHead) => string | undefined) | undefined
}

/** What a journal says of a request. Its bodies are parsed, and freed of secrets, when they are looked at. */
export function entryOf(record: EntrySource, hasBodies: boolean): JournalEntry {
  const entry: JournalEntry = {
    ...{ id: record.id, time: new Date(record.moment).toISOString() },
    ...headOf(record),
    ...restOf(record),
  }
  if (!hasBodies) return entry
  for (const name of BODIES) {
    const json = bodyOf(record, name)
    if (json === undefined) continue
    const get = (): unknown => withoutSecrets(json(), record.session.redactor)?.value
    Object.defineProperty(entry, name, { enumerable: true, get })
  }
  return entry
}

/**
 * The same with its bodies as JSON, for what keeps it elsewhere: every request is written so where gateways share a
 * journal. A head that many requests have in common, and bodies, are not made values of first.
 */
export function entryText(record: EntrySource): string {
  const time = new Date(record.moment).toISOString()
  let text = `{"id":${record.id},"time":"${time}",${headText(record)},${JSON.stringify(restOf(record)).slice(1, -1)}`
  for (const name of BODIES) {
    const body = bodyOf(record, name)?.()
    const shown = withoutSecrets(body, record.session.redactor)
    if (shown !== undefined) text += `,"${name}":${shown.json}`
  }
  return `${text}}`
}

const BODIES = ['requestBody', 'responseBody'] as const

function bodyOf(
  { requestBody, responseBody, rewriteBody, head }: EntrySource,
  name: (typeof BODIES)[number],
): (() => string | undefined) | undefined {
  if (name === 'requestBody') return requestBody === undefined ? undefined : () => JSON.stringify(requestBody)
  if (rewriteBody === undefined && responseBody === undefined) return undefined
  return () => {
    const bytes = rewriteBody === undefined ? responseBody : rewriteBody(head)
    return bytes === undefined ? undefined : Buffer.from(bytes, 'latin1').toString()
  }
}

type Head = Pick<JournalEntry, 'session' | 'method' | 'url' | 'host' | 'path' | 'query' | 'headers' | 'mode'>

function headOf({ session: { key, redactor }, method, mode, head }: EntrySource): Head {
  return { session: key, method, ...shownHead(head, redactor), mode }
}

type Rest = Omit<JournalEntry, 'id' | 'time' | keyof Head | (typeof BODIES)[number]>

function restOf(record: EntrySource): Rest {
  const { route, chaos, status, durationMs, arrivedMs, connection, advice, notes, gateway } = record
  // Spread, what is there of it would take longer than all else of an entry.
  const rest: { -readonly [Name in keyof Rest]?: Rest[Name] } = {}
  if (route !== undefined) rest.route = route
  const decided = chaos && chaosTexts(record.key, record.ordinal, chaos)
  if (decided !== undefined) rest.chaos = decided
  rest.durationMs = durationMs
  rest.arrivedMs = arrivedMs
  if (connection !== undefined) rest.connection = connection
  if (advice !== undefined) rest.retryHeaders = advice
  // They may still grow after the request has ended.
  if (notes !== undefined && notes.violations.length > 0) rest.violations = [...notes.violations]
  if (notes !== undefined && notes.unchecked.length > 0) rest.unchecked = [...notes.unchecked]
  if (status !== undefined) rest.status = status
  if (gateway !== undefined) rest.gateway = gateway
  return rest as Rest
}

type ShownHead = Pick<JournalEntry, 'url' | 'host' | 'path' | 'query' | 'headers'>

// A head that many records share is looked into once.
const shown = new WeakMap<RecordedHead, ShownHead>()

function shownHead(head: RecordedHead, redactor: Redactor): ShownHead {
  const known = shown.get(head)
  if (known !== undefined) return known
  const { host, path, search, headers } = head
  const query = Object.entries(parseQuery(search)).map(([name, values]) => [
    name,
    [values].flat().map((value) => redactor.parameter(name, value)),
  ])
  const made: ShownHead = {
    url: redactor.url(search === '' ? path : `${path}?${search}`),
    host,
    path: redactor.url(path),
    query: Object.fromEntries(query) as JournalEntry['query'],
    headers: Object.entries(headers).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => {
        const redacted = redactor.header({ name, value })
        return [redacted.name, redacted.value]
      }),
    ),
  }
  shown.set(head, made)
  return made
}

interface HeadText extends Pick<EntrySource, 'method' | 'mode'> {
  readonly session: string
  readonly text: string
}

const texts = new WeakMap<RecordedHead, HeadText>()

function headText(record: EntrySource): string {
  const { method, mode, session, head } = record
  const known = texts.get(head)
  if (known?.method === method && known.mode === mode && known.session === session.key) return known.text
  const text = JSON.stringify(headOf(record)).slice(1, -1)
  texts.set(head, { method, mode, session: session.key, text })
  return text
}

function withoutSecrets(
  json: string | undefined,
  redactor: Redactor,
): { readonly json: string; readonly value: unknown } | undefined {
  if (json === undefined || json.length > MAX_JOURNAL_BODY) return undefined
  const result = redactor.body(json, 'application/json')
  if (!('text' in result)) return undefined
  try {
    return { json: result.text, value: JSON.parse(result.text) }
  } catch {
    // A policy of a user may answer with what is not JSON, though its type says so.
    return undefined
  }
}
