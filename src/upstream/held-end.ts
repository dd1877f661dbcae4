import type { Socket } from 'node:net'

/**
 * Has undici hear that the upstream ended the connection only when its parser does not wait for a slow client. An
 * assertion of undici 7 would end the process otherwise (nodejs/undici#5360); 8, where it is gone, does not run on
 * Node 20.
 */
export function holdEnd(socket: Socket): Socket {
  const { read, unshift } = socket
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean
  let isWaiting = false
  let isHeld = false
  const release = (): void => {
    if (isWaiting || !isHeld) return
    isHeld = false
    if (!socket.destroyed) emit('end')
  }
  // The parser puts back what it has not taken, which may be nothing, when it begins to wait.
  socket.unshift = (...args: Parameters<Socket['unshift']>) => {
    isWaiting = true
    unshift.apply(socket, args)
  }
  // It reads all there is when it goes on; the stream itself reads nothing, to have more come.
  socket.read = (size?: number): unknown => {
    if (size === undefined) {
      isWaiting = false
      if (isHeld) process.nextTick(release)
    }
    return read.call(socket, size)
  }
  socket.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event !== 'end' || !isWaiting) return emit(event, ...args)
    isHeld = true
    // The stream would be destroyed, and undici reads no more of one that is.
    socket.allowHalfOpen = true
    return true
  }
  return socket
}
