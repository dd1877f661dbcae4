import { RecordingUnusable } from '../../errors.ts'
import type { HeaderPair } from '../../http/headers.ts'
import type { Replays } from '../../state/replays.ts'
import type { Exchange, NameValue } from '../exchange.ts'
import { CHECKED_BYTES, decode } from '../files/decode.ts'
import { type BodyValue, formOf, readBodyValue } from '../match/body-value.ts'
import { namingServer } from '../match/own-urls.ts'
import { conditionsOf, conditionsText } from '../../http/conditions.ts'
import { compileMatch, headOf, type RequestHead } from '../match/match.ts'
import { type Traits, traitsOf } from '../match/traits.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { findCauses } from './caused-events.ts'
import { type Choice, Chooser, isRefused } from './choose.ts'
import { findByClientValues } from './client-values.ts'
import type { Conversation } from './conversation.ts'
import { createEngineIoSessions, findInSessions } from './engine-io.ts'
import { deriveAnswer, headAnswer, partOf, preconditionFailed } from './derived-answer.ts'
import { withEchoed } from './echoed-values.ts'
import { createDrawnValues } from './drawn-values.ts'
import { type Drawn, drawnInBody } from './drawn-tokens.ts'
import { createExchangeIndex, type Entry, type Group, hashOf } from './exchange-index.ts'
import { createGivenValues, type NamingRequest } from './given-values.ts'
import { isWaiting } from './long-polls.ts'
import { createSentSecrets } from './sent-secrets.ts'
import { createMissLog, type MissLog } from './misses.ts'
import { findNearest } from './nearest.ts'
import { held, messagesOf, recordedAnswer, type ReplayAnswer } from './recorded-answer.ts'
import { exhausted, type ReplayCall, type ReplayMiss } from './replay-call.ts'
import type { ReplayOptions } from './replay-options.ts'
import { isSafe, type Awaitable } from '../../message.ts'

/** Finds recorded answers. */
export interface Replayer {
  /**
   * The answer to a request; `Chooser` says which of several.
   * @param session what its session was given before
   */
  find(call: ReplayCall, session: Replays): Promise<ReplayAnswer | ReplayMiss>
  readonly misses: MissLog
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
  const rules = compileMatch(options, true)
  const index = await createExchangeIndex(directory, rules, redactor)
  const chooser = new Chooser(options, index)
  const isCausal = (options.pick ?? 'causal') === 'causal'
  const given = createGivenValues(directory, index)
  const drawn = createDrawnValues(directory, index)
  const secrets = createSentSecrets(redactor)
  const misses = createMissLog(directory, redactor, options)

