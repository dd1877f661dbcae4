import type { MessagePiece } from './stream-messages.ts'

/** A piece of one frame. */
export interface FramePiece extends MessagePiece {
  /** Whether a frame ends with it: another may be put after it. */
  readonly endsFrame: boolean
}

const FIN = 0x80
const MASKED = 0x80
const CLOSE = 8
/** The longest head of a frame: two bytes, a length of eight, and a mask. */
const MAX_HEAD = 14

/** Reads the frames of one direction of a WebSocket (RFC 6455, section 5.2), in pieces as they come. */
export class FrameReader {
  readonly #head = Buffer.alloc(MAX_HEAD)
  #headLength = 0
  #payloadLeft = 0
  #index = 0
  /** Whether a frame that closes the connection has come. */
  hasClosed = false

  /** Whether all frames that began have ended. */
  get isBetweenFrames(): boolean {
    return this.#headLength === 0
  }

  /** The pieces that a chunk is of. What is not of this protocol is read as if it were. */
  read(chunk: Buffer): FramePiece[] {
    const pieces: FramePiece[] = []
    for (let at = 0; at < chunk.length;) {
      const isHead = !this.#isHeadRead()
      const start = at
      at = isHead ? this.#readHead(chunk, at) : Math.min(chunk.length, at + this.#payloadLeft)
      if (!isHead) this.#payloadLeft -= at - start
      pieces.push(this.#piece(chunk.subarray(start, at), !isHead))
    }
    return pieces
  }

  #readHead(chunk: Buffer, from: number): number {
    let at = from
    while (at < chunk.length && !this.#isHeadRead()) this.#head[this.#headLength++] = chunk[at++] as number
    if (this.#isHeadRead()) this.#payloadLeft = this.#payloadLength()
    return at
  }

  #piece(bytes: Buffer, isPayload: boolean): FramePiece {
    const [first = 0] = this.#head
    const isOfMessage = (first & 0x0f) < CLOSE
    const endsFrame = this.#isHeadRead() && this.#payloadLeft === 0
    const isLast = endsFrame && isOfMessage && (first & FIN) !== 0
    const index = this.#index
    if (isLast) this.#index++
    if (endsFrame) {
      this.#headLength = 0
      this.hasClosed ||= (first & 0x0f) === CLOSE
    }
    return { bytes, index, isData: isPayload && isOfMessage, isLast, endsFrame }
  }

  #isHeadRead(): boolean {
    if (this.#headLength < 2) return false
    const second = this.#head[1] as number
    const short = second & 0x7f
    const length = short === 127 ? 8 : short === 126 ? 2 : 0
    return this.#headLength === 2 + length + ((second & MASKED) === 0 ? 0 : 4)
  }

  #payloadLength(): number {
    const short = (this.#head[1] as number) & 0x7f
    if (short === 126) return this.#head.readUInt16BE(2)
    return short === 127 ? Number(this.#head.readBigUInt64BE(2)) : short
  }
}
