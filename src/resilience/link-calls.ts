import { groupBy } from '../grouping.ts'
import { canFollow, isCall, type Attempt, type Call } from './attempts.ts'
import { candidates, withoutRetries } from './candidates.ts'
import { chanceOf, chanceOfLinks } from './evidence.ts'
import { IMMEDIATE_MS, waitsOf } from './waits.ts'
import { linkBy, type Linked, type Policy } from './policy.ts'

/** At most so many requests are looked at to find the policy, fewer to choose those that may be it. */
const SAMPLE = 1500
const FEW = 300
const FITTED = 24

/** The logical calls of a client. */
export interface Calls {
  /** In the order in which they began; of one request each where it is not clear. */
  readonly calls: readonly Call[]
  /** Whether requests show if there are retries among them. */
  readonly areClear: boolean
}

/** The logical calls that attempts belong to. */
export function callsOf(attempts: readonly Attempt[]): Calls {
  const groups = groupBy(attempts, ({ alike, call = '' }) => `${alike}\n${call}`)
  const lists = [...groups.values()]
  // Who opens a connection for each request does not show which are retries.
  const connections = attempts.flatMap(({ connection }) => connection ?? [])
  const reuses = new Set(connections).size < connections.length
  const areKnown = areCalls(lists)
  const policy = areKnown ? undefined : bestPolicy(firstOf(lists, SAMPLE), reuses)
  if (!areKnown && policy === undefined)
    return { calls: attempts.map((attempt) => [attempt]), areClear: false }
  const previous = policy === undefined ? inTurn(lists) : linkBy(policy, lists, reuses).previous
  const calls = new Map<Attempt, Attempt[]>()
  for (const attempt of attempts) {
    const before = previous.get(attempt)
    const call = (before && calls.get(before)) ?? []
    call.push(attempt)
    calls.set(attempt, call)
  }
  return { calls: [...new Set(calls.values())], areClear: true }
}

const MOST = 0.9
const MOSTLY = 0.7
/** By what each wait is longer than the one before where waits grow; and what more attempts than these are not. */
const GROWING = 1.3
const MAX_ATTEMPTS = 11
/** So few gaps show nothing; and from how many standard deviations on gaps differ by more than by chance. */
const FEWEST = 3
/** Who makes one request after another has one connection, and another one where the first is not free at once. */
const FEW_CONNECTIONS = 2
const SIGNIFICANT = 1.65

// Whether requests that are alike are those of one call: two calls that are alike would meet, or come after a success.
function areCalls(groups: readonly (readonly Attempt[])[]): boolean {
  const several = groups.filter(({ length }) => length > 1)
  const [one] = several
  if (several.length === 1 && one !== undefined) return isCall(one) && hasWaited(one)
  return several.length > 1 && several.filter(isCall).length >= MOST * several.length
}

// Of one call alone: who starts a process for each call opens connections and waits for no longer each time, and calls
// straight after each other are calls of their own.
function hasWaited(call: Call): boolean {
  const waits = waitsOf([call]).map(({ ms }) => ms)
  const [{ connection }] = call as readonly [Attempt]
  const isKept = connection !== undefined && call.every((attempt) => attempt.connection === connection)
  const isGrowing = waits.length > 1 && waits.every((ms, index) => ms > GROWING * (waits[index - 1] ?? 0))
  return waits.every((ms) => ms >= IMMEDIATE_MS) && (isGrowing || (isKept && call.length <= MAX_ATTEMPTS))
}

// Whether requests that never meet come after failures as soon as after all else: who waits before retries has other gaps there.
function comeAnyway(groups: readonly (readonly Attempt[])[]): boolean {
  const [group = []] = groups
  if (groups.length !== 1) return false
  const gaps = group.slice(1).map((attempt, index) => attempt.arrived - (group[index] as Attempt).ended)
  const connections = new Set(group.map(({ connection }) => connection))
  if (connections.size > FEW_CONNECTIONS || gaps.some((gap) => gap < -1)) return false
  const after = (isFailure: boolean): number[] =>
    gaps.filter((_, index) => group[index]?.hasFailed === isFailure)
  const [failures, others] = [after(true), after(false)]
  if (Math.min(failures.length, others.length) < FEWEST) return false
  // The share of pairs in which the gap after a failure is the longer one, and by how much chance makes it differ from a half.
  const longer = failures.reduce((sum, gap) => sum + others.filter((other) => other < gap).length, 0)
  const deviation = Math.sqrt((gaps.length + 1) / (12 * failures.length * others.length))
  return longer / (failures.length * others.length) < 0.5 + deviation * SIGNIFICANT
}

