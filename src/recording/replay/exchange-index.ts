import { hash } from 'node:crypto'
import { type Exchange, headerValues } from '../exchange.ts'
import { CHECKED_BYTES } from '../files/decode.ts'
import { openBody } from '../files/read-body.ts'
import { entryOf } from '../../grouping.ts'
import { type BodyValue, formOf, OMITTED, readBodyValue } from '../match/body-value.ts'
import { type Conditions, conditionsOf, contentRangeOf, type Validators } from '../../http/conditions.ts'
import { headOf, type MatchRules, type RequestHead } from '../match/match.ts'
import { namingServer } from '../match/own-urls.ts'
import { type Negotiable, type Traits, traitsOf } from '../match/traits.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { createDrawnIndex, type DrawnIndex } from './drawn-index.ts'
import { type DrawnInBody, drawnInBody } from './drawn-tokens.ts'
import { type Followed, followExchanges, type Place } from './follow-exchanges.ts'
import { LongPolls, type Waiting } from './long-polls.ts'
import { hidesSecrets } from './sent-secrets.ts'
import { type LastWrites, lastWrites, noteWrite, resourceOf, type Write, writeOf } from './writes.ts'

/** What is kept of a recorded exchange, so that it is found again. */
export interface Entry extends Place, Negotiable, Waiting {
  readonly head: RequestHead
  /** Its place in the recording: how many were before it. */
  readonly at: number
  /** Names it by what it says: in this and all gateways that read the recording, and in no other recording. */
  readonly mark: string
  /** When its request came, in milliseconds since 1970. */
  readonly startedAt: number
  /** Method and URL, without secrets. */
  readonly request: string
  /** A hash of what the request's body says. */
  readonly body: string
  readonly drawnInBody: DrawnInBody
  /** Whether the connection went on in another protocol. */
  readonly isUpgrade: boolean
  readonly conditions: Conditions | undefined
  readonly status: number
  readonly validators: Validators
  /** Whether the answer is a range that is not all there is. */
  readonly isPart: boolean
  /** Whether its body was left out, as that of a range that cannot be checked for secrets. */
  readonly isOmitted: boolean
  /** A hash of what the answer says. */
  readonly answer: string
  readonly resource: string
  readonly write: Write | undefined
  /** The writes that came before it, on what concerns its resource. */
  readonly before: LastWrites
  /** How long its answer took. */
  readonly ms: number
}

/**
 * Recorded requests that are equal but for what `Chooser` distinguishes, in the order they were recorded; connections
 * that went on in another protocol in the order they began.
 */
export interface Group {
  /** Names them. */
  readonly key: string
  readonly entries: readonly Entry[]
}

/** Recorded requests of one head. */
interface Alike {
  /** Names them. */
  readonly key: string
  /** Bytes of the longest body. */
  longest: number
  /** By the hash of their bodies. */
  readonly byBody: Map<string, Group & { readonly entries: Entry[] }>
}

/** Finds recorded exchanges, as quickly among many as among few. It holds no bodies. */
export interface ExchangeIndex extends Followed {
  /** Changes here when the recording was replaced; entries are good for as long as it does not. */
  generation(): number
  alike(head: RequestHead, isUpgrade: boolean): Readonly<Alike> | undefined
  readonly drawn: DrawnIndex<Entry>
  all(): readonly Entry[]
  /** Whether an answer has pseudonyms in place of secrets, cookies aside. */
  hidesSecrets(): boolean
  /** Whether requests of this method and path were long polls: far longer than the writes that they waited for. */
  isPolled(entry: Entry): boolean
  /** The entry of a mark; `undefined` where it is of what was recorded before, or in another recording. */
  marked(mark: string | undefined): Entry | undefined
  /** The origin of a recorded server, by its host; without one, of the only server, if there is one only. */
  originOf(host: string | undefined): string | undefined
  /** What a recorded request's body says. */
  bodyOf(exchange: Exchange): Promise<BodyValue>
}

