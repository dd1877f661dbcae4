import { LRUCache } from 'lru-cache'
import { codingsOf } from '../../http/headers.ts'
import type { Replays } from '../../state/replays.ts'
import type { Exchange, NameValue } from '../exchange.ts'
import { openBody } from '../files/read-body.ts'
import { type CarriedValues, createCarriedValues, type WholeExchange } from '../send/carried-values.ts'
import type { Entry, ExchangeIndex, Group } from './exchange-index.ts'
import type { ReplayAnswer } from './recorded-answer.ts'

/** What of a request may name values that its client was given. */
export interface NamingRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: readonly NameValue[]
  /** Without its content coding; absent where it has none, or one that is not known. */
  readonly body: Buffer | undefined
}

/** A request with the values that another client was given while it was recorded, which stand for its own. */
export interface OtherRequest extends NamingRequest {
  /** The recorded answer with the values of this client. */
  answer(recorded: ReplayAnswer): ReplayAnswer
  /** Ends that they do, for a request that it is not. */
  release(): void
}

/** Finds requests that were recorded with other values than their client was given now. */
export interface GivenValues {
  /** Notes that a session was given one of the answers of a group. */
  note(entry: Entry, group: Group | undefined, session: Replays): void
  /** The request with the values that stand for those it names; `undefined` where none do. */
  known(sent: NamingRequest, session: Replays): Promise<OtherRequest | undefined>
  /** What the request may have been recorded as, by the values that were given most recently first. */
  possible(sent: NamingRequest, session: Replays): AsyncGenerator<OtherRequest>
}

interface Read extends WholeExchange {
  /** The values that its answer gives. */
  readonly gives: ReadonlySet<string>
}

/** A recorded answer that a session was given, and the one whose values stand for its own, once that is known. */
interface Given {
  readonly own: Entry
  readonly other: Entry | undefined
}

const MAX_GIVEN = 200
const MAX_READ = 1000
/** Of answers to the same request, those that were recorded nearest are looked at. */
const MAX_NEARBY = 200
const MAX_BODY = 64 * 1024

/**
 * Requests that say the same, such as those that begin an upload, are answered in turn. So a client may be given the id
 * that another client had while it was recorded, and what it sends with that id was recorded with another one. Here the
 * values that it was given are exchanged for those of the other answers to the request that gave them. The first answer
 * for which there is a recorded request is kept: its values stand for those of the client, in both directions.
 */
