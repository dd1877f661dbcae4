import { hashText } from '../../engine/random.ts'
import type { HeaderPair } from '../../http/headers.ts'
import type { Replays } from '../../state/replays.ts'
import { isSafe } from '../../message.ts'
import { openBody } from '../files/read-body.ts'
import { aroundDrawn, type Drawn, replaceDrawn } from './drawn-tokens.ts'
import { withTexts } from './echoed-values.ts'
import type { Entry, ExchangeIndex } from './exchange-index.ts'
import type { NamingRequest } from './given-values.ts'
import type { ReplayAnswer } from './recorded-answer.ts'

/** A recorded request that is equal but for what clients drew: what its client drew stands for what the session drew. */
export interface PossibleRequest {
  readonly entry: Entry
  /** Ends that, for a request that it is not. */
  release(): void
}

/** Finds requests for which a client drew other values than were drawn while they were recorded. */
export interface DrawnValues {
  /** The request with what stands for the values that its session drew before; one that was recorded is its own again. */
  known(sent: NamingRequest, session: Replays): NamingRequest
  /** What the request may have been recorded as, if there is a value that is new to the recording. */
  possible(drawn: Drawn, session: Replays): AsyncGenerator<PossibleRequest>
  /** A recorded answer with the values of the session. */
  answer(recorded: ReplayAnswer, session: Replays): ReplayAnswer
  /** A piece of a recorded stream with the values that its session drew until then. */
  piece(recorded: Buffer, session: Replays): Buffer
}

/** What was drawn, and for which recorded request. */
interface Stand {
  readonly entry: Entry
  readonly at: number
}

const MAX_BODY = 1024 * 1024
const REFUSED = new Set([400, 409, 412, 422])
/** So many equal answers to requests with other values say that the answer is always the same. */
const EQUAL_ANSWERS = 3

/**
 * Clients and test suites draw ids and names for what they make, other ones in each run. A request with a value that the
 * recording does not have is taken for the recorded one that is equal but for such values, where the recorded value was
 * new with that request and was stored by it, was refused, or led to nothing, or where the answer says nothing that
 * could hang on it. From then on the one stands for the other in what the session sends, and in what it is answered.
 */
export function createDrawnValues(directory: string, index: ExchangeIndex): DrawnValues {
  const learned = createLearned(directory, index)
  const tokensOf = (entry: Entry): readonly string[] => index.drawn.drawnOf(entry)?.tokens ?? []
  const areAlike = (one: Entry, other: Entry): boolean =>
    index.drawn.drawnOf(one)?.around === index.drawn.drawnOf(other)?.around
  const ownKey = (token: string): string => `> ${token}`
  // What another recording has of the same letters is another one.
  const recordedKey = (token: string): string => `${index.drawn.firstWith(token)?.mark ?? ''} < ${token}`
  const ownFor =
    ({ drawn }: Replays) =>
    (token: string): string | undefined =>
      drawn.peek(recordedKey(token))
  const standOf = (token: string, session: Replays): Stand | undefined => {
    const [mark, at] = session.drawn.peek(ownKey(token))?.split(' ') ?? []
    const entry = index.marked(mark)
    return entry && { entry, at: Number(at) }
  }
  const recordedFor = (token: string, session: Replays): string | undefined => {
    const stand = standOf(token, session)
    return stand && tokensOf(stand.entry)[stand.at]
  }
  const keep = (stands: ReadonlyMap<string, Stand>, { drawn }: Replays): (() => void) => {
    const added = [...stands].flatMap(([token, { entry, at }]) => [
      [ownKey(token), `${entry.mark} ${at}`] as const,
      [recordedKey(tokensOf(entry)[at] ?? ''), token] as const,
    ])
    const before = added.map(([key]) => [key, drawn.peek(key)] as const)
    for (const [key, value] of added) drawn.add(key, value)
    return () => {
      for (const [key, value] of before)
        if (value === undefined) drawn.delete(key)
        else drawn.add(key, value)
    }
  }
  // Those that stand for nothing yet, and then those that have done so for longest.
  const inTurn = function* (entries: readonly Entry[], session: Replays): Generator<Entry> {
    const isTaken = (entry: Entry): boolean =>
      tokensOf(entry).some((token) => session.drawn.peek(recordedKey(token)) !== undefined)
    for (const entry of entries) if (!isTaken(entry)) yield entry
    const byToken = new Map(
      entries.flatMap((entry) => tokensOf(entry).map((token) => [recordedKey(token), entry])),
    )
    const again = new Set<Entry>()
    for (const [key] of session.drawn.entries()) {
      const entry = byToken.get(key)
      if (entry !== undefined) again.add(entry)
    }
    // Requests that are drawn each time are polls, which go on with the last one.
    const isFresh = (index.drawn.drawnOf(entries[0] as Entry)?.named.length ?? 0) > 0
    yield* isFresh ? [...again].toReversed() : again
  }
  /** What stands for what, if a request is taken for a recorded one; `undefined` where it cannot be. */
  const standsAs = (drawn: Drawn, entry: Entry, session: Replays): ReadonlyMap<string, Stand> | undefined => {
    const stands = new Map<string, Stand>()
    for (const [at, token] of drawn.tokens.entries()) {
      const recorded = tokensOf(entry)[at] ?? ''
      if (token === recorded) continue
      const first = index.drawn.firstWith(recorded)
      if (first === undefined || learned.isKnown(token) || !learned.isDrawn(recorded)) return undefined
      const before = standOf(token, session)
      const place = tokensOf(first).indexOf(recorded)
      if (before === undefined && first !== entry) return undefined
      if (before !== undefined && (before.at !== place || !areAlike(before.entry, first))) return undefined
      stands.set(token, { entry: first, at: place })
    }
    return stands.size === 0 ? undefined : stands
  }
  return {
    known: (sent, session) =>
      replaced(sent, (token) => {
        if ((session.drawn.peek(recordedKey(token)) ?? token) !== token)
          session.drawn.add(recordedKey(token), token)
        return recordedFor(token, session)
      }),
    async *possible(drawn, session) {
      const entries = index.drawn.around(drawn)
      if (entries.length === 0) return
      await learned.update()
      for (const entry of inTurn(entries, session)) {
        const stands = standsAs(drawn, entry, session)
        // At once, since other requests of the session may come while this one is looked up.
        if (stands !== undefined) yield { entry, release: keep(stands, session) }
      }
    },
    piece(recorded, session) {
      if (session.drawn.size() === 0) return recorded
      return Buffer.from(replaceDrawn(recorded.toString('latin1'), ownFor(session)), 'latin1')
    },
    answer(recorded, session) {
      const own = ownFor(session)
      const headers = recorded.headers.map(([name, value]): HeaderPair => [name, replaceDrawn(value, own)])
      return withTexts({ ...recorded, headers }, (text, note) => replaceDrawn(text, own, note))
    },
  }
}

