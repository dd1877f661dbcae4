import { RecordingUnusable } from '../../errors.ts'
import type { HeaderPair } from '../../http/headers.ts'
import type { Counters } from '../../state/counters.ts'
import type { Exchange } from '../exchange.ts'
import { CHECKED_BYTES, decode } from '../files/decode.ts'
import { type BodyValue, formOf, readBodyValue } from '../match/body-value.ts'
import { bodyDifferences, headDifferences, headDistance } from '../match/differences.ts'
import { compileMatch, headOf, type RequestHead } from '../match/match.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { createExchangeIndex, type Entry, type ExchangeIndex, hashOf } from './exchange-index.ts'
import { recordedAnswer, type ReplayAnswer } from './recorded-answer.ts'
import type { ReplayOptions } from './replay-options.ts'

/** A request to look up in a recording. */
export interface ReplayCall {
  /** Upper case. */
  readonly method: string
  /** Host and port that the request goes to; absent where it is not known, and then any recorded host will do. */
  readonly host: string | undefined
  /** Path and query as they go to the upstream. */
  readonly url: string
  /** As they go to the upstream. */
  readonly headers: readonly HeaderPair[]
  /** Whether the client wants to go on in another protocol, such as WebSocket. */
  readonly isUpgrade: boolean
  /** The `Content-Type`, empty when there is none. */
  readonly contentType: string
  /** The `Content-Encoding`, empty when there is none. */
  readonly contentEncoding: string
  /**
   * Reads the body, if there is one: only when a recorded request could be distinguished by it, or to explain a miss.
   * @param most bytes that are of interest: a longer body is `undefined`, and stays readable
   */
  body(most: number): Promise<Buffer | undefined>
}

/** Nothing fits. */
export interface ReplayMiss {
  readonly kind: 'miss'
  /** Looks for the recorded requests that are most like it, best first. */
  nearest(): Promise<readonly NearRequest[]>
}

/** A recorded request, and how it differs from the one requested. */
export interface NearRequest {
  /** Method and URL, without secrets. */
  readonly request: string
  /** What was recorded and what was requested, such as `query page: 2 instead of 1` or `body /id: 7 instead of 8`. */
  readonly differs: readonly string[]
}

/** Finds recorded answers. */
export interface Replayer {
  /**
   * The answer to a request. Equal requests get the recorded answers in turn.
   * @param turns counts how often each request came before, by a key of the replayer's choice
   */
  find(call: ReplayCall, turns: Counters): Promise<ReplayAnswer | ReplayMiss>
  close(): Promise<void>
}

const WHITESPACE_BYTES = 64 * 1024
const MAX_TRIES = 10

/**
 * Replays a recording to requests with the recorded method, host, path, query and body. The order of the query does
 * not count, JSON bodies and forms are compared by value, and secrets, which a recording does not hold, count as
 * equal. What else does not count, the options say.
 * @param redactor one with the key of the recording where headers are compared, which are pseudonyms there if secret
 * @throws RecordingUnusable when the directory holds no recording, or one that cannot be read
 */
