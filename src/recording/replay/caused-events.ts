import { contentKindOf } from '../../media-type.ts'
import type { Exchange } from '../exchange.ts'
import { openBody } from '../files/read-body.ts'
import { drawnIn, type DrawnId } from './correlation.ts'
import type { Entry, ExchangeIndex } from './exchange-index.ts'
import type { Pace } from './recorded-answer.ts'

const MAX_BODY = 64 * 1024
/** More requests during a stream are hardly answered on it. */
const MAX_REQUESTS = 2000
/** Moments are known to the millisecond. */
const CLOCK_MS = 1

/**
 * Finds the requests that events of a recorded stream answer: those that were sent while it lasted, with an id that the
 * event has too, such as that of a call (the SSE transport of MCP) or of an operation (GraphQL over SSE).
 * @returns for each piece of the stream the last request that it answers, and how many milliseconds it came after that
 * or, if later, the piece before; `undefined` where it answers none
 */
export async function findCauses(
  directory: string,
  index: Pick<ExchangeIndex, 'all' | 'read'>,
  stream: Entry,
  { response }: Exchange,
  { body, chunks, speed }: { readonly body: Buffer; readonly chunks: Pace['chunks']; readonly speed: number },
): Promise<readonly (Cause | undefined)[] | undefined> {
  if (contentKindOf(response.content.mimeType) !== 'events') return undefined
  const momentOf = (timeMs: number): number => stream.startedAt + timeMs * speed
  const end = momentOf(chunks.at(-1)?.timeMs ?? 0)
  // Those that are safe write nothing.
  const requests = index
    .all()
    .filter(
      ({ write, startedAt }) =>
        write !== undefined && startedAt >= stream.startedAt && startedAt <= end + CLOCK_MS,
    )
  if (requests.length === 0 || requests.length > MAX_REQUESTS) return undefined
  const byId = await requestsById(directory, index, requests)
  let [from, before] = [0, stream.startedAt]
  return chunks.map(({ bytes, timeMs }, at) => {
    const isLast = at === chunks.length - 1
    const piece = body.subarray(from, isLast ? undefined : (from += bytes))
    const moment = momentOf(timeMs)
    const entry = lastOf(
      idsIn(piece.toString()).flatMap((id) => byId.get(id) ?? []),
      moment,
    )
    const after = Math.max(before, entry?.startedAt ?? 0)
    before = moment
    return entry && { entry, afterMs: Math.max(0, moment - after) / speed }
  })
}

interface Cause {
  readonly entry: Entry
  readonly afterMs: number
}

async function requestsById(
  directory: string,
  index: Pick<ExchangeIndex, 'read'>,
  requests: readonly Entry[],
): Promise<ReadonlyMap<DrawnId, readonly Entry[]>> {
  const byId = new Map<DrawnId, Entry[]>()
  for (const entry of requests) {
    const sent = (await index.read(entry))?.request.postData
    const body = sent?._omitted === undefined && sent ? await openBody(directory, sent, MAX_BODY) : undefined
    if (!Buffer.isBuffer(body)) continue
    for (const id of new Set(drawnIn(body.toString(), true).values()))
      byId.set(id, [...(byId.get(id) ?? []), entry])
  }
  return byId
}

function lastOf(entries: readonly Entry[], until: number): Entry | undefined {
  return entries
    .filter(({ startedAt }) => startedAt <= until + CLOCK_MS)
    .toSorted((one, other) => one.startedAt - other.startedAt)
    .at(-1)
}

// The data of events (WHATWG HTML, section 9.2.6), of which a piece has whole ones as a rule.
function idsIn(piece: string): readonly DrawnId[] {
  return piece.split(/\n\n|\r\r|\r\n\r\n/).flatMap((event) => {
    const data = [...event.matchAll(/^data:(.*)$/gm)].map(([, line = '']) => line).join('\n')
    return [...drawnIn(data, false).values()]
  })
}