/** Indexes the recording in a directory. @throws RecordingUnusable when there is none, or a line is not an exchange */
export async function createExchangeIndex(
  directory: string,
  rules: MatchRules,
  redactor: Redactor,
): Promise<ExchangeIndex> {
  let byHead = new Map<string, Alike>()
  let entries: Entry[] = []
  let generation = 0
  let writes = new Map<string, number>()
  // Most requests of a client have the same headers.
  let known = new Map<string, Traits>()
  let origins = new Map<string, string>()
  let marks = new Map<string, Entry>()
  let polls = new LongPolls()
  let hasHidden = false

  const bodyOf = async ({ request }: Exchange): Promise<BodyValue> => {
    const { postData, headers, url } = request
    if (postData === undefined || rules.ignoresBody) return { kind: 'none' }
    if (postData._omitted !== undefined) return { kind: 'omitted' }
    const body = await openBody(directory, postData, CHECKED_BYTES)
    if (!Buffer.isBuffer(body)) return { kind: 'omitted' }
    const named = namingServer(body, headerValues(headers, 'host')[0], new URL(url).origin)
    return readBodyValue(named, postData.mimeType, rules, redactor)
  }
  const put = (key: string, entry: Entry, size: number): void => {
    const alike = entryOf(byHead, key, () => ({ key, longest: 0, byBody: new Map() }))
    alike.longest = Math.max(alike.longest, size)
    const { entries: own } = entryOf(alike.byBody, entry.body, () => ({
      key: `${key} ${entry.body}`,
      entries: [] as Entry[],
    }))
    const isEarlier = ({ startedAt }: Entry): boolean => !(startedAt > entry.startedAt)
    own.splice(entry.isUpgrade ? own.findLastIndex(isEarlier) + 1 : own.length, 0, entry)
  }
  const followed = await followExchanges(directory, {
    restart() {
      byHead = new Map()
      entries = []
      writes = new Map()
      known = new Map()
      origins = new Map()
      marks = new Map()
      polls = new LongPolls()
      hasHidden = false
      generation++
    },
    async add(exchange, place) {
      const { request, response } = exchange
      const { host, pathname, search, origin } = new URL(request.url)
      origins.set(host, origin)
      const head = headOf({ ...request, host, url: `${pathname}${search}` }, redactor, rules)
      const body = await bodyOf(exchange)
      const form = formOf(body)
      const resource = resourceOf(head.host, head.path)
      const named = namedBy(exchange, (url) => headOf({ ...request, host, url }, redactor, rules).path)
      const write = writeOf(
        request.method,
        response.status,
        resource,
        named === undefined ? undefined : resourceOf(head.host, named),
      )
      const vary = headerValues(response.headers, 'vary').flatMap(namesIn)
      const hidden = [request.url, request.postData?.text ?? '']
      const traits = traitsOf(request.headers, redactor, hidden, vary)
      const startedAt = Date.parse(exchange.startedDateTime)
      // A connection lasts while there are writes, and is recorded when it ends.
      const before = response.status === 101 ? NO_WRITES : lastWrites(writes, resource)
      const bodyHash = hashOf(form)
      const answered = answerOf(exchange)
      const said = [
        exchange.startedDateTime,
        exchange.time,
        request.method,
        request.url,
        bodyHash,
        answered.answer,
      ]
      hasHidden ||= hidesSecrets(response)
      const entry: Entry = {
        ...place,
        head,
        at: entries.length,
        mark: freeMark(hashOf(JSON.stringify(said)).slice(0, MARK_LENGTH), marks),
        startedAt,
        request: `${request.method} ${request.url}`,
        body: bodyHash,
        drawnInBody: drawnInBody(body.kind, form),
        isUpgrade: response.status === 101,
        conditions: conditionsOf(request.headers.map((header) => redactor.header(header))),
        ...answered,
        vary,
        traits: entryOf(known, JSON.stringify([...traits]), () => traits),
        resource,
        write,
        before,
        ...polls.note({ head, startedAt, ms: exchange.time }, resource, before, entries, writes),
        ms: exchange.time,
      }
      if (write !== undefined) {
        noteWrite(writes, write, entry.at)
        polls.noteWrite(entry, entries)
      }
      const size = form === OMITTED ? CHECKED_BYTES : sizeOf(exchange)
      entries.push(entry)
      marks.set(entry.mark, entry)
      put(keyOf(head, entry.isUpgrade), entry, size)
      if (head.host !== undefined) put(keyOf({ ...head, host: undefined }, entry.isUpgrade), entry, size)
    },
  })
  return {
    ...followed,
    bodyOf,
    generation: () => generation,
    alike: (head, isUpgrade) =>
      byHead.get(keyOf(rules.ignoresHost ? { ...head, host: undefined } : head, isUpgrade)),
    drawn: createDrawnIndex(() => entries),
    all: () => entries,
    hidesSecrets: () => hasHidden,
    isPolled: ({ head }) => polls.has(head),
    marked: (mark) => (mark === undefined ? undefined : marks.get(mark)),
    originOf(host) {
      if (host !== undefined) return origins.get(host)
      return origins.size === 1 ? [...origins.values()][0] : undefined
    },
  }
}

