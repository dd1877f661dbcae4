import { hash } from 'node:crypto'
import type { Exchange } from '../exchange.ts'
import { CHECKED_BYTES } from '../files/decode.ts'
import { openBody } from '../files/recording-files.ts'
import { entryOf } from '../../grouping.ts'
import { type BodyValue, formOf, OMITTED, readBodyValue } from '../match/body-value.ts'
import { headOf, type MatchRules, type RequestHead } from '../match/match.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { type Followed, followExchanges, type Place } from './follow-exchanges.ts'

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
interface Alike {
  /** Names them. */
  readonly key: string
  /** Bytes of the longest body. */
  longest: number
  /** By the hash of their bodies, in the order they were recorded. */
  readonly byBody: Map<string, Entry[]>
}

/** Finds recorded exchanges, as quickly among many as among few. It holds no bodies. */
export interface ExchangeIndex extends Followed {
  /** Changes when the recording was replaced; entries are good for as long as it does not. */
  generation(): number
  alike(head: RequestHead, isUpgrade: boolean): Readonly<Alike> | undefined
  all(): readonly Entry[]
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

  const bodyOf = async ({ request: { postData } }: Exchange): Promise<BodyValue> => {
    if (postData === undefined || rules.ignoresBody) return { kind: 'none' }
    if (postData._omitted !== undefined) return { kind: 'omitted' }
    const body = await openBody(directory, postData, CHECKED_BYTES)
    return Buffer.isBuffer(body)
      ? readBodyValue(body, postData.mimeType, rules, redactor)
      : { kind: 'omitted' }
  }
  const put = (key: string, entry: Entry, size: number): void => {
    const alike = entryOf(byHead, key, () => ({ key, longest: 0, byBody: new Map<string, Entry[]>() }))
    alike.longest = Math.max(alike.longest, size)
    entryOf(alike.byBody, entry.body, () => []).push(entry)
  }
  const followed = await followExchanges(directory, {
    restart() {
      byHead = new Map()
      entries = []
      generation++
    },
    async add(exchange, place) {
      const { request, response } = exchange
      const { host, pathname, search } = new URL(request.url)
      const head = headOf({ ...request, host, url: `${pathname}${search}` }, redactor, rules)
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
    ...followed,
    bodyOf,
    generation: () => generation,
    alike: (head, isUpgrade) =>
      byHead.get(keyOf(rules.ignoresHost ? { ...head, host: undefined } : head, isUpgrade)),
    all: () => entries,
  }
}

/** The hash that an entry has of its body's form. */
export function hashOf(form: string): string {
  return hash('sha256', form, 'base64')
}

function keyOf({ method, host, path, query, headers }: RequestHead, isUpgrade: boolean): string {
  return hashOf(JSON.stringify([isUpgrade, method, host ?? '', path, query, headers]))
}

// After decoding, where that is known.
function sizeOf({ request: { postData, bodySize } }: Exchange): number {
  return Math.max(bodySize, Buffer.byteLength(postData?.text ?? ''))
}
