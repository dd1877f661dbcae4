import { Readable } from 'node:stream'
import { entryOf } from '../../grouping.ts'
import type { HeaderPair } from '../../http/headers.ts'
import { jsonOf } from '../../data-files/limits.ts'
import type { Replays } from '../../state/replays.ts'
import { openBody } from '../files/read-body.ts'
import { createTalk, type Conversation, type SocketMessage } from './conversation.ts'
import { LiveSession } from './engine-io-session.ts'
import { type EngineIoVersion, type Packet, packetsOf } from './engine-io-packets.ts'
import type { Entry, ExchangeIndex } from './exchange-index.ts'
import { messagesOf, recordedAnswer, type ReplayAnswer } from './recorded-answer.ts'
import type { ReplayCall, ReplayMiss } from './replay-call.ts'
import type { ReplayOptions } from './replay-options.ts'

/** Replays sessions of Engine.IO, on which Socket.IO is built. */
export interface EngineIoSessions {
  /** Notes a session that an answer opens: what was said on it before counts no more. */
  opened(call: ReplayCall, answer: ReplayAnswer, session: Replays): void
  /** The answer to a request of a recorded session; `undefined` for all others, and for packets that were not recorded. */
  find(call: ReplayCall, session: Replays): Promise<ReplayAnswer | undefined>
}

interface Parts {
  readonly directory: string
  readonly index: Pick<ExchangeIndex, 'all' | 'read' | 'generation'>
  readonly options: ReplayOptions
  readonly formOf: Conversation['formOf']
  /** A URL without its secrets, as in the recording. */
  readonly hiddenUrl: (url: string) => string
}

interface TimedMessage extends Packet {
  readonly isFromClient: boolean
  /** In milliseconds since 1970. */
  readonly at: number
}

