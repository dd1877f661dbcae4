import { isIP } from 'node:net'
import { StateFull, StateUnavailable, StateUncertain, StateUnusable, type SimError } from '../../errors.ts'
import type { Node, ServerAddress } from './address.ts'
import { reasonOf, withHelp } from './reasons.ts'
import type { Ask, Script } from './scripts.ts'
import { readTlsFiles } from './tls-files.ts'

/** One socket to the server, for as long as it holds. Calls of one turn of the event loop go out together. */
export interface Link {
  /**
   * @param replicas how many are to have what it writes before it is answered
   * @throws StateUnavailable, StateUncertain, StateFull
   */
  send(args: readonly string[], isReadOnly: boolean, replicas?: number): Promise<unknown>
  readonly isOpen: boolean
  /** Where it leads, as messages name it. */
  readonly text: string
  /** One link to each server that writes: itself, where that is one. */
  readonly primaries: readonly Link[]
  /** Ends it at once; what is under way fails. */
  drop(reason: string): void
  /** Ends it when all that is under way has been answered. */
  close(): Promise<void>
}

/** A link to one server, which may also hear what others publish there. From then on it is for nothing else. */
export interface ServerLink extends Link {
  /** @throws StateUnavailable */
  subscribe(channels: readonly string[], hear: (message: string, channel: string) => void): Promise<void>
}

/**
 * Makes a link, with a deadline of its own: when calls are out and nothing is heard for `quietMs`, it is closed.
 * @throws StateUnavailable where no connection is made in that time
 */
export type OpenLink = (quietMs: number, onEnd: (link: Link, reason: string) => void) => Promise<Link>

/** Makes the links of one gateway. */
export interface Links {
  readonly open: OpenLink
  /** Ends what it keeps itself besides the links that it made. */
  close(): void
}

/** The server does not know a script; never seen outside. */
class ScriptUnknown extends Error {}

/** Another node of a cluster has the slot; nothing was done. */
export class SlotElsewhere extends StateUnavailable {
  readonly slot: number
  readonly node: Node
  /** Whether it has the slot only for this command as yet. */
  readonly isOnce: boolean

  constructor(reason: string, slot: number, node: Node, isOnce: boolean) {
    super(reason)
    this.slot = slot
    this.node = node
    this.isOnce = isOnce
  }
}

type Module = typeof import('@redis/client')
type Client = ReturnType<Module['createClient']>

const TICKS = 10
/** How long a write waits for replicas. */
const WAIT_MS = 1000

/** Connects to one server. */
export async function openLink(
  address: ServerAddress,
  ...[quietMs, onEnd]: Parameters<OpenLink>
): Promise<ServerLink> {
  const module = await load()
  const { createClient } = module
  const { host, port, path, isSecure, tls, username, password, database } = address
  const place = path === undefined ? { host: host as string, port: port as number } : { path }
  const client = createClient({
    socket: {
      ...place,
      ...(isSecure && {
        tls: true as const,
        ...(isIP(host as string) === 0 && { servername: host as string }),
        ...(await readTlsFiles(address, tls)),
      }),
      reconnectStrategy: false,
      connectTimeout: quietMs,
    } as never,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...{ database, RESP: 2, disableOfflineQueue: true, disableClientInfo: true },
    maintNotifications: 'disabled',
    // Its timeout of each command notices no server that hangs, and makes a call cost four times as much.
    commandOptions: { timeout: undefined } as never,
  }) as unknown as Client
  const link = new ClientLink(client, module, address, quietMs, onEnd)
  await (isSecure && tls?.cert === undefined ? connectWithoutCertificate(link) : link.connect())
  return link
}

// In TLS 1.3 a server refuses that after the handshake, and may be gone before its reason is read.
async function connectWithoutCertificate(link: ClientLink): Promise<void> {
  try {
    await link.connect()
    await link.send(['PING'], true)
  } catch (error) {
    if (link.isOpen) return
    const reason = reasonOf(error)
    throw /ECONNRESET|EPIPE/.test(reason)
      ? new StateUnavailable(withHelp(reason, 'CERTIFICATE_REQUIRED'))
      : error
  }
}

/** Runs a script on a link, and sends its source where the server does not know it. */
export async function runScript(
  link: Link,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
  replicas?: number,
): Promise<unknown> {
  const command = ['EVALSHA', script.sha, String(keys.length), ...keys]
  for (const each of args) command.push(String(each))
  try {
    return await link.send(command, script.isReadOnly, replicas)
  } catch (error) {
    if (!(error instanceof ScriptUnknown)) throw error
    return link.send(['EVAL', script.source, ...command.slice(2)], script.isReadOnly, replicas)
  }
}

/** Sends scripts and commands on one link alone. */
export function askOn(link: Link, replicas?: number): Ask {
  return {
    run: (script, keys, args) => runScript(link, script, keys, args, replicas),
    command: (args, isReadOnly = false) => link.send(args, isReadOnly),
  }
}

