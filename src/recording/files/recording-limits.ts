import type { Exchange } from '../exchange.ts'
import { addTo, bodiesOf, createRepeats, type Extent, measure, rewrite } from './rewrite.ts'

/** How much a recording may hold while it is written. */
export interface RecordingLimits {
  /** The most exchanges. Where one more comes, the oldest go until three quarters are left. */
  readonly maxExchanges?: number | undefined
  /** The most bytes, bodies included; likewise. */
  readonly maxBytes?: number | undefined
  /** Whether an exchange is left out that says the same as the one before it of the same request. */
  readonly dedupe?: boolean | undefined
}

/** Keeps a recording within its limits. */
interface Keeper {
  /** Whether there are no limits, so that nothing needs to be checked or counted. */
  readonly takesAll: boolean
  /** Whether an exchange is worth writing; notes it. */
  accepts(exchange: Exchange): boolean
  /** Counts an exchange that was written. */
  add(exchange: Exchange, lineBytes: number): Promise<void>
  /** Whether there is more than may be. */
  isOver(): boolean
  /**
   * Makes the recording smaller; its file is another one then.
   * @param isSpared whether a body stays although no exchange names it yet
   */
  shrink(isSpared: (sha256: string) => boolean): Promise<void>
}

const SHARE = 3 / 4

/** Looks at what a recording holds, if that matters to its limits. */
export async function createKeeper(directory: string, limits: RecordingLimits): Promise<Keeper> {
  const { maxExchanges = Infinity, maxBytes = Infinity, dedupe = false } = limits
  const isBounded = maxExchanges < Infinity || maxBytes < Infinity
  const repeats = createRepeats()
  let extent: Extent | undefined =
    isBounded || dedupe ? await measure(directory, (each) => void repeats.isRepeated(each)) : undefined
  if (!isBounded) extent = undefined
  return {
    takesAll: !isBounded && !dedupe,
    accepts: (exchange) => !(dedupe && repeats.isRepeated(exchange)),
    async add(exchange, lineBytes) {
      if (extent !== undefined) await addTo(extent, directory, bodiesOf(exchange), lineBytes)
    },
    isOver: () => extent !== undefined && (extent.exchanges > maxExchanges || extent.bytes > maxBytes),
    async shrink(isSpared) {
      extent = await rewrite(directory, {
        maxExchanges: Math.max(1, Math.floor(maxExchanges * SHARE)),
        maxBytes: maxBytes * SHARE,
        isSpared,
      })
    },
  }
}
