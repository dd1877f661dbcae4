import { setTimeout as wait } from 'node:timers/promises'
import { nodeText, type Node, type Sentinels, type StateAddress } from './address.ts'
import { openLink, type OpenLink, type ServerLink } from './link.ts'
import { reasonOf } from './reasons.ts'

/** A sentinel that says nothing in this time is passed over. */
const QUIET_MS = 1000

/**
 * Does something on a new link to a sentinel. Most sentinels have no password, and refuse who gives one.
 * @throws StateUnavailable
 */
export async function onSentinel<T>(
  { isSecure, tls, username, password }: StateAddress,
  sentinel: Node,
  work: (link: ServerLink) => Promise<T>,
  onEnd: Parameters<OpenLink>[1] = () => undefined,
): Promise<T> {
  const own = { ...sentinel, text: nodeText(sentinel), isSecure, ...(tls && { tls }), database: 0 }
  const credentials = {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  }
  const attempt = async (address: Parameters<typeof openLink>[0]): Promise<T> => {
    const link = await openLink(address, QUIET_MS, onEnd)
    try {
      return await work(link)
    } catch (error) {
      link.drop(reasonOf(error))
      throw error
    }
  }
  return attempt(own).catch((error: unknown) => {
    if (/\bNOAUTH\b/.test(reasonOf(error))) return attempt({ ...own, ...credentials })
    throw error
  })
}

/**
 * Hears from sentinels that a replica takes the place of the primary. The one that leads says so some tenths of a second
 * before it begins, and the primary of before may take writes for ten seconds after, which are lost.
 */
export class SentinelWatch {
  readonly #address: StateAddress
  readonly #sentinels: Sentinels
  readonly #onChange: (next: Node | undefined) => void
  readonly #links = new Set<ServerLink>()
  #opened: Promise<unknown> | undefined
  #isClosed = false

  /** @param onChange with the next primary, or without one while it is chosen */
  constructor(address: StateAddress, sentinels: Sentinels, onChange: (next: Node | undefined) => void) {
    this.#address = address
    this.#sentinels = sentinels
    this.#onChange = onChange
  }

  /** Resolves once all sentinels are heard that can be reached. */
  async open(): Promise<void> {
    this.#opened ??= Promise.all(this.#sentinels.nodes.map((node) => this.#listen(node)))
    await this.#opened
  }

  close(): void {
    this.#isClosed = true
    for (const link of this.#links) link.drop('it was closed')
  }

  async #listen(node: Node): Promise<void> {
    let own: ServerLink | undefined
    const subscribe = async (link: ServerLink): Promise<void> => {
      await link.subscribe(['+elected-leader', '+switch-master'], (message) => this.#hear(message))
      own = link
      this.#links.add(link)
    }
    await onSentinel(this.#address, node, subscribe, (ended) => {
      if (ended !== own || own === undefined) return
      this.#links.delete(own)
      void this.#again(node)
    }).catch(() => void this.#again(node))
    if (this.#isClosed) own?.drop('it was closed')
  }

  async #again(node: Node): Promise<void> {
    await wait(QUIET_MS, undefined, { ref: false })
    if (!this.#isClosed) await this.#listen(node)
  }

  // Such as `master shop 10.0.0.1 6379`, and `shop 10.0.0.1 6379 10.0.0.2 6379` with the next.
  #hear(message: string): void {
    const [first, second, , host = '', port] = message.split(' ')
    const { primary } = this.#sentinels
    if (first === primary && port !== undefined) this.#onChange({ host, port: Number(port) })
    else if (first === 'master' && second === primary) this.#onChange(undefined)
  }
}
