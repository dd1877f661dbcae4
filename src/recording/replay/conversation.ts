import { lazy } from '../../engine/lazy.ts'
import { entryOf } from '../../grouping.ts'
import {
  drawnIn,
  type DrawnId,
  isDrawnId,
  type OtherIds,
  type Path,
  withIds,
  withoutIds,
} from './correlation.ts'
import { createDrawnMessages, DrawnOnConnection, type DrawnMessages } from './drawn-messages.ts'
import type { ReplayOptions } from './replay-options.ts'

/** A message of a WebSocket. */
export interface SocketMessage {
  readonly isFromClient: boolean
  readonly data: Buffer
  readonly isBinary: boolean
  /** Milliseconds between the message before it, or the handshake, and this one; 0 where it is to be sent at once. */
  readonly afterMs: number
  /** The server closes the connection with this code, and with `data` as the reason. */
  readonly closeCode?: number
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
  /** Whether what the client drew may stand for what another drew while it was recorded. */
  readonly takesDrawn: boolean
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
 * that says what was said on another connection goes on with that one. A message that was said nowhere is taken for one
 * that is equal but for what clients draw.
 */
export async function createTalk({
  messages,
  others,
  formOf,
  after = 'hold',
  takesDrawn,
}: Conversation): Promise<Talk> {
  let talk = await readTalk(messages, formOf)
  const { opening } = talk
  const turns = new Map<string, number>()
  /** Recorded ids by those of the client, and the other way round. */
  const [recorded, given] = [noIds(), noIds()]
  const drawn = new DrawnOnConnection()

  // Each form is looked for on every recorded connection.
  const formsOf = (data: Buffer, isBinary: boolean): Forms => {
    const text = isBinary ? '' : withIds(data.toString(), recorded)
    const forms = new Map<string, ReturnType<Forms>>()
    return (shape, paths) =>
      entryOf(forms, shape, async () => {
        if (isBinary) return paths.length > 0 ? undefined : { form: await formOf(data, true), ids: [] }
        const plain = withoutIds(text, paths)
        return plain && { form: await formOf(Buffer.from(plain.text), false), ids: plain.ids }
      })
  }
  const find = async ({ shapes, replies }: ReadConversation, forms: Forms): Promise<Found | undefined> => {
    for (const [shape, paths] of shapes) {
      const plain = await forms(shape, paths)
      const own = plain && replies.get(plain.form)
      if (plain !== undefined && own !== undefined) return { ...plain, replies: own }
    }
    return undefined
  }
  const findDrawn = async (
    { shapes, replies, drawnMessages }: ReadConversation,
    forms: Forms,
    data: Buffer,
    isBinary: boolean,
  ): Promise<Found | undefined> => {
    for (const [shape, paths] of takesDrawn ? shapes : []) {
      const plain = await forms(shape, paths)
      const possible = plain === undefined ? [] : drawnMessages().possible(plain.form, data, isBinary)
      // The next one that was not said yet.
      const isLeft = ({ form }: { readonly form: string }): boolean =>
        (turns.get(form) ?? 0) < (replies.get(form)?.length ?? 0)
      const chosen = possible.find(isLeft) ?? possible.at(-1)
      const own = chosen && replies.get(chosen.form)
      if (plain === undefined || chosen === undefined || own === undefined) continue
      drawn.keep(chosen.drawn)
      return { form: chosen.form, ids: plain.ids, replies: own }
    }
    return undefined
  }
  const findElsewhere = async (
    findIn: (conversation: ReadConversation) => Promise<Found | undefined>,
  ): Promise<Found | undefined> => {
    for await (const other of others()) {
      const conversation = await readTalk(other, formOf)
      const found = await findIn(conversation)
      if (found === undefined) continue
      talk = conversation
      for (const known of [turns, ...Object.values(recorded), ...Object.values(given)]) known.clear()
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
    async reply(said, isBinary) {
      const data = drawn.recorded(said, isBinary)
      const forms = formsOf(data, isBinary)
      const found =
        (await find(talk, forms)) ??
        (await findElsewhere((other) => find(other, forms))) ??
        (await findDrawn(talk, forms, data, isBinary)) ??
        (await findElsewhere((other) => findDrawn(other, forms, data, isBinary)))
      const reply = found && next(found)
      if (reply === undefined) return undefined
      for (const [at, id] of reply.ids.entries()) {
        const [was, is] = [id, found?.ids[at] ?? id].map((each) => JSON.stringify(each)) as [string, string]
        const kind = isDrawnId(id) ? 'anywhere' : 'ofCalls'
        recorded[kind].set(is, was)
        given[kind].set(was, is)
        // Texts other than JSON have them, too.
        if (kind === 'anywhere') drawn.keep([[String(id), String(found?.ids[at] ?? id)]])
      }
      return reply.messages.map((message) => {
        const bytes = drawn.own(message.data, message.isBinary)
        const text = message.isBinary ? '' : bytes.toString()
        const own = withIds(text, given)
        return { ...message, data: own === text ? bytes : Buffer.from(own) }
      })
    },
  }
}

/** What came after a message of the client. */
interface Reply {
  readonly messages: SocketMessage[]
  /** The ids that the message had. */
  readonly ids: readonly DrawnId[]
}

/** What a message of a client says without its ids, and these. */
interface Plain {
  readonly form: string
  readonly ids: readonly DrawnId[]
}

/** A message without the ids at some paths; `undefined` where it has none there. @param shape names the paths */
type Forms = (shape: string, paths: readonly Path[]) => Promise<Plain | undefined>

interface Found extends Plain {
  readonly replies: readonly Reply[]
}

/** A recorded connection. */
interface ReadConversation {
  readonly opening: Messages
  /** By the form of what the client said without its ids, in the order it did. */
  readonly replies: ReadonlyMap<string, readonly Reply[]>
  /** Where messages of the client have ids; that they have none is the last. */
  readonly shapes: ReadonlyMap<string, readonly Path[]>
  readonly drawnMessages: () => DrawnMessages
}

async function readTalk(messages: Messages, formOf: Conversation['formOf']): Promise<ReadConversation> {
  const drawn = messages.map(({ data, isBinary, isFromClient }) =>
    isBinary ? NO_IDS : drawnIn(data.toString(), isFromClient),
  )
  const ids = idsOf(messages, drawn)
  const opening: SocketMessage[] = []
  const replies = new Map<string, Reply[]>()
  const shapes = new Map<string, readonly Path[]>()
  const forms: string[] = []
  /** What the last message with an id got, and how many messages have had it. */
  const byId = new Map<DrawnId, { readonly reply: SocketMessage[]; readonly times: number }>()
  /** When the last of what each message got came. */
  const last = new Map<readonly SocketMessage[], number>([[opening, 0]])
  let [current, now] = [opening, 0]
  for (const [at, message] of messages.entries()) {
    now += message.afterMs
    if (message.isFromClient) {
      const paths = ids.get(at) ?? []
      const plain = paths.length === 0 ? undefined : withoutIds(message.data.toString(), paths)
      const own = plain?.ids ?? []
      if (paths.length > 0) shapes.set(JSON.stringify(paths), paths)
      current = []
      const again = [...(drawn[at]?.values() ?? [])].filter((id) => byId.has(id))
      for (const id of new Set([...own, ...again]))
        byId.set(id, { reply: current, times: (byId.get(id)?.times ?? 0) + 1 })
      const said = plain === undefined ? message.data : Buffer.from(plain.text)
      const form = await formOf(said, message.isBinary)
      forms[at] = form
      entryOf(replies, form, () => [] as Reply[]).push({ messages: current, ids: own })
      last.set(current, now)
    } else {
      // Of a session there are more messages than of what was said within it.
      const own = [...(drawn[at]?.values() ?? [])].flatMap((id) => byId.get(id) ?? [])
      const reply = own.toSorted((one, other) => one.times - other.times)[0]?.reply ?? current
      // Never earlier than what it came after, which may have been said to another.
      reply.push(message.afterMs === 0 ? message : { ...message, afterMs: now - (last.get(reply) ?? now) })
      last.set(reply, now)
    }
  }
  const drawnMessages = lazy(() =>
    createDrawnMessages(messages.map((message, at) => ({ ...message, form: forms[at] ?? '' }))),
  )
  return { opening, replies, shapes: shapes.set('[]', []), drawnMessages }
}

function noIds(): OtherIds {
  return { anywhere: new Map(), ofCalls: new Map() }
}

const NO_IDS: ReturnType<typeof drawnIn> = new Map()

/** Where messages of the client, by their place, have ids that it draws and that the server says again. */
function idsOf(
  messages: Messages,
  drawn: readonly ReturnType<typeof drawnIn>[],
): ReadonlyMap<number, readonly Path[]> {
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
