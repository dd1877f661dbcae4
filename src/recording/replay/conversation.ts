import { entryOf } from '../../grouping.ts'
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
 * Follows a recorded connection by what the client says. Each message gets what came after it in the recording; one
 * that was said several times gets that in turn, and `after` says what comes when it was said more often. A client that
 * says what was said on another connection goes on with that one.
 */
export async function createTalk({ messages, others, formOf, after = 'hold' }: Conversation): Promise<Talk> {
  const first = await readTalk(messages, formOf)
  let { replies } = first
  const turns = new Map<string, number>()

  const switchTo = async (form: string): Promise<Messages[] | undefined> => {
    for await (const other of others()) {
      const talk = await readTalk(other, formOf)
      const found = talk.replies.get(form)
      if (found === undefined) continue
      replies = talk.replies
      turns.clear()
      return found
    }
    return undefined
  }
  return {
    opening: first.opening,
    async reply(data, isBinary) {
      const form = await formOf(data, isBinary)
      const known = replies.get(form) ?? (await switchTo(form))
      if (known === undefined) return undefined
      const turn = turns.get(form) ?? 0
      turns.set(form, turn + 1)
      if (after === 'loop') return known[turn % known.length]
      return known[turn] ?? (after === 'hold' ? known.at(-1) : undefined)
    },
  }
}

interface Read {
  readonly opening: Messages
  /** By the form of what the client said, in the order it did. */
  readonly replies: Map<string, Messages[]>
}

async function readTalk(messages: Messages, formOf: Conversation['formOf']): Promise<Read> {
  const opening: SocketMessage[] = []
  const replies = new Map<string, SocketMessage[][]>()
  let current = opening
  for (const message of messages) {
    if (!message.isFromClient) current.push(message)
    else {
      current = []
      entryOf(replies, await formOf(message.data, message.isBinary), () => [] as SocketMessage[][]).push(
        current,
      )
    }
  }
  return { opening, replies }
}
