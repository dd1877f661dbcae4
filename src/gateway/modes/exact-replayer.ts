import { decode } from '../../recording/decode.ts'
import type { Exchange, Redacted } from '../../recording/exchange.ts'
import { openBody, readBody, readExchanges, recordingState } from '../../recording/files.ts'
import {
  bodyForm,
  headDifferences,
  headOf,
  OMITTED,
  recordedHead,
  type RequestHead,
} from '../../recording/match.ts'
import { RecordingUnusable } from '../../sim-error.ts'
import type { HeaderPair } from '../headers.ts'
import type { NearRequest, ReplayAnswer, ReplayCall, Replayer } from './replayer.ts'

interface Entry {
  readonly head: RequestHead
  readonly exchange: Redacted<Exchange>
  /** The form of the request's body; found when it is first compared. */
  form?: string
}

const MOST_NEAR = 3
const MOST_BYTES = 1024 * 1024
const WHITESPACE_BYTES = 64 * 1024

/**
 * Replays a recording to requests with the recorded method, host, path, query and body. The order of the query does
 * not count, JSON bodies are compared by value, and secrets, which a recording does not tell, count as equal.
 * @throws RecordingUnusable when the directory holds no recording, or one that cannot be read
 */
export async function createExactReplayer(directory: string): Promise<Replayer> {
  let state = await recordingState(directory)
  let index = await readIndex(directory)

  const formOf = async (entry: Entry): Promise<string> => {
    if (entry.form !== undefined) return entry.form
    const { postData } = entry.exchange.request
    const bytes = postData === undefined ? Buffer.alloc(0) : await readBody(directory, postData)
    return (entry.form = bytes === undefined ? OMITTED : bodyForm(bytes, postData?.mimeType ?? ''))
  }
  const look = async (call: ReplayCall, asked: RequestHead): Promise<Entry[]> => {
    const alike = (index.get(keyOf(asked)) ?? []).filter(({ head }) => isHost(asked, head))
    if (alike.length === 0) return []
    const sizes = alike.map(({ exchange }) => exchange.request.bodySize)
    const bytes = await call.body(2 * Math.max(...sizes) + WHITESPACE_BYTES)
    const decoded = bytes && (await decode(bytes, call.contentEncoding))
    const form = decoded && ('bytes' in decoded ? bodyForm(decoded.bytes, call.contentType) : OMITTED)
    const forms = await Promise.all(alike.map(formOf))
    return alike.filter((_entry, at) => forms[at] === form)
  }
  return {
    async find(call, turns) {
      const asked = headOf(call.method, call.host, call.url)
      let found = await look(call, asked)
      // A recorder may have added to it since.
      const now = found.length === 0 ? await recordingState(directory) : state
      if (now !== state) {
        state = now
        index = await readIndex(directory)
        found = await look(call, asked)
      }
      const [first] = found
      if (first === undefined) return { kind: 'miss', nearest: nearestOf(asked, index) }
      const turn = turns.next(`${keyOf(asked)} ${first.head.host} ${await formOf(first)}`)
      const { exchange } = found[Math.min(turn, found.length - 1)] ?? first
      return answerOf(directory, exchange)
    },
  }
}

type Index = Map<string, Entry[]>

async function readIndex(directory: string): Promise<Index> {
  const index: Index = new Map()
  for await (const exchange of readExchanges(directory)) {
    const entry = { head: recordedHead(exchange), exchange }
    const key = keyOf(entry.head)
    index.set(key, [...(index.get(key) ?? []), entry])
  }
  return index
}

function keyOf({ method, path, query }: RequestHead): string {
  return JSON.stringify([method, path, query])
}

function isHost(asked: RequestHead, { host }: RequestHead): boolean {
  return asked.host === undefined || asked.host === host
}

function nearestOf(asked: RequestHead, index: Index): NearRequest[] {
  const near = new Map<string, NearRequest>()
  for (const { head, exchange } of [...index.values()].flat()) {
    const differs = headDifferences(asked, head)
    const request = `${head.method} ${exchange.request.url}`
    near.set(request, { request, differs: differs.length === 0 ? ['the body'] : differs })
  }
  return [...near.values()]
    .toSorted((a, b) => a.differs.length - b.differs.length || distance(asked, a) - distance(asked, b))
    .slice(0, MOST_NEAR)
}

// Of two that differ in as much, the one whose path begins alike for longer is nearer.
function distance({ path }: RequestHead, { request }: NearRequest): number {
  const other = new URL(request.slice(request.indexOf(' ') + 1)).pathname
  const parts = other.split('/')
  const same = path.split('/').findIndex((part, at) => part !== parts[at])
  return same === -1 ? -Infinity : -same
}

async function answerOf(directory: string, { request, response }: Exchange): Promise<ReplayAnswer> {
  const { status, statusText, headers, content, _trailers: trailers = [] } = response
  const { _omitted: omitted } = content
  if (omitted !== undefined)
    throw new RecordingUnusable(
      `The answer to ${request.method} ${request.url} was recorded without its body, which is ${omitted}`,
    )
  return {
    kind: 'answer',
    status,
    statusText,
    headers: headers.map(toPair),
    body: await openBody(directory, content, MOST_BYTES),
    trailers: trailers.map(toPair),
  }
}

function toPair({ name, value }: { readonly name: string; readonly value: string }): HeaderPair {
  return [name, value]
}
