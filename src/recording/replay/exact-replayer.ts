import { RecordingUnusable } from '../../errors.ts'
import { CHECKED_BYTES, decode } from '../files/decode.ts'
import { type Alike, createExchangeIndex, type Entry, type ExchangeIndex, hashOf } from './exchange-index.ts'
import type { Exchange } from '../exchange.ts'
import { type BodyValue, formOf, readBodyValue } from '../match/body-value.ts'
import { bodyDifferences, headDifferences, headDistance } from '../match/differences.ts'
import { compileMatch, headOf, type RequestHead } from '../match/match.ts'
import { recordedAnswer } from './recorded-answer.ts'
import type { Redactor } from '../redaction/redactor.ts'
import type { ReplayOptions } from './replay-options.ts'
import type { NearRequest, ReplayCall, Replayer, ReplayMiss } from './replayer.ts'

const WHITESPACE_BYTES = 64 * 1024
const MAX_TRIES = 10

/**
 * Replays a recording to requests with the recorded method, host, path, query and body. The order of the query does
 * not count, JSON bodies and forms are compared by value, and secrets, which a recording does not hold, count as
 * equal. What else does not count, the options say.
 * @param redactor one with the key of the recording where headers are compared, which are pseudonyms there if secret
 * @throws RecordingUnusable when the directory holds no recording, or one that cannot be read
 */
export async function createExactReplayer(
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
    const body = alike && (await readBody(call, mostOf(alike)))
    if (body === undefined) return { key: '', entries: [] }
    const hash = hashOf(formOf(body))
    return { key: `${alike?.key} ${hash}`, entries: alike?.of(hash) ?? [] }
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
        const entry = entries[placeOf(turn, entries.length, options.after)]
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

// JSON may have white space that the recorded one had not.
function mostOf({ longest }: Alike): number {
  return Math.min(2 * longest + WHITESPACE_BYTES, CHECKED_BYTES)
}

function placeOf(turn: number, count: number, after: ReplayOptions['after'] = 'hold'): number {
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
  const candidates = [...distinct.values()]
    .map((entry) => ({
      entry,
      distance: headDistance(requested, entry.head) + (entry.body === hash ? 0 : 1),
    }))
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