const NO_WRITES = lastWrites(new Map(), '')

/** Letters of a hash: 96 bits. */
const MARK_LENGTH = 16

// A recording may have an exchange twice.
function freeMark(mark: string, taken: ReadonlyMap<string, unknown>): string {
  let [free, times] = [mark, 1]
  while (taken.has(free)) free = `${mark}~${++times}`
  return free
}

/** The hash that an entry has of its body's form. */
export function hashOf(form: string): string {
  return hash('sha256', form, 'base64')
}

function keyOf({ method, host, path, query, headers }: RequestHead, isUpgrade: boolean): string {
  return hashOf(JSON.stringify([isUpgrade, method, host ?? '', path, query, headers]))
}

type AnswerParts = Pick<
  Entry,
  'status' | 'validators' | 'isPart' | 'isOmitted' | 'answer' | 'mediaType' | 'language'
>

function answerOf({ response: { status, headers, content } }: Exchange): AnswerParts {
  const etag = headerValues(headers, 'etag')[0]
  const lastModified = headerValues(headers, 'last-modified')[0]
  const range = status === 206 ? contentRangeOf(headerValues(headers, 'content-range')[0]) : undefined
  const isAll = range !== undefined && range.first === 0 && range.last === range.length - 1
  const said = [
    status,
    content.mimeType,
    etag,
    headerValues(headers, 'location')[0],
    content._sha256 ?? content.text,
  ]
  return {
    status,
    validators: { etag, lastModified },
    isPart: status === 206 && !isAll,
    isOmitted: content._omitted !== undefined,
    answer: hashOf(JSON.stringify(said)),
    mediaType: content.mimeType,
    language: headerValues(headers, 'content-language')[0] ?? '',
  }
}

// A resource that was made, or that an answer is about (RFC 9110, sections 10.2.2 and 8.7).
function namedBy(
  { request, response: { headers } }: Exchange,
  pathOf: (url: string) => string,
): string | undefined {
  const named = headerValues(headers, 'location')[0] ?? headerValues(headers, 'content-location')[0]
  if (named === undefined || !URL.canParse(named, request.url)) return undefined
  const { pathname, search } = new URL(named, request.url)
  return pathOf(`${pathname}${search}`)
}

function namesIn(list: string): string[] {
  return list.split(',').map((each) => each.trim().toLowerCase())
}

// After decoding, where that is known.
function sizeOf({ request: { postData, bodySize } }: Exchange): number {
  return Math.max(bodySize, Buffer.byteLength(postData?.text ?? ''))
}
