import { once } from 'node:events'
import { access, lstat, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { dirname } from 'node:path'
import { NotListening } from '../errors.ts'

/** Where a server listens: at an address, or at a file that is a socket. */
export type Place = { readonly host: string; readonly port: number } | { readonly path: string }

interface Main extends Server {
  [BESIDES]?: Server[]
}

const BESIDES = Symbol('besides')

/**
 * Listens at another place for a server that listens already; it takes the connections as its own.
 * @throws the error of the place
 */
export async function listenBesides(main: Server, place: Place): Promise<void> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    main.emit('connection', socket),
  )
  await once(server.listen(place), 'listening')
  ;((main as Main)[BESIDES] ??= []).push(server)
}

/** Where a server listens besides its own address. */
export function addressesBesides(main: Server): (AddressInfo | string)[] {
  const addresses = ((main as Main)[BESIDES] ?? []).map((server) => server.address())
  return addresses.filter((address) => address !== null)
}

/** Has one server's other places count as another's too, such as of the one whose connections it takes. */
export function shareBesides(from: Server, to: Server): void {
  ;(to as Main)[BESIDES] = (from as Main)[BESIDES] ??= []
}

/** Takes no more connections at the other places; resolves when those that are there have ended. */
export async function closeBesides(main: Server): Promise<void> {
  const servers = (main as Main)[BESIDES] ?? []
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
}

/** As long as a path of a socket may be on every system. */
const MAX_PATH = 103

/**
 * Takes a socket file away that nobody listens at any more, as a server leaves it that was killed.
 * @throws NotListening when somebody listens there, or no socket can be there
 */
export async function prepareSocketFile(path: string): Promise<void> {
  const problem = await problemOf(path)
  if (problem !== undefined)
    throw new NotListening(`Cannot listen on unix:${path}: ${problem}. Choose another with --listen`)
}

async function problemOf(path: string): Promise<string | undefined> {
  // The system would cut it off.
  if (Buffer.byteLength(path) > MAX_PATH) return `the path is over ${MAX_PATH} bytes long`
  if (!(await exists(dirname(path)))) return 'its folder is not there'
  const stats = await lstat(path).catch(() => undefined)
  if (stats === undefined) return undefined
  if (!stats.isSocket()) return 'there is a file already, which is not a socket'
  if (await isLive(path)) return 'another server listens there'
  await rm(path)
  return undefined
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function isLive(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    return await new Promise((resolve) => {
      socket.once('connect', () => resolve(true))
      // One that this user may not use is somebody's.
      socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'))
    })
  } finally {
    socket.destroy()
  }
}
