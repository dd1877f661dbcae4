/** The most that goes in one call: the server does nothing else meanwhile. */
const MOST = 128

interface Waiting<Wanted, Reply> {
  readonly wanted: Wanted
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: unknown) => void
}

/**
 * Gathers what is wanted in one turn of the event loop, to ask for it in one go: a call costs both sides more than what
 * one request wants of it.
 * @param ask sends at once, and resolves with a reply for each that is wanted
 * @param most how many go in one call
 */
export function gather<Wanted, Reply>(
  ask: (wanted: readonly Wanted[]) => Promise<readonly Reply[]>,
  most = MOST,
): (wanted: Wanted) => Promise<Reply> {
  let waiting: Waiting<Wanted, Reply>[] = []
  const send = async (some: readonly Waiting<Wanted, Reply>[]): Promise<void> => {
    try {
      const replies = await ask(some.map(({ wanted }) => wanted))
      for (const [index, { resolve }] of some.entries()) resolve(replies[index] as Reply)
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }
  const sendAll = (): void => {
    const all = waiting
    waiting = []
    for (let from = 0; from < all.length; from += most) void send(all.slice(from, from + most))
  }
  return (wanted) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(sendAll)
      waiting.push({ wanted, resolve, reject })
    })
}
