import type { Server } from 'node:http'
import { NotListening } from '../errors.ts'

/** Where to listen. */
export interface Address {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
}

/** What can listen and be closed, such as a Fastify app. */
export interface Listening {
  readonly server: Server
  listen(address: Address): Promise<unknown>
  close(): Promise<void>
}

const DRAIN_MS = 10_000

/**
 * Listens, prints the address on stdout, and drains and exits 0 on SIGINT and SIGTERM.
 * @throws NotListening when the address cannot be had
 */
export async function serve(app: Listening, { host, port }: Address): Promise<void> {
  await listen(app, { host, port })
  const { port: actual } = app.server.address() as { readonly port: number }
  const drain = createDrain(app)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, drain)
  // Whoever waits for this line may end the command at once.
  printAddress({ host, port: actual })
}

/** Prints the one line that says where requests go. */
export function printAddress({ host, port }: Address): void {
  process.stdout.write(`listening on http://${host.includes(':') ? `[${host}]` : host}:${port}\n`)
}

/** Listens. @throws NotListening when the address cannot be had */
export async function listen(app: Pick<Listening, 'listen'>, address: Address): Promise<void> {
  try {
    await app.listen(address)
  } catch (error) {
    const place = `${address.host}:${address.port}`
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']
    if (reason === undefined) throw error
    throw new NotListening(`Cannot listen on ${place}: ${reason}`, { cause: error })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use. Choose another with --port, or --port 0 for a free one',
  EACCES: 'this user may not use the port. Choose one above 1023 with --port',
  EADDRNOTAVAIL: 'this machine does not have that address. Choose another with --host',
  ENOTFOUND: 'the host is not known. Choose another with --host',
}

/** How an app ends, and this process with it; once, however often it is called. */
export function createDrain(app: Listening): () => void {
  let ending: Promise<void> | undefined
  return () => void (ending ??= end(app))
}

// Answers under way may finish; streams that never end are cut when the time is up.
async function end(app: Listening): Promise<void> {
  setTimeout(() => app.server.closeAllConnections(), DRAIN_MS).unref()
  await app.close()
  process.exit(0)
}
