import { hash } from 'node:crypto'
import { CHECKED_BYTES } from '../files/decode.ts'
import type { Exchange } from '../exchange.ts'
import { followExchanges, type Place } from './follow-exchanges.ts'
import { openBody } from '../files/recording-files.ts'
import { type BodyValue, formOf, OMITTED, readBodyValue } from '../match/body-value.ts'
import { type MatchRules, recordedHead, type RequestHead } from '../match/match.ts'
import type { Redactor } from '../redaction/redactor.ts'

/** What is kept of a recorded exchange, so that it is found again. */
export interface Entry extends Place {
  readonly head: RequestHead
  /** Method and URL, without secrets. */
  readonly request: string
  /** A hash of what the request's body says. */
  readonly body: string
  /** Whether the connection went on in another protocol. */
  readonly isUpgrade: boolean
}

/** Recorded requests of one head. */
export interface Alike {
  /** Names them. */
  readonly key: string
  /** Bytes of the longest body. */
  readonly longest: number
  /** Those whose bodies have this hash, in the order they were recorded. */
  of(body: string): readonly Entry[]
}

/** Finds recorded exchanges, as quickly among many as among few. It holds no bodies. */
export interface ExchangeIndex {
  /** Reads what was added since the last time. */
  update(): Promise<void>
  /** Changes when the recording was replaced; entries are good for as long as it does not. */
  generation(): number
  alike(head: RequestHead, isUpgrade: boolean): Alike | undefined
  all(): readonly Entry[]
  read(entry: Entry): Promise<Exchange | undefined>
  /** What a recorded request's body says. */
  bodyOf(exchange: Exchange): Promise<BodyValue>
  close(): Promise<void>
}

interface Bucket extends Alike {
  longest: number
  readonly byBody: Map<string, Entry[]>
}

/** Indexes the recording in a directory. @throws RecordingUnusable when there is none, or a line is not an exchange */
export async function createExchangeIndex(
  directory: string,
  rules: MatchRules,
  redactor: Redactor,
): Promise<ExchangeIndex> {
  let buckets = new Map<string, Bucket>()
  let entries: Entry[] = []
  let generation = 0

  const bodyOf = async ({ request: { postData } }: Exchange): Promise<BodyValue> => {
    if (postData === undefined || rules.ignoresBody) return { kind: 'none' }
    if (postData._omitted !== undefined) return { kind: 'omitted' }
    const body = await openBody(directory, postData, CHECKED_BYTES)
    return Buffer.isBuffer(body)
      ? readBodyValue(body, postData.mimeType, rules, redactor)
      : { kind: 'omitted' }
  }
  const put = (key: string, entry: Entry, size: number): void => {
    const bucket = buckets.get(key) ?? createBucket(key)
    buckets.set(key, bucket)
    bucket.longest = Math.max(bucket.longest, size)
    const known = bucket.byBody.get(entry.body)
    if (known === undefined) bucket.byBody.set(entry.body, [entry])
    else known.push(entry)
  }
  const followed = await followExchanges(directory, {
    restart() {
      buckets = new Map()
      entries = []
      generation++
    },
    async add(exchange, place) {
      const { request, response } = exchange
      const head = recordedHead(exchange, redactor, rules)
      const form = formOf(await bodyOf(exchange))
      const isUpgrade = response.status === 101
      const named = `${request.method} ${request.url}`
      const entry: Entry = { ...place, head, request: named, body: hashOf(form), isUpgrade }
      const size = form === OMITTED ? CHECKED_BYTES : sizeOf(exchange)
      entries.push(entry)
      put(keyOf(head, isUpgrade), entry, size)
      if (head.host !== undefined) put(keyOf({ ...head, host: undefined }, isUpgrade), entry, size)
    },
  })
  return {
    bodyOf,
    update: () => followed.update(),
    generation: () => generation,
    alike: (head, isUpgrade) =>
      buckets.get(keyOf(rules.ignoresHost ? { ...head, host: undefined } : head, isUpgrade)),
    all: () => entries,
    read: (entry) => followed.read(entry),
    close: () => followed.close(),
  }
}

/** The hash that an entry has of its body's form. */
export function hashOf(form: string): string {
  return hash('sha256', form, 'base64')
}

function createBucket(key: string): Bucket {
  const byBody = new Map<string, Entry[]>()
  return { key, longest: 0, byBody, of: (body) => byBody.get(body) ?? [] }
}

function keyOf({ method, host, path, query, headers }: RequestHead, isUpgrade: boolean): string {
  return hashOf(JSON.stringify([isUpgrade, method, host ?? '', path, query, headers]))
}

// After decoding, where that is known.
function sizeOf({ request: { postData, bodySize } }: Exchange): number {
  return Math.max(bodySize, Buffer.byteLength(postData?.text ?? ''))
}
