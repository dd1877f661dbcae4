import type { SocketMessage, Talk } from './conversation.ts'
import { bodyOf, type EngineIoVersion, type Packet } from './engine-io-packets.ts'

/** What a poll gets where there is nothing to say. */
const NOTHING: Packet = { data: Buffer.from('6'), isBinary: false }
/** That a client ends its session. */
const CLOSE = '1'

interface Said {
  readonly packet: Packet
  /** In milliseconds since 1970. */
  readonly at: number
}

/** A session as a client goes through it. */
export class LiveSession {
  readonly #talk: Talk
  readonly #version: EngineIoVersion
  /** What the server says next by polling, and from when on. */
  #said: Said[] = []
  /** Whether a poll that waits in vain is answered. */
  #isReleased = false

  constructor(talk: Talk, version: EngineIoVersion) {
    this.#talk = talk
    this.#version = version
    this.#say(talk.opening)
  }

  #say(messages: readonly SocketMessage[]): void {
    let at = Date.now()
    // The rest of what came before is said before the reply.
    this.#said = this.#said.map(({ packet }) => ({ packet, at }))
    for (const packet of messages) this.#said.push({ packet, at: (at += packet.afterMs) })
  }

  #take(until: number): readonly Said[] {
    const taken = this.#said.filter(({ at }) => at <= until)
    this.#said = this.#said.filter(({ at }) => at > until)
    return taken
  }

  /** Hears packets of a POST; `false` where one is not in the recording. */
  async heard(packets: readonly Packet[]): Promise<boolean> {
    for (const { data, isBinary } of packets) {
      const reply = await this.#talk.reply(data, isBinary)
      if (reply === undefined) return false
      this.#say(reply)
      if (!isBinary && data.toString() === CLOSE) this.#isReleased = true
    }
    return true
  }

  /** Whether a poll is to be answered. */
  isDue(): boolean {
    const now = Date.now()
    return this.#isReleased || this.#said.some(({ at }) => at <= now)
  }

  /** The body for a poll. */
  polled(): Buffer {
    const said = this.#take(Date.now())
    if (said.length === 0) this.#isReleased = false
    return bodyOf(said.length === 0 ? [NOTHING] : said.map(({ packet }) => packet), this.#version)
  }

  /** The session on a WebSocket, from where the client changes to it. */
  asSocket(): Talk {
    return {
      opening: [],
      reply: async (data, isBinary) => {
        const text = isBinary ? '' : data.toString()
        if (text === '2probe') {
          // Nothing may be on its way when the client changes.
          this.#isReleased = true
          return [{ data: Buffer.from('3probe'), isBinary: false, isFromClient: false, afterMs: 0 }]
        }
        if (text === '5') {
          let before = Date.now()
          return this.#take(Infinity).map(({ packet, at }) => {
            const afterMs = Math.max(0, at - before)
            before = Math.max(at, before)
            return { ...packet, isFromClient: false, afterMs }
          })
        }
        return this.#talk.reply(data, isBinary)
      },
    }
  }
}
