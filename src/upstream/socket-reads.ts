import type { OnReadOpts, Socket } from 'node:net'
import { Readable } from 'node:stream'

/** Memory that sockets read into, and that is read into again when what it held has been passed on. */
export interface ReadBuffers {
  /** Has a socket of `net.connect` read into it. */
  readonly onread: OnReadOpts
  /**
   * Takes memory back from whom a piece of what was read had reached, where the piece is the last of that read. Nobody
   * may hold it any more, nor what came before it in the same read.
   */
  giveBack(piece: Buffer): void
}

/** What Node reads at most at once. */
const READ_BYTES = 64 * 1024
/** The most that is rather copied than lent. */
const MAX_COPIED_BYTES = 16 * 1024
const MAX_KEPT = 64

/**
 * Without it, each read takes new memory of 64 KiB that is the garbage collector's to free, and the more often it
 * has to, the more it looks at all the rest of the memory.
 */
export function createReadBuffers(): ReadBuffers {
  const free: Buffer[] = []
  /** What was lent last of each buffer's memory. */
  const lent = new WeakMap<ArrayBufferLike, Buffer>()
  let next: Buffer | undefined
  return {
    onread: {
      // It is called once when a socket opens, and then after each read.
      buffer() {
        const taken = next ?? free.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES)
        next = undefined
        return taken
      },
      callback(this: Socket, length: number, buffer: Buffer) {
        const read = buffer.subarray(0, length)
        if (length <= MAX_COPIED_BYTES) {
          next = buffer
          return this.push(Buffer.from(read))
        }
        lent.set(buffer.buffer, read)
        return this.push(read)
      },
    },
    giveBack(piece) {
      const { buffer, byteOffset, length } = piece
      if (lent.get(buffer)?.length !== byteOffset + length) return
      lent.delete(buffer)
      if (free.length < MAX_KEPT) free.push(Buffer.from(buffer))
    },
  }
}

/**
 * Has undici hear that the upstream ended the connection only when its parser does not wait for a slow client. An
 * assertion of undici 7 would end the process otherwise (nodejs/undici#5360); 8, where it is gone, does not run on
 * Node 20.
 */
export function holdEnd(socket: Socket): Socket {
  const { read, unshift } = socket
  const emit = socket.emit as (event: string | symbol, ...args: unknown[]) => boolean
  let isWaiting = false
  let isHeld = false
  const release = (): void => {
    if (isWaiting || !isHeld) return
    isHeld = false
    if (!socket.destroyed) socket.emit('end')
  }
  const emitAllButEnd = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event !== 'end') return emit.call(socket, event, ...args)
    isHeld = true
    // The stream would be destroyed, and undici reads no more of one that is.
    socket.allowHalfOpen = true
    return true
  }
  // The parser puts back what it has not taken, which may be nothing, when it begins to wait.
  socket.unshift = (...args: Parameters<Socket['unshift']>) => {
    isWaiting = true
    socket.emit = emitAllButEnd
    unshift.apply(socket, args)
  }
  // It reads all there is when it goes on; the stream itself reads nothing, to have more come.
  socket.read = (size?: number): unknown => {
    if (isWaiting && size === undefined) {
      isWaiting = false
      socket.emit = emit
      if (isHeld) process.nextTick(release)
    }
    if (size !== undefined || socket.readableLength <= READ_BYTES) return read.call(socket, size)
    // A socket that has a buffer of its own reads more each time, though what was put back waits.
    return Readable.prototype.read.call(socket, READ_BYTES)
  }
  return socket
}
