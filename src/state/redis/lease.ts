import type { Ask } from './connection.ts'
import { defineScript } from './scripts.ts'

/** What one gateway at a time may hold: it ends by itself when it is not renewed. */
export interface Lease {
  /** Whether it is held for certain: it was renewed so lately that nobody else can have it. */
  readonly isHeld: boolean
  /** Who held it when that was last known; `undefined` where nobody did. */
  readonly holder: string | undefined
  /** Counts its holders, from 1: who acts for it can name this, and be refused after another has taken it. */
  readonly term: number
  /** Takes it where nobody else has it, and keeps it until it is released. Says whether it is held then. */
  take(): Promise<boolean>
  /** Gives it back, if it is held. */
  release(): Promise<void>
}

/** What a lease is made of. */
export interface LeaseOptions {
  readonly ask: Ask
  /** Its key; the count of its holders is kept beside it, below the same hash tag. */
  readonly key: string
  /** Who is to hold it: a text that nobody else uses. */
  readonly holder: string
  /** How long it lasts when it is not renewed. Default: 10 s. */
  readonly ms?: number
  /** Called when it was held and is no longer: another may act for it from then on. */
  readonly onLost?: () => void
}

const LEASE_MS = 10_000

const takeLease = defineScript(
  'takeLease',
  [],
  `local holder = redis.call('GET', KEYS[1])
if not holder then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return {ARGV[1], redis.call('INCR', KEYS[2])}
end
if holder == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return {holder, tonumber(redis.call('GET', KEYS[2]) or 0)}`,
)

/** Ends a lease that is held. KEYS: it. ARGV: its holder. */
export const releaseLease = defineScript(
  'releaseLease',
  ['allow-oom'],
  `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`,
)

/** A lease that is not held yet. It is renewed three times in its life, and counts as lost a little before it ends. */
export function createLease({ ask, key, holder, ms = LEASE_MS, onLost }: LeaseOptions): Lease {
  const keys = [key, `${key}:term`]
  let until = 0
  let wasHeld = false
  let seen: string | undefined
  let term = 0
  let releases = 0
  let renewal: NodeJS.Timeout | undefined
  let end: NodeJS.Timeout | undefined

  const isHeld = (): boolean => performance.now() < until
  const stop = (): void => {
    until = 0
    clearInterval(renewal)
    clearTimeout(end)
    renewal = end = undefined
  }
  const lose = (): void => {
    stop()
    if (!wasHeld) return
    wasHeld = false
    onLost?.()
  }
  // Counted from before it was requested for, so that nobody has it when this gateway thinks it has.
  const renew = async (): Promise<boolean> => {
    const [requested, before] = [performance.now(), releases]
    const [given, count] = (await ask.run(takeLease, keys, [holder, ms])) as [string, number]
    if (before !== releases) return false
    seen = given
    if (given !== holder || (wasHeld && count !== term)) {
      lose()
      if (given !== holder) return false
    }
    term = count
    wasHeld = true
    until = requested + ms * 0.9
    clearTimeout(end)
    end = setTimeout(() => !isHeld() && lose(), Math.max(0, until - performance.now()) + 1).unref()
    return isHeld()
  }

  return {
    get isHeld() {
      return isHeld()
    },
    get holder() {
      return seen
    },
    get term() {
      return term
    },
    async take() {
      const held = await renew()
      if (held) renewal ??= setInterval(() => void renew().catch(() => undefined), ms / 3).unref()
      return held
    },
    async release() {
      releases++
      wasHeld = false
      stop()
      seen = undefined
      await ask.run(releaseLease, keys.slice(0, 1), [holder])
    },
  }
}