  const readBody = async (call: ReplayCall, most: number): Promise<ReadBody | undefined> => {
    if (rules.ignoresBody) return { value: { kind: 'none' } }
    const bytes = await call.body(most)
    if (bytes === undefined) return most < CHECKED_BYTES ? undefined : { value: { kind: 'omitted' } }
    if (bytes.length === 0 && call.contentEncoding === '') return { value: { kind: 'none' } }
    const decoded = await decode(bytes, call.contentEncoding)
    if (!('bytes' in decoded)) return { value: { kind: 'omitted' } }
    // Its secrets are hidden as those of the recording were.
    const hide = redactor.at(call.url)
    const [, host] = call.headers.find(([name]) => /^host$/i.test(name)) ?? []
    const named = namingServer(decoded.bytes, host, index.originOf(call.host))
    return { bytes: decoded.bytes, value: await readBodyValue(named, call.contentType, rules, hide) }
  }
  const hiddenOf = (call: ReplayCall, bytes: Buffer | undefined): string[] => {
    const hide = redactor.at(call.url)
    const body = bytes === undefined ? undefined : hide.body(bytes.toString(), call.contentType)
    return [hide.url(call.url), body !== undefined && 'text' in body ? body.text : '']
  }
  const look = async (call: ReplayCall, requested: RequestHead, form?: string): Promise<Looked> => {
    const upgraded = call.isUpgrade ? index.alike(requested, true) : undefined
    const own = upgraded ?? index.alike(requested, false)
    const asGet = { ...requested, method: 'GET' }
    const read = call.method === 'HEAD' ? index.alike(asGet, false) : undefined
    const known = [own, read].filter((each) => each !== undefined)
    // JSON may have white space that the recorded one had not.
    const longest = Math.max(0, ...known.map((each) => each.longest))
    const most = Math.min(2 * longest + WHITESPACE_BYTES, CHECKED_BYTES)
    const body = known.length === 0 ? undefined : await readBody(call, most)
    const hash = form ?? (body && hashOf(formOf(body.value)))
    return {
      groups: hash === undefined ? [] : known.flatMap(({ byBody }) => byBody.get(hash) ?? []),
      current: isSafe(call.method) ? undefined : index.alike(asGet, false)?.byBody.get(NO_BODY),
      bytes: body?.bytes,
    }
  }
  const miss = (call: ReplayCall, requested: RequestHead): ReplayMiss => ({
    kind: 'miss',
    async nearest() {
      const { value } = (await readBody(call, CHECKED_BYTES)) ?? { value: { kind: 'omitted' } }
      return findNearest(requested, call.isUpgrade, value, index)
    },
    async note() {
      const body = await readBody(call, CHECKED_BYTES)
      misses.note({ ...call, headers: toNamed(call.headers), bytes: body?.bytes })
    },
  })
  const answerOf = async (
    call: ReplayCall,
    exchange: Exchange,
    isExact: boolean,
  ): Promise<ReplayAnswer | undefined> => {
    const conditions = conditionsOf(toNamed(call.headers))
    const answer = await recordedAnswer(directory, exchange, options)
    if (isExact) {
      const recorded = conditionsText(conditionsOf(exchange.request.headers))
      const isSame = answer.status !== 206 || recorded === conditionsText(conditions)
      return isSame ? answer : partOf(answer, conditions ?? {})
    }
    const made = isSafe(call.method) ? deriveAnswer(answer, call.method, conditions) : answer
    return call.method === exchange.request.method ? made : headAnswer(made)
  }
  const messageForm = async (data: Buffer, isBinary: boolean): Promise<string> => {
    const type = isBinary ? 'application/octet-stream' : ''
    return formOf(await readBodyValue(data, type, rules, redactor))
  }
  // A connection may go on as any of those that were recorded for its request.
  const conversationOf = (
    exchange: Exchange,
    others: readonly Entry[],
    takesDrawn: boolean,
  ): Conversation | undefined => {
    const messages = messagesOf(exchange, options)
    return (
      messages && {
        messages,
        after: options.after,
        takesDrawn,
        async *others() {
          for (const entry of others) {
            const other = await index.read(entry)
            const said = other && messagesOf(other, options)
            if (said !== undefined) yield said
          }
        },
        formOf: messageForm,
      }
    )
  }
  // The events of a stream come after what they answer.
  const inTurn = async (
    answer: ReplayAnswer,
    exchange: Exchange,
    entry: Entry,
    session: Replays,
  ): Promise<ReplayAnswer> => {
    const { body, pace } = answer
    if (pace === undefined || !Buffer.isBuffer(body)) return answer
    const read = { body, chunks: pace.chunks, speed: options.speed ?? 1 }
    const causes = await findCauses(directory, index, entry, exchange, read)
    if (causes === undefined) return answer
    const chunks = pace.chunks.map((chunk, at) => {
      const cause = causes[at]
      const isDue = (): boolean => cause !== undefined && chooser.wasGiven(cause.entry, session)
      return { ...chunk, cause: cause && { isDue, afterMs: cause.afterMs } }
    })
    return { ...answer, pace: { ...pace, chunks, own: (piece) => drawn.piece(piece, session) } }
  }
  // As what another request was recorded, if one is given.
  const findAs = async (
    call: ReplayCall,
    session: Replays,
    other?: Entry,
  ): Promise<ReplayAnswer | ReplayMiss> => {
    const headers = toNamed(call.headers)
    const requested = other?.head ?? headOf({ ...call, headers }, redactor, rules)
    const conditions = conditionsOf(headers.map((header) => redactor.header(header)))
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      await index.update()
      const generation = index.generation()
      const { groups, current, bytes } = await look(call, requested, other?.body)
      const { method } = call
      const traits = (vary: readonly string[]): Traits =>
        traitsOf(headers, redactor, hiddenOf(call, bytes), vary)
      const wanted = { method, conditions, traits }
      const choose = (group: Group): Awaitable<Choice | undefined> => chooser.choose(group, wanted, session)
      // While the body was read, the recording may have been replaced.
      if (generation !== index.generation()) continue
      const chosen = groups.reduce<Awaitable<Choice | undefined>>(
        (found, group) => found ?? choose(group),
        undefined,
      )
      const choice = chosen instanceof Promise ? await chosen : chosen
      const isExact = choice !== undefined && 'isExact' in choice && choice.isExact
      const now =
        conditions === undefined || isExact || current === undefined
          ? undefined
          : chooser.current(current, { ...wanted, conditions: undefined }, session)
      if (isRefused(wanted, now)) return preconditionFailed((now as Entry).validators)
      if (choice === undefined) return miss(call, requested)
      if ('given' in choice) return exhausted(choice.first, choice.given)
      const exchange: Exchange | undefined = await index.read(choice.entry)
      if (exchange === undefined) continue
      const answer = await answerOf(call, exchange, isExact)
      if (answer === undefined) return miss(call, requested)
      const { entry } = choice
      given.note(entry, groups[0], session)
      const isHeld = isCausal && options.timing !== 'none' && answer.pace === undefined
      const isPoll = index.isPolled(entry)
      // Other writes overlap by chance, as those of clients that make several things at once.
      const awaits = isHeld && isWaiting(entry, isPoll)
      if (!awaits) chooser.given(entry, session)
      if (answer.status !== 101) {
        const sent = { ...call, headers, body: bytes }
        const echoed = await withEchoed(answer, exchange, sent, directory)
        const own = index.hidesSecrets() ? secrets.answer(echoed, exchange, sent, session) : echoed
        if (!awaits) return isCausal ? inTurn(own, exchange, entry, session) : own
        // What a long poll by POST changes is that it has been answered.
        const noted = (to: Replays): void => chooser.given(entry, to)
        const isDue = (): boolean => chooser.isDue(entry, session)
        return held({ ...own, given: noted }, exchange, isDue, isPoll, options.speed)
      }
      const others = groups.flatMap(({ entries }) => entries).filter((each) => each !== entry)
      return { ...answer, conversation: conversationOf(exchange, others, isCausal && call.takesDrawn) }
    }
    throw new RecordingUnusable(`The recording ${directory} changes faster than it can be read`)
  }
  const namingOf = async (call: ReplayCall): Promise<NamingRequest> => {
    const { method, url, headers } = call
    return { method, url, headers: toNamed(headers), body: (await readBody(call, CHECKED_BYTES))?.bytes }
  }
  const drawnOf = async (call: ReplayCall): Promise<Drawn | undefined> => {
    const { value } = (await readBody(call, CHECKED_BYTES)) ?? { value: { kind: 'omitted' } as const }
    const head = headOf({ ...call, headers: toNamed(call.headers) }, redactor, rules)
    return index.drawn.drawnIn({
      head,
      request: redactor.at(call.url).url(call.url),
      isUpgrade: call.isUpgrade,
      startedAt: Date.now(),
      drawnInBody: drawnInBody(value.kind, formOf(value)),
    })
  }
  const findCausal = findInSessions(
    createEngineIoSessions({
      ...{ directory, index, options, formOf: messageForm },
      hiddenUrl: (url) => redactor.at(url).url(url),
    }),
    findByClientValues({ find: findAs, naming: namingOf, drawn: drawnOf }, given, drawn),
  )
  return {
    find: isCausal ? findCausal : findAs,
    misses,
    close: () => index.close(),
  }
}

/** A body without its content coding, where that could be taken off, and what it says. */
interface ReadBody {
  readonly bytes?: Buffer
  readonly value: BodyValue
}

/** What a recording has for a request. */
interface Looked {
  /** Equal requests: those of its method, and for a HEAD, those of a GET. */
  readonly groups: readonly Group[]
  /** Those that read what it would write to. */
  readonly current: Group | undefined
  readonly bytes: Buffer | undefined
}

const NO_BODY = hashOf(formOf({ kind: 'none' }))

function toNamed(headers: readonly HeaderPair[]): NameValue[] {
  return headers.map(([name, value]) => ({ name, value }))
}