function replaced(
  { method, url, headers, body }: NamingRequest,
  by: (token: string) => string | undefined,
): NamingRequest {
  const text = body?.toString('latin1')
  const changed = text === undefined ? undefined : replaceDrawn(text, by)
  return {
    method,
    url: replaceDrawn(url, by),
    headers: headers.map(({ name, value }) => ({ name, value: replaceDrawn(value, by) })),
    body: changed === undefined || changed === text ? body : Buffer.from(changed, 'latin1'),
  }
}

/** What the answers of a recording say of the values that were drawn. */
interface Learned {
  /** Reads what was recorded since. */
  update(): Promise<void>
  /** Whether a client drew it for a request, which stored it, was refused, or led to nothing. */
  isDrawn(token: string): boolean
  /** Whether it is in the recording. */
  isKnown(token: string): boolean
}

function createLearned(directory: string, index: ExchangeIndex): Learned {
  // Of answers the hashes are kept, since there are more values in them than anybody asks for.
  let answered = new Set<number>()
  let [given, stored] = [new Set<string>(), new Set<string>()]
  let silent = new WeakSet<Entry>()
  let [generation, count] = [-1, 0]
  let updating: Promise<void> | undefined

  const read = async (entry: Entry): Promise<void> => {
    const drawn = index.drawn.drawnOf(entry)
    for (const token of drawn?.tokens ?? [])
      if (index.drawn.firstWith(token) === entry && answered.has(hashText(token))) given.add(token)
    const exchange = await index.read(entry)
    if (exchange === undefined) return
    const { headers, content } = exchange.response
    const body = content._omitted === undefined ? await openBody(directory, content, MAX_BODY) : undefined
    const texts = headers.map(({ value }) => value)
    if (Buffer.isBuffer(body)) texts.push(body.toString('latin1'))
    if (content.size === 0 && exchange.response.redirectURL === '') silent.add(entry)
    for (const token of aroundDrawn(texts.join('\n')).tokens) {
      answered.add(hashText(token))
      const first = index.drawn.firstWith(token)
      const isSaidAgain = drawn?.tokens.includes(token) === true
      if (first !== undefined && first !== entry && first.startedAt <= entry.startedAt && !isSaidAgain)
        stored.add(token)
    }
  }
  const readOn = async (): Promise<void> => {
    if (generation !== index.generation()) {
      answered = new Set()
      ;[given, stored, silent] = [new Set(), new Set(), new WeakSet()]
      ;[generation, count] = [index.generation(), 0]
    }
    for (; count < index.all().length && generation === index.generation(); count++)
      await read(index.all()[count] as Entry)
  }
  // As that of a server that collects events of what its clients do.
  const isAlwaysAnsweredSo = (entry: Entry): boolean => {
    if (silent.has(entry)) return true
    const drawn = index.drawn.drawnOf(entry)
    const alike = drawn === undefined ? [] : index.drawn.around(drawn)
    return alike.length >= EQUAL_ANSWERS && alike.every(({ answer }) => answer === entry.answer)
  }
  return {
    update: () => (updating ??= readOn().finally(() => (updating = undefined))),
    isDrawn(token) {
      const first = index.drawn.firstWith(token)
      if (first === undefined || given.has(token)) return false
      const { status, head } = first
      // A handshake stores nothing, and nobody reads what is behind it.
      if (status === 404 || first.isUpgrade || index.drawn.drawnOf(first)?.named.includes(token) === true)
        return true
      if (isSafe(head.method)) return false
      return (
        REFUSED.has(status) ||
        (status < 400 &&
          (head.method !== 'POST' || status === 201 || stored.has(token) || isAlwaysAnsweredSo(first)))
      )
    },
    isKnown: (token) => index.drawn.firstWith(token) !== undefined || answered.has(hashText(token)),
  }
}