/** As servers do, which answer a poll at the latest when they look whether the client is there. */
const MAX_WAIT_MS = 60_000
const MAX_BODY = 1024 * 1024
/** A version of the protocol that is known, and a session. */
const OF_SESSION = /^(?=[^#]*[?&]EIO=([34])(?:&|$))[^#]*[?&]sid=./
const OF_HANDSHAKE = /^(?:\d{1,4}:)?0(\{[^{}]*\})/
/** That a client tries another transport, and changes to it; they belong to no message. */
const OF_TRANSPORT = new Set(['2probe', '3probe', '5', '6'])

/**
 * Whether a client of Engine.IO sends a packet by POST or on a WebSocket, and where it gets what its server says, depends
 * on which of both was quicker. Here a recorded session is one conversation, whatever carried its packets, and the client
 * goes on with it by the transport that it has.
 * @see https://socket.io/docs/v4/engine-io-protocol/
 */
export function createEngineIoSessions({
  directory,
  index,
  options,
  formOf,
  hiddenUrl,
}: Parts): EngineIoSessions {
  const live = new WeakMap<object, Map<string, Promise<LiveSession>>>()
  let recorded = new Map<string, Entry[]>()
  let [generation, count] = [-1, 0]

  const update = (): void => {
    if (generation !== index.generation()) {
      ;[generation, count] = [index.generation(), 0]
      recorded = new Map()
    }
    for (const entry of index.all().slice(count)) {
      const own = keyOf(entry.request.slice(entry.head.method.length + 1))
      // Of a session that the server did not know there is no conversation.
      const isHeard = entry.status === 200 || entry.isUpgrade
      if (own !== undefined && isHeard) entryOf(recorded, own, (): Entry[] => []).push(entry)
    }
    count = index.all().length
  }
  // Where a body has to keep its length, the pseudonym of the session is shorter there.
  const recordedKey = (url: string): string | undefined => {
    const key = keyOf(hiddenUrl(url))
    if (key === undefined) return undefined
    update()
    const longer = recorded.has(key) ? [key] : [...recorded.keys()].filter((each) => each.startsWith(key))
    return longer.length === 1 ? longer[0] : undefined
  }
  const saidIn = async (entry: Entry): Promise<readonly TimedMessage[]> => {
    const exchange = await index.read(entry)
    if (exchange === undefined) return []
    const { request, response } = exchange
    if (response.status === 101) {
      let now = entry.startedAt + Math.max(0, exchange.timings.wait ?? 0)
      const timed = (message: SocketMessage): TimedMessage => ({ ...message, at: (now += message.afterMs) })
      const messages = messagesOf(exchange, { ...options, timing: 'original', speed: 1 }) ?? []
      return messages.filter(({ closeCode }) => closeCode === undefined).map(timed)
    }
    const isFromClient = request.method === 'POST'
    const stored = isFromClient ? request.postData : response.content
    const body = stored && (await openBody(directory, stored, MAX_BODY))
    const at = entry.startedAt + (isFromClient ? 0 : exchange.time)
    const packets = Buffer.isBuffer(body) ? packetsOf(body, versionOf(request.url)) : undefined
    return packets?.map((packet) => ({ ...packet, isFromClient, at })) ?? []
  }
  const conversationOf = async (key: string): Promise<readonly SocketMessage[]> => {
    const said = await Promise.all((recorded.get(key) ?? []).map(saidIn))
    const ordered = said
      .flat()
      .filter(({ data, isBinary }) => isBinary || !OF_TRANSPORT.has(data.toString()))
      .toSorted((one, other) => one.at - other.at)
    const { timing = 'streams', speed = 1 } = options
    return ordered.map(({ at, ...message }, i) => {
      const afterMs = timing === 'none' ? 0 : (at - (ordered[i - 1]?.at ?? at)) / speed
      return { ...message, afterMs }
    })
  }
  const open = async (key: string): Promise<LiveSession> => {
    const messages = await conversationOf(key)
    const others = async function* (): AsyncGenerator<readonly SocketMessage[]> {
      for (const other of recorded.keys()) if (other !== key) yield await conversationOf(other)
    }
    const { after } = options
    const talk = await createTalk({ messages, others, formOf, after, takesDrawn: true })
    return new LiveSession(talk, key.startsWith('3') ? '3' : '4')
  }
  const liveOf = (session: Replays): Map<string, Promise<LiveSession>> => {
    const known = live.get(session.turns) ?? new Map<string, Promise<LiveSession>>()
    live.set(session.turns, known)
    return known
  }
  const answerAs = async (method: string, entries: readonly Entry[], type: string): Promise<ReplayAnswer> => {
    const entry = entries.find(({ head, isUpgrade }) => head.method === method && !isUpgrade)
    const exchange = entry && (await index.read(entry))
    if (exchange !== undefined) return recordedAnswer(directory, exchange, options)
    const headers: HeaderPair[] = [['content-type', type]]
    return {
      ...{ kind: 'answer', origin: '', status: 200, statusText: 'OK' },
      ...{ headers, body: Buffer.alloc(0), trailers: [] },
    }
  }

  return {
    opened({ url }, { body }, session) {
      if (!Buffer.isBuffer(body) || !/[?&]EIO=[34]/.test(url)) return
      const [, text] = OF_HANDSHAKE.exec(body.toString()) ?? []
      const { sid } = (jsonOf(text ?? '') ?? {}) as { readonly sid?: unknown }
      const key = typeof sid === 'string' ? recordedKey(`${url}&sid=${encodeURIComponent(sid)}`) : undefined
      if (key !== undefined) liveOf(session).delete(key)
    },
    async find(call, session) {
      const key = recordedKey(call.url)
      if (key === undefined) return undefined
      const entries = recorded.get(key) ?? []
      const known = entryOf(liveOf(session), key, () => open(key))
      const own = await known
      if (call.isUpgrade) {
        const upgraded = entries.find(({ isUpgrade }) => isUpgrade)
        const exchange = upgraded && (await index.read(upgraded))
        if (exchange === undefined) return undefined
        return { ...(await recordedAnswer(directory, exchange, options)), talk: own.asSocket() }
      }
      if (call.method === 'GET') {
        return {
          ...(await answerAs('GET', entries, 'text/plain; charset=UTF-8')),
          // What it says is not known before.
          body: { bytes: Infinity, open: () => Readable.from([own.polled()]) },
          pace: {
            ...{ beganMs: MAX_WAIT_MS, isDue: () => own.isDue() },
            ...{ chunks: [{ timeMs: 0, bytes: Infinity }], isEndless: false },
          },
        }
      }
      if (call.method !== 'POST') return undefined
      const body = await call.body(MAX_BODY)
      const packets = body && packetsOf(body, versionOf(call.url))
      if (packets === undefined || !(await own.heard(packets))) return undefined
      return {
        ...(await answerAs('POST', entries, 'text/html')),
        body: Buffer.from('ok'),
        pace: undefined,
      }
    },
  }
}

/** Finds requests of recorded sessions there, and all others as before. */
export function findInSessions(
  sessions: EngineIoSessions,
  find: (call: ReplayCall, session: Replays) => Promise<ReplayAnswer | ReplayMiss>,
): (call: ReplayCall, session: Replays) => Promise<ReplayAnswer | ReplayMiss> {
  return async (call, session) => {
    if (!call.takesDrawn || !call.url.includes('EIO=')) return find(call, session)
    const own = await sessions.find(call, session)
    if (own !== undefined) return own
    const found = await find(call, session)
    if (found.kind === 'answer') sessions.opened(call, found, session)
    return found
  }
}

/** Names the session of a request by its URL; `undefined` where it has none. */
function keyOf(url: string): string | undefined {
  if (!OF_SESSION.test(url)) return undefined
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  return `${versionOf(url)} ${pathname} ${searchParams.get('sid')}`
}

function versionOf(url: string): EngineIoVersion {
  return OF_SESSION.exec(url)?.[1] === '3' ? '3' : '4'
}
