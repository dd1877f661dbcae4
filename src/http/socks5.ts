import { isIPv6, type Socket } from 'node:net'
import { SimError } from '../errors.ts'
import type { AuthenticateClient } from './credentials.ts'
import type { Log, NoteAside } from './log.ts'
import {
  CONNECT,
  createReader,
  LOGIN_VERSION,
  NO_METHOD,
  PASSWORD,
  readAddress,
  REPLIES,
  VERSION,
  WITHOUT_LOGIN,
  type Read,
  type Reply,
} from './socks5-bytes.ts'
import { noteRefused, type OpenTunnel } from './tunnel.ts'

/** Speaks SOCKS5 with a client: what it wants to be connected to becomes a tunnel, as after CONNECT. */
export type ServeSocks5 = (client: Socket) => Promise<void>

/** What SOCKS5 needs. */
export interface Socks5Options {
  readonly authenticate: AuthenticateClient
  readonly openTunnel: OpenTunnel
  readonly log: Log
  readonly noteAside: NoteAside | undefined
  /** How long a client may take until it has said what it wants. */
  readonly timeoutMs: number
}

/** Replies by the codes of errors, and of what caused them. */
const BY_CODE: Readonly<Record<string, Reply>> = {
  SIM_TARGET_REFUSED: 'notAllowed',
  SIM_UPSTREAM_OFFLINE: 'networkUnreachable',
  SIM_UPSTREAM_PROXY_REFUSED: 'notAllowed',
  ENETUNREACH: 'networkUnreachable',
  SIM_UPSTREAM_NAME_UNKNOWN: 'hostUnreachable',
  EHOSTUNREACH: 'hostUnreachable',
  SIM_UPSTREAM_UNREACHABLE: 'refused',
  SIM_UPSTREAM_CONNECT_TIMEOUT: 'expired',
  SIM_UPSTREAM_TIMEOUT: 'expired',
}

/** What a client said that no tunnel comes of: the bytes that answer it. */
class Refusal extends Error {
  readonly bytes: readonly number[]

  constructor(bytes: readonly number[]) {
    super()
    this.bytes = bytes
  }
}

/** SOCKS5 as RFC 1928 and RFC 1929 have it: CONNECT to names and addresses, with a user name and password or without. */
export function createSocks5(options: Socks5Options): ServeSocks5 {
  const { openTunnel, log, noteAside, timeoutMs } = options
  return async (client) => {
    const timer = setTimeout(() => client.destroy(), timeoutMs)
    const end = (bytes: readonly number[]): void =>
      void client.end(Buffer.from(bytes), () => client.destroy())
    try {
      const read = createReader(client)
      const user = await logIn(read, client, options.authenticate)
      const authority = await readRequest(read)
      clearTimeout(timer)
      const accept = (): void => void client.write(Buffer.from(replyOf('succeeded')))
      const refuse = (error: SimError): void => {
        // Its reply is one byte, so the reason stands here.
        log.warn(`SOCKS5 to ${authority} was refused: ${error.message} (${error.code})`)
        end(replyOf(replyTo(error)))
        noteRefused(noteAside, authority, error)
      }
      await openTunnel(client, { authority, user }, { accept, refuse })
    } catch (error) {
      clearTimeout(timer)
      if (error instanceof Refusal) end(error.bytes)
      else client.destroy()
    }
  }
}

async function logIn(
  read: Read,
  client: Socket,
  authenticate: AuthenticateClient,
): Promise<string | undefined> {
  const [, count = 0] = await read(2)
  const methods = await read(count)
  const noMethod = new Refusal([VERSION, NO_METHOD])
  // Who offers to say who they are has something to say, which may name their session.
  if (!methods.includes(PASSWORD)) {
    const user = methods.includes(WITHOUT_LOGIN) && attempt(() => authenticate(undefined), noMethod)
    if (user === false) throw noMethod
    client.write(Buffer.from([VERSION, WITHOUT_LOGIN]))
    return user
  }
  client.write(Buffer.from([VERSION, PASSWORD]))
  const refused = new Refusal([LOGIN_VERSION, 1])
  const [version, nameLength = 0] = await read(2)
  if (version !== LOGIN_VERSION) throw refused
  const name = await read(nameLength)
  const [passwordLength = 0] = await read(1)
  const password = await read(passwordLength)
  const pair = Buffer.concat([name, Buffer.from(':'), password]).toString('base64')
  const user = attempt(() => authenticate(`Basic ${pair}`), refused)
  client.write(Buffer.from([LOGIN_VERSION, 0]))
  return user
}

function attempt<Result>(act: () => Result, refusal: Refusal): Result {
  try {
    return act()
  } catch (error) {
    throw SimError.is(error) ? refusal : error
  }
}

/** The authority that a client wants to be connected to, in the form of CONNECT. */
async function readRequest(read: Read): Promise<string> {
  const [version, command] = await read(3)
  if (version !== VERSION) throw new Refusal(replyOf('failed'))
  const address = await readAddress(read)
  if (address === undefined) throw new Refusal(replyOf('addressUnknown'))
  const { host, port } = address
  if (command !== CONNECT) throw new Refusal(replyOf('commandUnknown'))
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`
}

// The address that a tunnel has on its other side means nothing where it may end here.
function replyOf(reply: Reply): readonly number[] {
  return [VERSION, REPLIES[reply], 0, 1, 0, 0, 0, 0, 0, 0]
}

function replyTo(error: SimError): Reply {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
  return BY_CODE[code ?? ''] ?? BY_CODE[error.code] ?? 'failed'
}