export async function createReplayer(
  directory: string,
  redactor: Redactor,
  options: ReplayOptions = {},
): Promise<Replayer> {
  const rules = compileMatch(options)
  const index = await createExchangeIndex(directory, rules, redactor)

  const readBody = async (call: ReplayCall, most: number): Promise<BodyValue | undefined> => {
    if (rules.ignoresBody) return { kind: 'none' }
    const bytes = await call.body(most)
    if (bytes === undefined) return most < CHECKED_BYTES ? undefined : { kind: 'omitted' }
    if (bytes.length === 0 && call.contentEncoding === '') return { kind: 'none' }
    const decoded = await decode(bytes, call.contentEncoding)
    if (!('bytes' in decoded)) return { kind: 'omitted' }
    // Its secrets are hidden as those of the recording were.
    return readBodyValue(decoded.bytes, call.contentType, rules, redactor.at(call.url))
  }
  const look = async (call: ReplayCall, requested: RequestHead): Promise<Found> => {
    const upgraded = call.isUpgrade ? index.alike(requested, true) : undefined
    const alike = upgraded ?? index.alike(requested, false)
    // JSON may have white space that the recorded one had not.
    const most = Math.min(2 * (alike?.longest ?? 0) + WHITESPACE_BYTES, CHECKED_BYTES)
    const body = alike && (await readBody(call, most))
    if (body === undefined) return { key: '', entries: [] }
    const hash = hashOf(formOf(body))
    return { key: `${alike?.key} ${hash}`, entries: alike?.byBody.get(hash) ?? [] }
  }
  const miss = (call: ReplayCall, requested: RequestHead): ReplayMiss => ({
    kind: 'miss',
    async nearest() {
      const body = (await readBody(call, CHECKED_BYTES)) ?? { kind: 'omitted' }
      return findNearest(requested, call.isUpgrade, body, index)
    },
  })
  return {
    async find(call, turns) {
      const headers = call.headers.map(([name, value]) => ({ name, value }))
      const requested = headOf({ ...call, headers }, redactor, rules)
      let turn: number | undefined
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        await index.update()
        const generation = index.generation()
        const { key, entries } = await look(call, requested)
        const [first] = entries
        if (first === undefined) return miss(call, requested)
        turn ??= turns.next(key)
        const entry = entries[turnAt(turn, entries.length, options.after)]
        if (entry === undefined) return exhausted(first, entries.length)
        // While the body was read, the recording may have been replaced.
        if (generation !== index.generation()) continue
        const exchange: Exchange | undefined = await index.read(entry)
        if (exchange !== undefined) return recordedAnswer(directory, exchange, options)
      }
      throw new RecordingUnusable(`The recording ${directory} changes faster than it can be read`)
    },
    close: () => index.close(),
  }
}

interface Found {
  /** Names the request, to count how often it came. */
  readonly key: string
  readonly entries: readonly Entry[]
}

// Which of so many answers is that of a turn; one that there is not, where there are no more.
function turnAt(turn: number, count: number, after: ReplayOptions['after'] = 'hold'): number {
  if (after === 'loop') return turn % count
  return after === 'hold' ? Math.min(turn, count - 1) : turn
}

function exhausted({ request }: Entry, count: number): ReplayMiss {
  const differs = [`nothing: all ${count} of its recorded answers were given`]
  return { kind: 'miss', nearest: async () => [{ request, differs }] }
}

const MAX_NEAR = 3
const MAX_READ = 50

/** The recorded requests that are most like one that is not recorded, and what differs, bodies included. */
async function findNearest(
  requested: RequestHead,
  isUpgrade: boolean,
  body: BodyValue,
  index: ExchangeIndex,
): Promise<readonly NearRequest[]> {
  const hash = hashOf(formOf(body))
  const distinct = new Map<string, Entry>()
  for (const entry of index.all()) distinct.set(`${entry.request} ${entry.body}`, entry)
  const distanceOf = (entry: Entry): number =>
    headDistance(requested, entry.head) + (entry.body === hash ? 0 : 1)
  const candidates = [...distinct.values()]
    .map((entry) => ({ entry, distance: distanceOf(entry) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_READ)
  const compared: { readonly near: NearRequest; readonly distance: number; readonly inBody: number }[] = []
  // One after the other, since bodies may be long.
  for (const { entry, distance } of candidates) {
    const exchange = entry.body === hash ? undefined : await index.read(entry)
    const inBody = exchange === undefined ? [] : bodyDifferences(body, await index.bodyOf(exchange))
    const protocol = entry.isUpgrade && !isUpgrade ? ['a WebSocket instead of a plain request'] : []
    const differs = [...protocol, ...headDifferences(requested, entry.head), ...inBody]
    compared.push({ near: { request: entry.request, differs }, distance, inBody: inBody.length })
  }
  return compared
    .toSorted((a, b) => a.distance - b.distance || a.inBody - b.inBody)
    .slice(0, MAX_NEAR)
    .map(({ near }) => near)
}