export function createGivenValues(directory: string, index: ExchangeIndex): GivenValues {
  const reader = createCarriedValues()
  const recent = new LRUCache<Entry, Read>({ max: MAX_READ })

  const read = async (entry: Entry): Promise<Read | undefined> => {
    const before = recent.get(entry)
    if (before !== undefined) return before
    const exchange = await index.read(entry)
    if (exchange === undefined) return undefined
    const { content } = exchange.response
    const body = content._omitted === undefined ? await openBody(directory, content, MAX_BODY) : undefined
    const whole = { exchange, responseBody: Buffer.isBuffer(body) ? body : undefined }
    const { gives } = reader.ties(whole)
    recent.set(entry, { ...whole, gives })
    return { ...whole, gives }
  }
  const groupOf = ({ head, isUpgrade, body }: Entry): readonly Entry[] =>
    index.alike(head, isUpgrade)?.byBody.get(body)?.entries ?? []
  const givenTo = (session: Replays): readonly Given[] => {
    const given = [...session.given.entries()].flatMap(([, mark]): Given[] => {
      const own = index.marked(mark)
      return own === undefined ? [] : [{ own, other: index.marked(session.exchanged.peek(mark)) }]
    })
    return given.slice(-MAX_GIVEN).toReversed()
  }
  // A value counts that the other answers of its group do not give, too.
  const isNamed = async (own: Entry, uses: ReadonlySet<string>): Promise<boolean> => {
    const other = groupOf(own).find((each) => each !== own)
    const [gives, others] = [(await read(own))?.gives, other && (await read(other))?.gives]
    return [...(gives ?? [])].some((key) => uses.has(key) && others?.has(key) !== true)
  }
  /** The request with the values of one recorded answer in place of those of another; `undefined` where it has none. */
  const exchanged = async (request: Naming, from: Entry, to: Entry): Promise<Naming | undefined> => {
    const [own, other] = [await read(from), await read(to)]
    if (own === undefined || other === undefined) return undefined
    const { url, headers, body } = changing(own, other).request(asExchange(request))
    const isSame =
      url === request.url &&
      body === request.body &&
      headers.every(({ value }, at) => value === request.headers[at]?.value)
    const { method, back } = request
    return isSame ? undefined : { method, url, headers, body, back: [changing(other, own), ...back] }
  }
  const asKnown = async (sent: NamingRequest, session: Replays): Promise<Naming> => {
    const { uses } = reader.ties(asExchange(sent))
    let request: Naming = { ...sent, back: [] }
    for (const { own, other } of givenTo(session))
      if (other !== undefined && (await isNamed(own, uses)))
        request = (await exchanged(request, own, other)) ?? request
    return request
  }
  return {
    note(entry, group, session) {
      if (entry.write === undefined || group === undefined || group.entries.length === 1) return
      session.given.add(entry.mark, entry.mark)
    },
    async known(sent, session) {
      const request = await asKnown(sent, session)
      return request.back.length === 0 ? undefined : otherRequest(request, () => undefined)
    },
    async *possible(sent, session) {
      const request = await asKnown(sent, session)
      const { uses } = reader.ties(asExchange(sent))
      const given = givenTo(session)
      const taken = new Set(given.map(({ other }) => other))
      for (const { own, other: known } of given) {
        if (known !== undefined || !(await isNamed(own, uses))) continue
        for (const other of nearby(groupOf(own), own)) {
          if (taken.has(other)) continue
          const next = await exchanged(request, own, other)
          if (next === undefined) continue
          // Another request of the session may have come meanwhile.
          const now = session.exchanged.peek(own.mark)
          if (now === other.mark) yield otherRequest(next, () => undefined)
          if (now !== undefined || isExchanged(other, session)) continue
          session.exchanged.add(own.mark, other.mark)
          yield otherRequest(next, () => void session.exchanged.delete(own.mark))
        }
      }
    },
  }
}

/** A request, and what puts the values of its client into an answer. */
interface Naming extends NamingRequest {
  readonly back: readonly CarriedValues[]
}

/** The other entries of a group, those recorded nearest to one first. */
function nearby(entries: readonly Entry[], own: Entry): readonly Entry[] {
  const at = entries.indexOf(own)
  const near = entries.slice(Math.max(0, at - MAX_NEARBY / 2), at + MAX_NEARBY / 2)
  return near
    .filter((each) => each !== own)
    .toSorted((a, b) => Math.abs(a.at - own.at) - Math.abs(b.at - own.at))
}

function isExchanged({ mark }: Entry, { exchanged }: Replays): boolean {
  return [...exchanged.entries()].some(([, other]) => other === mark)
}

function changing(from: WholeExchange, to: WholeExchange): CarriedValues {
  const values = createCarriedValues()
  values.answer(from, { headers: to.exchange.response.headers, body: to.responseBody })
  return values
}

function otherRequest({ back, ...request }: Naming, release: () => void): OtherRequest {
  const answer = (recorded: ReplayAnswer): ReplayAnswer =>
    back.reduce((changed, values) => withValues(changed, request, values), recorded)
  return { ...request, answer, release }
}

// An answer has its values in the same places as a request.
function withValues(answer: ReplayAnswer, request: NamingRequest, values: CarriedValues): ReplayAnswer {
  const isPlain = codingsOf(answer.headers).length === 0
  const bytes = isPlain && Buffer.isBuffer(answer.body) ? answer.body : undefined
  const headers = answer.headers.map(([name, value]) => ({ name, value }))
  const changed = values.request(asExchange({ ...request, headers, body: bytes }))
  return {
    ...answer,
    headers: changed.headers.map(({ name, value }) => [name, value] as const),
    body: changed.body ?? answer.body,
  }
}

function asExchange({ method, url, headers, body }: NamingRequest): WholeExchange {
  const exchange = { request: { method, url, headers }, response: { headers: [] } } as unknown as Exchange
  return { exchange, requestBody: body }
}
