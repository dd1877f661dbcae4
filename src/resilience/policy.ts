import type { Attempt } from './attempts.ts'

/** How long a client waits before its retries, as a range of milliseconds for each. */
export interface Policy {
  /** What it was made from, such as `×2 from 100 ms`. */
  readonly name: string
  /** Attempts of a call at most. */
  readonly attempts: number
  /** Whether it waits as answers request it. */
  readonly heeds: boolean
  /** How many of its waits are numbers of their own, 1 by default; those after them follow from them by a rule. */
  readonly own?: number
  /** How long after the end of a call it makes the next, where it makes one after another; as soon as it can by default. */
  readonly next?: readonly [least: number, most: number]
  /** @param retry counted from 1 */
  wait(retry: number): readonly [least: number, most: number]
}

/** Retries linked to what they retry. */
export interface Linked {
  /** The attempt before, by attempt. */
  readonly previous: ReadonlyMap<Attempt, Attempt>
  /** How unlikely the arrivals are under this policy, in nats. */
  readonly cost: number
  readonly followed: readonly number[]
  readonly failed: readonly number[]
}

/** How soon a client that makes one call after another makes the next. */
export const NEXT_CALL_MS = 4
/** Nats of a call on a connection that was opened for it, of one that begins along with others, of a further retry. */
const OPENED = 1
/** Who opens a connection for each request does not come again sooner. */
const OPENING_MS = 10
const JOINED = 0.8
/** From this wait on, retries of calls that failed together come together: those after the first are expected. */
const PATIENT_MS = 15
const REUSED = 1.5
const FURTHER = 0.5
/** The same of a request that says itself that it is a retry, where it is taken for a call. */
const STATED = 5

interface Open {
  readonly attempt: Attempt
  readonly depth: number
  readonly least: number
  readonly most: number
}

/** Links attempts by a policy. Requests of one group are alike; a group has them in the order in which they came. */
export function linkBy(policy: Policy, groups: readonly (readonly Attempt[])[], reuses: boolean): Linked {
  const previous = new Map<Attempt, Attempt>()
  const followed: number[] = []
  const failed: number[] = []
  const [soonest, latest] = policy.next ?? [-1, NEXT_CALL_MS]
  let cost = 0
  // How often a call that has ended is followed by another one.
  let [ends, nexts] = [0, 0]
  for (const group of groups) {
    const depths = new Map<Attempt, number>()
    const due: Open[] = []
    const ended: number[] = []
    // While a client still opens connections, its calls have begun at once: what comes on a used one is a retry.
    const opened = reuses ? (group.findLast(({ isFirst }) => isFirst)?.arrived ?? 0) : 0
    const waiting = group.toSorted((a, b) => a.ended - b.ended)
    const last = group.at(-1)?.arrived ?? 0
    let begun = -Infinity
    // When the latest retry came, by depth.
    const retried: number[] = []
    const uncaused = Math.log(2 + last - (group[0]?.arrived ?? 0))
    let at = 0
    const settle = (now: number): void => {
      for (let next = waiting[at]; next !== undefined && next.ended <= now + 0.5; next = waiting[++at]) {
        const depth = depths.get(next)
        if (depth === undefined) return
        if (next.hasFailed && depth < policy.attempts) {
          failed[depth] = (failed[depth] ?? 0) + 1
          const [least, most] = rangeOf(policy, next, depth)
          due.push({ attempt: next, depth, least: next.ended + least, most: next.ended + most })
        } else {
          ended.push(next.ended)
          if (next.ended + latest < last) ends++
        }
      }
    }
    for (const attempt of group) {
      settle(attempt.arrived)
      const { index, count } = candidateFor(attempt, due, reuses)
      const open = due[index]
      if (open !== undefined) {
        due.splice(index, 1)
        previous.set(attempt, open.attempt)
        depths.set(attempt, open.depth + 1)
        followed[open.depth] = (followed[open.depth] ?? 0) + 1
        // A wait that may be anything is more likely short than long.
        const wait = attempt.arrived - open.attempt.ended
        const alone =
          Math.min(Math.log(2 + open.most - open.least), Math.log(2 + wait) + 1.5) - Math.log(count)
        const isPatient = open.least - open.attempt.ended > PATIENT_MS
        const gap = attempt.arrived - (retried[open.depth] ?? -Infinity)
        // Of several that are due, the next is let go when the client has done with the one before.
        const soon = gap < NEXT_CALL_MS ? Math.log((1 + NEXT_CALL_MS) / count) : Infinity
        const together = Math.min(Math.log(1 + gap), soon)
        cost += isPatient ? Math.min(alone, together) : alone
        retried[open.depth] = attempt.arrived
        continue
      }
      depths.set(attempt, 1)
      while (attempt.arrived - (ended[0] ?? Infinity) >= latest) ended.shift()
      const isCause = (moment: number): boolean => attempt.arrived - moment >= soonest
      const cause = ended.findLastIndex(isCause)
      const joined = JOINED + Math.log(1 + attempt.arrived - begun)
      begun = attempt.arrived
      if (!attempt.isFirst && attempt.arrived < opened) cost += REUSED
      if ((attempt.ordinal ?? 1) > 1) cost += STATED
      if (attempt.isFirst && reuses) cost += OPENED
      else if (cause >= 0) {
        cost += Math.log((1 + latest - Math.max(0, soonest)) / ended.filter(isCause).length)
        // One that nothing has followed is not what all that comes later follows.
        ended.splice(cause, 1)
        nexts++
      } else cost += Math.min(joined, uncaused) + (reuses ? REUSED : 0)
    }
    settle(Infinity)
  }
  const { own = 1 } = policy
  for (let depth = 1; depth < failed.length; depth++) {
    cost += entropy(followed[depth] ?? 0, failed[depth] ?? 0) + FURTHER
    if (depth <= own) cost += Math.log(1 + Math.max(0, policy.wait(depth)[0]))
  }
  return { previous, cost: cost + entropy(Math.min(nexts, ends), ends), followed, failed }
}

function rangeOf(policy: Policy, attempt: Attempt, depth: number): readonly [number, number] {
  const [least, most] = policy.wait(depth)
  if (!policy.heeds || attempt.wanted === undefined) return [least, most]
  // Moments are stated in whole seconds; some wait their own time besides.
  return [attempt.wanted - 30, Math.max(attempt.wanted * 1.25, attempt.wanted + Math.max(most, 100)) + 100]
}

// The one that has waited longest of those whose time has come. Those whose time has passed are left out from then on.
function candidateFor(
  attempt: Attempt,
  due: Open[],
  reuses: boolean,
): { readonly index: number; readonly count: number } {
  let [index, count, latest, kept] = [-1, 0, -Infinity, 0]
  for (const open of due) {
    if (attempt.arrived > open.most) continue
    const place = kept++
    due[place] = open
    if (attempt.arrived < open.least) continue
    if (attempt.ordinal !== undefined && attempt.ordinal !== open.depth + 1) continue
    // A client opens no connection while it has one that is free.
    if (attempt.isFirst && open.attempt.status !== undefined)
      if (reuses || attempt.arrived - open.attempt.ended < OPENING_MS) continue
    const late = (attempt.arrived - open.least) / (1 + open.most - open.least)
    count++
    if (late > latest) [index, latest] = [place, late]
  }
  due.length = kept
  return { index, count }
}

function entropy(part: number, whole: number): number {
  if (whole === 0) return 0
  const cost = 0.5 * Math.log(whole)
  if (part === 0 || part === whole) return cost
  const share = part / whole
  return cost - whole * (share * Math.log(share) + (1 - share) * Math.log(1 - share))
}
