import type { Duplex } from 'node:stream'

/** Passes on what comes in on either connection to the other, at the pace of the slower, until both have ended. */
export function pipeSockets(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to)
    from.once('error', () => to.destroy())
    // Pipes pass on an end, but not that a connection broke; and nobody is left to read what would still come.
    from.once('close', () => (from.readableEnded ? endSoon(to) : to.destroy()))
  }
}

function endSoon(socket: Duplex): void {
  if (socket.writableFinished) socket.destroy()
  else socket.end(() => socket.destroy())
}
