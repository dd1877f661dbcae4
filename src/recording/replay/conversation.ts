import { entryOf } from '../../grouping.ts'
import { drawnIn, type DrawnId, type Path, withIds, withoutIds } from './correlation.ts'
import type { ReplayOptions } from './replay-options.ts'

/** A message of a WebSocket. */
export interface SocketMessage {
  readonly isFromClient: boolean
  readonly data: Buffer
  readonly isBinary: boolean
  /** Milliseconds between the message before it, or the handshake, and this one; 0 where it is to be sent at once. */
  readonly afterMs: number
}

/** What was said on a WebSocket, and how it is compared. */
export interface Conversation {
  /** Those of the recorded connection that was chosen. */
  readonly messages: readonly SocketMessage[]
  /** Those of the other connections that were recorded for the same request. */
  others(this: void): AsyncIterable<readonly SocketMessage[]>
  /** A text that is equal for messages of a client that count as the same. */
  formOf(this: void, data: Buffer, isBinary: boolean): Promise<string>
  readonly after: ReplayOptions['after']
}

/** Says what a recorded server said. */
export interface Talk {
  /** What it said before the client said anything. */
  readonly opening: readonly SocketMessage[]
  /** What it said after a message of the client, and before the next one; `undefined` for one that was not recorded. */
  reply(data: Buffer, isBinary: boolean): Promise<readonly SocketMessage[] | undefined>
}

type Messages = readonly SocketMessage[]

/**
 * Follows a recorded connection by what the client says. Each message gets what came after it in the recording, or what
 * has its id; one that was said several times gets that in turn, and `after` says what comes when it was said more
 * often. Ids that a client draws anew, such as those of GraphQL over WebSocket, are its own in what it gets. A client
 * that says what was said on another connection goes on with that one.
 */
export async function createTalk({ messages, others, formOf, after = 'hold' }: Conversation): Promise<Talk> {
  let talk = await readTalk(messages, formOf)
  const { opening } = talk
  const turns = new Map<string, number>()
  /** Recorded ids by those of the client, and the other way round. */
  const [recorded, given] = [new Map<DrawnId, DrawnId>(), new Map<DrawnId, DrawnId>()]

  const find = async (
    conversation: ReadConversation,
    data: Buffer,
    isBinary: boolean,
  ): Promise<Found | undefined> => {
    const text = isBinary ? '' : withIds(data.toString(), recorded)
    for (const paths of conversation.shapes) {
      const plain = isBinary && paths.length > 0 ? undefined : withoutIds(text, paths)
      if (plain === undefined) continue
      const form = await formOf(isBinary ? data : Buffer.from(plain.text), isBinary)
      const replies = conversation.replies.get(form)
      if (replies !== undefined) return { form, replies, ids: plain.ids }
    }
    return undefined
  }
  const findElsewhere = async (data: Buffer, isBinary: boolean): Promise<Found | undefined> => {
    for await (const other of others()) {
      const conversation = await readTalk(other, formOf)
      const found = await find(conversation, data, isBinary)
      if (found === undefined) continue
      talk = conversation
      for (const known of [turns, recorded, given]) known.clear()
      return found
    }
    return undefined
  }
  const next = ({ form, replies }: Found): Reply | undefined => {
    const turn = turns.get(form) ?? 0
    turns.set(form, turn + 1)
    if (after === 'loop') return replies[turn % replies.length]
    return replies[turn] ?? (after === 'hold' ? replies.at(-1) : undefined)
  }
  return {
    opening,
    async reply(data, isBinary) {
      const found = (await find(talk, data, isBinary)) ?? (await findElsewhere(data, isBinary))
      const reply = found && next(found)
      if (reply === undefined) return undefined
      for (const [at, id] of reply.ids.entries()) {
        const own = found?.ids[at] ?? id
        recorded.set(own, id)
        given.set(id, own)
      }
      return reply.messages.map((message) =>
        message.isBinary || given.size === 0
          ? message
          : { ...message, data: Buffer.from(withIds(message.data.toString(), given)) },
      )
    },
  }
}

/** What came after a message of the client. */
interface Reply {
  readonly messages: SocketMessage[]
  /** The ids that the message had. */
  readonly ids: readonly DrawnId[]
}

interface Found {
  readonly form: string
  readonly replies: readonly Reply[]
  /** The client's own ids. */
  readonly ids: readonly DrawnId[]
}

/** A recorded connection. */
interface ReadConversation {
  readonly opening: Messages
  /** By the form of what the client said without its ids, in the order it did. */
  readonly replies: ReadonlyMap<string, readonly Reply[]>
  /** Where messages of the client have ids; that they have none is the first. */
  readonly shapes: readonly (readonly Path[])[]
}

async function readTalk(messages: Messages, formOf: Conversation['formOf']): Promise<ReadConversation> {
  const ids = idsOf(messages)
  const opening: SocketMessage[] = []
  const replies = new Map<string, Reply[]>()
  const shapes = new Map<string, readonly Path[]>([['[]', []]])
  /** What each id's own message got, and when the last of that came. */
  const byId = new Map<DrawnId, SocketMessage[]>()
  const last = new Map<readonly SocketMessage[], number>([[opening, 0]])
  let [current, now] = [opening, 0]
  for (const [at, message] of messages.entries()) {
    now += message.afterMs
    if (message.isFromClient) {
      const paths = ids.get(at) ?? []
      const plain = withoutIds(message.data.toString(), paths)
      const own = plain?.ids ?? []
      if (paths.length > 0) shapes.set(JSON.stringify(paths), paths)
      current = []
      for (const id of own) byId.set(id, current)
      const said = paths.length === 0 || plain === undefined ? message.data : Buffer.from(plain.text)
      const form = await formOf(said, message.isBinary)
      entryOf(replies, form, () => [] as Reply[]).push({ messages: current, ids: own })
      last.set(current, now)
    } else {
      const [id] = message.isBinary
        ? []
        : [...drawnIn(message.data.toString()).values()].filter((each) => byId.has(each))
      const reply = (id === undefined ? undefined : byId.get(id)) ?? current
      // Never earlier than what it came after, which may have been said to another.
      reply.push(message.afterMs === 0 ? message : { ...message, afterMs: now - (last.get(reply) ?? now) })
      last.set(reply, now)
    }
  }
  return { opening, replies, shapes: [...shapes.values()] }
}

/** Where messages of the client, by their place, have ids that it draws and that the server says again. */
function idsOf(messages: Messages): ReadonlyMap<number, readonly Path[]> {
  const drawn = messages.map(({ data, isBinary }) =>
    isBinary ? new Map<Path, DrawnId>() : drawnIn(data.toString()),
  )
  const lastSaid = new Map<DrawnId, number>()
  for (const [at, { isFromClient }] of messages.entries())
    if (!isFromClient) for (const id of drawn[at]?.values() ?? []) lastSaid.set(id, at)
  const known = new Set<DrawnId>()
  const found = new Map<number, readonly Path[]>()
  for (const [at, { isFromClient }] of messages.entries()) {
    const own = [...(drawn[at] ?? [])]
    const paths = own.filter(([, id]) => isFromClient && !known.has(id) && (lastSaid.get(id) ?? -1) > at)
    if (paths.length > 0)
      found.set(
        at,
        paths.map(([path]) => path),
      )
    for (const [, id] of own) known.add(id)
  }
  return found
}