function inTurn(groups: readonly (readonly Attempt[])[]): ReadonlyMap<Attempt, Attempt> {
  return new Map(
    groups.flatMap((group) =>
      group.flatMap((attempt, index): readonly [Attempt, Attempt][] => {
        const before = group[index - 1]
        return before !== undefined && canFollow(before, attempt) ? [[attempt, before]] : []
      }),
    ),
  )
}

function firstOf(groups: readonly (readonly Attempt[])[], count: number): readonly (readonly Attempt[])[] {
  const chosen: (readonly Attempt[])[] = []
  let left = count
  for (const group of groups.toSorted((a, b) => b.length - a.length)) {
    if (left <= 0) break
    chosen.push(group.slice(0, left))
    left -= group.length
  }
  return chosen
}

/** How much more a policy has to explain than calls that follow each other as soon as they can. */
const PREFERRED = 3
/** The least of that for each request: among many policies, some fit by chance. */
const PREFERRED_EACH = 0.2
/** The same where requests come after failures as soon as after all else. */
const PREFERRED_ANYWAY = 15

// A pace has to explain more than it takes to say it.
function paceCost({ next: [least] = [0, 0] }: Policy, count: number): number {
  return least <= 0 ? 0 : PREFERRED + Math.log(count) + Math.log(1 + least)
}

/** So unlikely by chance is what shows retries: more so where they do not explain the requests best. */
const RARE = 0.02
const RARE_EXPLAINED = 0.05
/** So likely is what shows none, where so many failures and other answers are known: more where retries explain the requests best. */
const COMMON = 0.15
const FEW_ANSWERS = 5
const MANY = 75
/** How many requests are looked at for that. */
const SHOWN = 400

// Undefined where it is not clear whether there are retries.
function bestPolicy(groups: readonly (readonly Attempt[])[], reuses: boolean): Policy | undefined {
  const isWanted = groups.some((group) => group.some(({ wanted }) => wanted !== undefined))
  const few = firstOf(groups, FEW)
  const count = groups.reduce((sum, { length }) => sum + length, 0)
  const never = withoutRetries(few).map((policy) => ({
    policy,
    cost: linkBy(policy, groups, reuses).cost + paceCost(policy, count),
  }))
  const atLeast = reuses && comeAnyway(groups) ? PREFERRED_ANYWAY : PREFERRED
  const preferred = Math.max(atLeast, PREFERRED_EACH * count)
  const none = never.reduce((least, each) => (each.cost < least.cost ? each : least))
  const likely = (policies: readonly Policy[]): readonly Policy[] =>
    // Those that cost the same link the same.
    [...new Map(policies.map((policy) => [linkBy(policy, few, reuses).cost, policy])).entries()]
      .map(([cost, policy]) => ({ policy, cost }))
      .toSorted((a, b) => a.cost - b.cost)
      .slice(0, FITTED)
      .map(({ policy }) => policy)
  const ignoring = [...candidates(few, reuses)]
  const heeding = isWanted ? ignoring.map((policy) => ({ ...policy, heeds: true })) : []
  let [best, any]: (Priced | undefined)[] = []
  for (const policy of [...likely(ignoring), ...likely(heeding)]) {
    const fitted = fit(policy, groups, reuses)
    const shrinks = SHRINKING * shrinksOf(fitted.policy)
    const cost = fitted.cost + shrinks + (policy.own === 0 ? 0 : Math.log(count))
    if (cost < (any?.cost ?? Infinity)) any = { policy: fitted.policy, cost }
    if (cost < (best?.cost ?? Infinity) && fitted.share >= MOSTLY) best = { policy: fitted.policy, cost }
  }
  const explains = best !== undefined && best.cost + preferred < none.cost
  const areStated = groups.some((group) => group.some(({ ordinal = 1 }) => ordinal > 1))
  const shown = firstOf(groups, SHOWN)
  const chance = areStated ? undefined : chanceOf(shown)
  if (chance === undefined) return (explains ? best : none)?.policy
  if (reuses && beginAtOnce(groups)) return (explains ? best : none)?.policy
  if (chance < (explains ? RARE_EXPLAINED : RARE)) return (best ?? any ?? none).policy
  if (explains && best !== undefined && chanceOfLinks(best.policy, shown, reuses) < RARE) return best.policy
  // Who waits as answers request it does so for no other reason.
  if (explains && best?.policy.heeds === true) return best.policy
  const least = explains ? MANY : FEW_ANSWERS
  return chance >= COMMON && rarerOutcome(shown) >= least ? none.policy : undefined
}

