import { StateUnavailable } from '../../errors.ts'
import { nodeText, type Node, type StateAddress } from './address.ts'
import { openLink, SlotElsewhere, type Link, type OpenLink } from './link.ts'
import { reasonOf } from './reasons.ts'
import { SLOTS, slotOf } from './slot.ts'

/** How often a command goes on to another node that is said to have its slot. */
const MAX_HOPS = 5

/**
 * Links to all primaries of a cluster, whose nodes say anew for each which there are.
 * @param home the key by whose slot a command goes that names none
 */
export function linksByCluster(address: StateAddress, nodes: readonly Node[], home: string): OpenLink {
  let known = nodes
  return async (quietMs, onEnd) => {
    const failures: string[] = []
    for (const node of known) {
      const ranges = await slotsBy(address, node, quietMs).catch((error: unknown) => {
        if (!(error instanceof StateUnavailable)) throw error
        failures.push(reasonOf(error))
        return undefined
      })
      if (ranges === undefined) continue
      const all = [...ranges.map(({ primary }) => primary), ...nodes]
      // Another is the first the next time, since this one may know less than others.
      const others = new Map(all.map((each) => [nodeText(each), each]))
      others.delete(nodeText(node))
      known = [...others.values(), node]
      const link = new ClusterLink(address, home, quietMs, onEnd)
      await link.open(ranges)
      return link
    }
    throw new StateUnavailable(`${address.text}: ${failures.join('; ')}`)
  }
}

interface SlotRange {
  readonly from: number
  readonly to: number
  readonly primary: Node
}

async function slotsBy(address: StateAddress, node: Node, quietMs: number): Promise<SlotRange[]> {
  const link = await openLink({ ...address, ...node, text: nodeText(node) }, quietMs, () => undefined)
  try {
    const reply = (await link.send(['CLUSTER', 'SLOTS'], true)) as readonly (readonly [
      from: number,
      to: number,
      primary: readonly [host: string | null, port: number],
    ])[]
    // A node that does not know its own name has that by which it was reached.
    return reply.map(([from, to, [host, port]]) => ({
      ...{ from, to, primary: { host: host === null || host === '' ? node.host : host, port } },
    }))
  } finally {
    link.drop('it is no longer needed')
  }
}

/** One link to each primary of a cluster. It ends with the first of them, since all that was seen is then to be checked. */
class ClusterLink implements Link {
  readonly text: string
  readonly #address: StateAddress
  readonly #home: number
  readonly #quietMs: number
  readonly #onEnd: (link: Link, reason: string) => void
  readonly #byNode = new Map<string, Promise<Link>>()
  readonly #bySlot: Link[] = []
  #ended: string | undefined

  constructor(
    address: StateAddress,
    home: string,
    quietMs: number,
    onEnd: (link: Link, reason: string) => void,
  ) {
    this.text = address.text
    this.#address = address
    this.#home = slotOf(home)
    this.#quietMs = quietMs
    this.#onEnd = onEnd
  }

  get isOpen(): boolean {
    return this.#ended === undefined
  }

  get primaries(): readonly Link[] {
    return [...new Set(this.#bySlot)]
  }

  async open(ranges: readonly SlotRange[]): Promise<void> {
    try {
      const opened = ranges.map(async ({ from, to, primary }) => {
        const link = await this.#linkTo(primary)
        for (let slot = from; slot <= to; slot++) this.#bySlot[slot] = link
      })
      await Promise.all(opened)
      const without = Array.from({ length: SLOTS }, (_, slot) => slot).find((slot) => !(slot in this.#bySlot))
      if (without !== undefined) throw new StateUnavailable(`no node of the cluster has the slot ${without}`)
    } catch (error) {
      this.drop(reasonOf(error))
      throw error
    }
  }

  async send(args: readonly string[], isReadOnly: boolean, replicas = 0): Promise<unknown> {
    let link = this.#bySlot[keySlot(args) ?? this.#home] as Link
    for (let hops = 0; ; hops++) {
      try {
        return await link.send(args, isReadOnly, replicas)
      } catch (error) {
        // A node that refers to another has done nothing, so that nothing is done twice.
        if (!(error instanceof SlotElsewhere) || hops === MAX_HOPS || !this.isOpen) throw error
        // A replica that was made the primary may lack what was written last, which is checked by another link.
        if (!error.isOnce && !this.#byNode.has(nodeText(error.node))) {
          setImmediate(() => this.drop(reasonOf(error)))
          throw error
        }
        link = await this.#linkTo(error.node)
        if (error.isOnce) void link.send(['ASKING'], true).catch(() => undefined)
        else this.#bySlot[error.slot] = link
      }
    }
  }

  drop(reason: string): void {
    if (this.#ended !== undefined) return
    this.#ended = reason
    for (const link of this.#byNode.values())
      void link.then(
        (each) => each.drop(reason),
        () => undefined,
      )
    this.#onEnd(this, reason)
  }

  async close(): Promise<void> {
    this.#ended ??= 'it was closed'
    await Promise.all([...this.#byNode.values()].map(async (link) => (await link).close()))
  }

  #linkTo(node: Node): Promise<Link> {
    const name = nodeText(node)
    let link = this.#byNode.get(name)
    if (link === undefined) {
      const text = `${this.#address.text} (node ${name})`
      link = openLink({ ...this.#address, ...node, text }, this.#quietMs, (_, reason) => {
        this.#byNode.delete(name)
        this.drop(`${name}: ${reason}`)
      })
      this.#byNode.set(name, link)
      link.catch(() => undefined)
    }
    return link
  }
}

// All keys of a script or a command have the same hash tag, and the first is before all values.
function keySlot(args: readonly string[]): number | undefined {
  const key = args.find((arg, index) => index > 0 && arg.startsWith('sim:{'))
  return key === undefined ? undefined : slotOf(key)
}
