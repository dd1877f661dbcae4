import { setTimeout as wait } from 'node:timers/promises'

/** How a gateway goes, so that balancers send nothing more to it when it takes nothing more. */
export interface Leaving {
  readonly hasBegun: boolean
  /** Notes who looked whether the gateway is ready. */
  looked(address: string): void
  /** Says that it is not ready, and resolves once those who look again and again have seen that. */
  begin(): Promise<void>
}

interface Looker {
  at: number
  /** Between the last two times. */
  gap: number
  hasSeen: boolean
}

const MAX_LOOKERS = 64
const MAX_GAP_MS = 10_000
const MAX_WAIT_MS = 5000
const CHECK_MS = 10
/** What a balancer sent before it had its answer is on its way for so long. */
const ON_THE_WAY_MS = 500

/** Nobody has looked yet. */
export function createLeaving(now = (): number => performance.now()): Leaving {
  const lookers = new Map<string, Looker>()
  let hasBegun = false
  return {
    get hasBegun() {
      return hasBegun
    },
    looked(address) {
      const at = now()
      const known = lookers.get(address)
      const gap = known === undefined ? Infinity : at - known.at
      lookers.delete(address)
      lookers.set(address, { at, gap, hasSeen: hasBegun })
      const [oldest] = lookers.keys()
      if (lookers.size > MAX_LOOKERS && oldest !== undefined) lookers.delete(oldest)
    },
    async begin() {
      hasBegun = true
      const from = now()
      // A balancer looks again and again, and one that comes no more at its time has gone itself.
      const awaited = [...lookers]
        .filter(([, { at, gap }]) => gap <= MAX_GAP_MS && from - at <= MAX_GAP_MS)
        .map(([address, { gap }]) => ({ address, until: from + Math.min(MAX_WAIT_MS, 3 * gap) }))
      if (awaited.length === 0) return
      const isMissing = ({ address, until }: (typeof awaited)[number]): boolean =>
        now() < until && lookers.get(address)?.hasSeen !== true
      while (awaited.some(isMissing)) await wait(CHECK_MS)
      await wait(ON_THE_WAY_MS)
    },
  }
}