/** Where so many requests open a connection, though others are used again, calls begin at once. */
const OPENING = 0.15

// Nothing of interest comes after answers that did not fail then: the times of the rest are all that there is.
function beginAtOnce(groups: readonly (readonly Attempt[])[]): boolean {
  const all = groups.flat()
  const opening = new Set(all.map(({ connection }) => connection)).size
  return opening >= OPENING * all.length && all.length - opening >= FEW_ANSWERS
}

// How many failed, or did not, whichever is less.
function rarerOutcome(groups: readonly (readonly Attempt[])[]): number {
  const all = groups.flat()
  const failed = all.filter(({ hasFailed }) => hasFailed).length
  return Math.min(failed, all.length - failed)
}

interface Priced {
  readonly policy: Policy
  readonly cost: number
}

/** Back-off does not shrink, but first retries may be late, and a last wait cut: nats of a wait of less than this share of the one before. */
const SHRINKING = 15
const SHRUNK = 0.85

function shrinksOf({ attempts, heeds, wait }: Policy): number {
  if (heeds) return 0
  let count = 0
  for (let retry = 2; retry < attempts; retry++) {
    const before = middle(wait(retry - 1))
    if (before >= IMMEDIATE_MS && middle(wait(retry)) < SHRUNK * before) count++
  }
  return count
}

function middle([least, most]: readonly [number, number]): number {
  return (least + most) / 2
}

interface Fitted {
  readonly policy: Policy
  readonly cost: number
  /** Share of failed first attempts that a retry follows. */
  readonly share: number
}

// With as many attempts as are made, and with waits as narrow as those that were found.
function fit(policy: Policy, groups: readonly (readonly Attempt[])[], reuses: boolean): Fitted {
  const first = withAttempts(policy, linkBy(policy, groups, reuses))
  let best = { policy: first, linked: linkBy(first, groups, reuses) }
  for (let round = 0; round < 2; round++) {
    const narrowed = narrow(best.policy, best.linked)
    const next = withAttempts(narrowed, linkBy({ ...narrowed, attempts: policy.attempts }, groups, reuses))
    const linked = linkBy(next, groups, reuses)
    if (linked.cost >= best.linked.cost) break
    best = { policy: next, linked }
  }
  const { followed, failed, cost } = best.linked
  return { policy: best.policy, cost, share: (followed[1] ?? 0) / (failed[1] ?? 1) }
}

/** Fewer failures than this share are not followed by a retry only because some requests happen to come then. */
const FOLLOWED = 0.5

function withAttempts(policy: Policy, { followed, failed }: Linked): Policy {
  let attempts = 1
  while (
    attempts < Math.min(policy.attempts, failed.length) &&
    (followed[attempts] ?? 0) >= FOLLOWED * (failed[attempts] ?? Infinity)
  )
    attempts++
  return { ...policy, attempts }
}

function narrow(policy: Policy, { previous }: Linked): Policy {
  const depths = new Map<Attempt, number>()
  const waits: number[][] = []
  const shares: number[] = []
  for (const [attempt, before] of previous) {
    const depth = depths.get(before) ?? 1
    depths.set(attempt, depth + 1)
    if (policy.heeds && before.wanted !== undefined) continue
    const wait = attempt.arrived - before.ended
    ;(waits[depth] ??= []).push(wait)
    shares.push(wait / policy.wait(depth)[0])
  }
  // Waits that follow from the first by a rule say together how narrow they are.
  const byRule = (retry: number): readonly number[] =>
    isByRule(policy) ? shares.map((share) => share * policy.wait(retry)[0]) : []
  const ranges = Array.from(
    waits,
    (own: readonly number[] | undefined, retry) => rangeIn(own ?? []) ?? rangeIn(byRule(retry)),
  )
  return { ...policy, wait: (retry) => ranges[retry] ?? policy.wait(retry) }
}

function isByRule({ own = 1, wait }: Policy): boolean {
  return own === 1 && wait(1)[0] > 0
}

function rangeIn(waits: readonly number[]): readonly [least: number, most: number] | undefined {
  if (waits.length < 4) return undefined
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return [at(0.01) - 2, 2 * at(0.98) - at(0.5) + 2]
}
