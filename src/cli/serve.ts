import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { NotListening } from '../errors.ts'
import {
  addressesBesides,
  closeBesides,
  listenBesides,
  prepareSocketFile,
  type Place,
} from '../http/listeners.ts'

/** An address to listen at. */
export interface Address {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
}

/** What can listen and be closed, such as a Fastify app. */
export interface Listening {
  readonly server: Server
  listen(place: Place): Promise<unknown>
  close(): Promise<void>
}

const DRAIN_MS = 10_000
const CHECK_MS = 50
const LISTENS_MS = 5

/**
 * Listens, prints each place on stdout, and drains and exits on SIGINT and SIGTERM: with 0, unless another code was set.
 * @throws NotListening when a place cannot be had
 */
export async function serve(app: Listening, ...places: readonly Place[]): Promise<void> {
  const listening = await listenAll(app, places)
  const drain = createDrain(app)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, drain)
  // Whoever waits for these lines may end the command at once.
  for (const place of listening) printAddress(place)
}

/** Listens at each place, and says where that is. @throws NotListening when one cannot be had */
export async function listenAll(app: Listening, places: readonly Place[]): Promise<readonly Place[]> {
  const [first, ...others] = places
  if (first !== undefined) await listen(app, first)
  try {
    for (const place of others) await listen({ listen: (other) => listenBesides(app.server, other) }, place)
  } catch (error) {
    await Promise.all([closeBesides(app.server), app.close()])
    throw error
  }
  const addresses = [app.server.address(), ...addressesBesides(app.server)]
  return places.map((place, index) => withPort(place, addresses[index] ?? null))
}

function withPort(place: Place, address: AddressInfo | string | null): Place {
  return 'path' in place || address === null || typeof address === 'string'
    ? place
    : { ...place, port: address.port }
}

/** Prints the one line that says where requests go. */
export function printAddress(place: Place, stream: NodeJS.WritableStream = process.stdout): void {
  stream.write(`listening on ${'path' in place ? nameOf(place) : `http://${nameOf(place)}`}\n`)
}

/** A place in words. */
export function nameOf(place: Place): string {
  if ('path' in place) return `unix:${place.path}`
  return `${place.host.includes(':') ? `[${place.host}]` : place.host}:${place.port}`
}

/** Listens. @throws NotListening when the place cannot be had */
export async function listen(app: { listen(place: Place): Promise<unknown> }, place: Place): Promise<void> {
  try {
    if ('path' in place) await prepareSocketFile(place.path)
    await app.listen(place)
  } catch (error) {
    const reasons = 'path' in place ? FILE_REASONS : REASONS
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
    if (reason === undefined) throw error
    throw new NotListening(`Cannot listen on ${nameOf(place)}: ${reason}`, { cause: error })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use. Choose another with --port, or --port 0 for a free one',
  EACCES: 'this user may not use the port. Choose one above 1023 with --port',
  EADDRNOTAVAIL: 'this machine does not have that address. Choose another with --host',
  ENOTFOUND: 'the host is not known. Choose another with --host',
}

const FILE_REASONS: typeof REASONS = {
  EACCES: 'this user may not write there. Choose another folder with --listen',
}

/** How an app ends, and this process with it; once, however often it is called. */
export function createDrain(app: Listening): () => void {
  let ending: Promise<void> | undefined
  return () => void (ending ??= end(app))
}

/** Closes an app. Answers under way may finish; streams that never end are cut when the time is up. */
export async function closeInTime(app: Listening, ms: number): Promise<void> {
  setTimeout(() => app.server.closeAllConnections(), ms).unref()
  const closed = app.close()
  // Until balancers have seen that it ends, it takes what they send, on connections that they keep.
  while (app.server.listening) await wait(LISTENS_MS)
  const timer = setInterval(() => app.server.closeIdleConnections(), CHECK_MS)
  await Promise.all([closeBesides(app.server), closed])
  clearInterval(timer)
}

async function end(app: Listening): Promise<void> {
  await closeInTime(app, DRAIN_MS)
  // What it served may have been found wanting.
  process.exit(process.exitCode ?? 0)
}