class ClientLink implements ServerLink {
  readonly #client: Client
  readonly #module: Module
  readonly text: string
  readonly #host: string
  readonly #onEnd: (link: Link, reason: string) => void
  readonly #timer: NodeJS.Timeout
  #pending = 0
  /** How often the timer has come since something was heard: a process that was busy itself counts once. */
  #quiet = 0
  #ended: string | undefined
  #isDestroyed = false

  constructor(
    client: Client,
    module: Module,
    { text, host = '' }: ServerAddress,
    quietMs: number,
    onEnd: (link: Link, reason: string) => void,
  ) {
    this.#client = client
    this.#module = module
    this.text = text
    this.#host = host
    this.#onEnd = onEnd
    client.on('error', (error: unknown) => this.drop(reasonOf(error)))
    this.#timer = setInterval(() => {
      if (this.#pending > 0 && ++this.#quiet >= TICKS) this.drop(`nothing was heard for ${quietMs} ms`)
    }, quietMs / TICKS)
    this.#timer.unref()
  }

  get isOpen(): boolean {
    return this.#ended === undefined
  }

  async connect(): Promise<void> {
    this.#pending++
    try {
      await this.#client.connect()
    } catch (error) {
      this.drop(reasonOf(error))
    }
    this.#pending--
    if (this.#ended !== undefined) throw new StateUnavailable(this.#named(this.#ended))
  }

  get primaries(): readonly Link[] {
    return [this]
  }

  send(args: readonly string[], isReadOnly: boolean, replicas = 0): Promise<unknown> {
    return replicas === 0 || isReadOnly ? this.#send(args, isReadOnly) : this.#replicate(args, replicas)
  }

  async #replicate(args: readonly string[], replicas: number): Promise<unknown> {
    const [reply, reached] = await Promise.all([
      this.#send(args, false),
      this.#send(['WAIT', String(replicas), String(WAIT_MS)], true).then(Number),
    ])
    if (reached >= replicas) return reply
    throw new StateUncertain(`${reached} of ${replicas} replicas have it`)
  }

  #send(args: readonly string[], isReadOnly: boolean): Promise<unknown> {
    if (this.#pending++ === 0) this.#quiet = 0
    return this.#client.sendCommand(args as string[]).then(
      (reply) => {
        this.#pending--
        this.#quiet = 0
        return reply
      },
      (error: Error) => {
        this.#pending--
        throw this.#failure(error, isReadOnly)
      },
    )
  }

  async subscribe(
    channels: readonly string[],
    hear: (message: string, channel: string) => void,
  ): Promise<void> {
    await this.#client.subscribe([...channels], hear).catch((error: Error) => {
      throw this.#failure(error, true)
    })
  }

  drop(reason: string): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    clearInterval(this.#timer)
    this.#client.destroy()
    this.#end(reason)
  }

  async close(): Promise<void> {
    if (this.#ended !== undefined) return
    this.#ended = 'it was closed'
    await this.#finish()
  }

  // What is under way is still answered, so that whether it was done is known.
  #leave(reason: string): void {
    if (this.#end(reason)) void this.#finish()
  }

  #end(reason: string): boolean {
    if (this.#ended !== undefined) return false
    this.#ended = reason
    this.#onEnd(this, reason)
    return true
  }

  async #finish(): Promise<void> {
    await this.#client.close().catch(() => {})
    clearInterval(this.#timer)
  }

  #failure(error: Error, isReadOnly: boolean): SimError | ScriptUnknown {
    const { ErrorReply, ClientClosedError, ClientOfflineError } = this.#module
    if (error instanceof ErrorReply) return this.#refusal(error)
    const reason = this.#named(this.#ended ?? reasonOf(error))
    const wasSent = !(error instanceof ClientClosedError || error instanceof ClientOfflineError)
    return wasSent && !isReadOnly ? new StateUncertain(reason) : new StateUnavailable(reason)
  }

  // What the server refuses, it has not begun.
  #refusal({ message }: Error): SimError | ScriptUnknown {
    this.#quiet = 0
    const [word] = message.split(' ', 1)
    if (word === 'NOSCRIPT') return new ScriptUnknown()
    if (word === 'OOM') return new StateFull()
    if (word === 'MOVED' || word === 'ASK') return this.#elsewhere(message)
    // Another server is the primary by now, and a new connection may lead there.
    if (word === 'READONLY' || word === 'UNBLOCKED') setImmediate(() => this.#leave(message))
    return new StateUnavailable(this.#named(withHelp(message)))
  }

  // A node that does not know the name of another says only its port.
  #elsewhere(message: string): SimError {
    const [word, slot, where = ''] = message.split(' ')
    const at = where.lastIndexOf(':')
    const node = { host: where.slice(0, at) || this.#host, port: Number(where.slice(at + 1)) }
    return new SlotElsewhere(this.#named(message), Number(slot), node, word === 'ASK')
  }

  #named(reason: string): string {
    return `${this.text}: ${reason}`
  }
}

async function load(): Promise<Module> {
  try {
    return await import('@redis/client')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StateUnusable(['Shared state needs the package @redis/client: npm install @redis/client@6'])
  }
}
