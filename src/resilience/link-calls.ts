import { groupBy } from '../grouping.ts'
import { canFollow, isCall, type Attempt } from './attempts.ts'
import { linkBy, NEXT_CALL_MS, type Linked, type Policy } from './policy.ts'

/** A logical call: a request and its retries, in order. */
export type Call = readonly Attempt[]

/** At most so many requests are looked at to find the policy, fewer to choose those that may be it. */
const SAMPLE = 1500
const FEW = 300
const FITTED = 24
/** How late timers, client and machine make a retry. */
const LATE_MS = 15

/** The logical calls that attempts belong to, in the order in which they began. */
export function callsOf(attempts: readonly Attempt[]): readonly Call[] {
  const groups = groupBy(attempts, ({ alike, call = '' }) => `${alike}\n${call}`)
  const lists = [...groups.values()]
  // Who opens a connection for each request does not show which are retries.
  const reuses = attempts.some(({ connection, isFirst }) => connection !== undefined && !isFirst)
  const previous = areCalls(lists)
    ? inTurn(lists)
    : linkBy(bestPolicy(firstOf(lists, SAMPLE), reuses), lists, reuses).previous
  const calls = new Map<Attempt, Attempt[]>()
  for (const attempt of attempts) {
    const before = previous.get(attempt)
    const call = (before && calls.get(before)) ?? []
    call.push(attempt)
    calls.set(attempt, call)
  }
  return [...new Set(calls.values())]
}

const MOST = 0.9
const MOSTLY = 0.7

// Whether requests that are alike are those of one call: two calls that are alike would meet, or come after a success.
function areCalls(groups: readonly (readonly Attempt[])[]): boolean {
  const several = groups.filter(({ length }) => length > 1)
  return several.length > 1 && several.filter(isCall).length >= MOST * several.length
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

const NEVER: Policy = { name: 'none', attempts: 1, heeds: false, wait: () => [0, 0] }

function bestPolicy(groups: readonly (readonly Attempt[])[], reuses: boolean): Policy {
  const isWanted = groups.some((group) => group.some(({ wanted }) => wanted !== undefined))
  let best = { policy: NEVER, cost: linkBy(NEVER, groups, reuses).cost }
  const few = firstOf(groups, FEW)
  const likely = (policies: readonly Policy[]): readonly Policy[] =>
    policies
      .map((policy) => ({ policy, cost: linkBy(policy, few, reuses).cost }))
      .toSorted((a, b) => a.cost - b.cost)
      .slice(0, FITTED)
      .map(({ policy }) => policy)
  const ignoring = [...candidates(few)]
  const heeding = isWanted ? ignoring.map((policy) => ({ ...policy, heeds: true })) : []
  for (const policy of [...likely(ignoring), ...likely(heeding)]) {
    const fitted = fit(policy, groups, reuses)
    // A policy with numbers of its own has to explain more than one without.
    const cost = fitted.cost + 3 + Math.log(groups.reduce((sum, { length }) => sum + length, 0))
    if (cost < best.cost && fitted.share >= MOSTLY) best = { policy: fitted.policy, cost }
  }
  return best.policy
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
  for (const [attempt, before] of previous) {
    const depth = depths.get(before) ?? 1
    depths.set(attempt, depth + 1)
    if (!(policy.heeds && before.wanted !== undefined))
      (waits[depth] ??= []).push(attempt.arrived - before.ended)
  }
  const ranges = waits.map((each) => {
    const sorted = each.toSorted((a, b) => a - b)
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
    return sorted.length < 4 ? undefined : ([at(0.01) - 2, 2 * at(0.98) - at(0.5) + 2] as const)
  })
  return { ...policy, wait: (retry) => ranges[retry] ?? policy.wait(retry) }
}

const GROWTHS: readonly (readonly [name: string, times: (retry: number) => number])[] = [
  ['the same', () => 1],
  ['times 1.5', (retry) => 1.5 ** (retry - 1)],
  ['times 2', (retry) => 2 ** (retry - 1)],
  ['times 3', (retry) => 3 ** (retry - 1)],
  ['halves of one less than powers of 2', (retry) => 2 ** retry - 1],
  ['steps', (retry) => retry],
  ['squares', (retry) => retry ** 2],
]

const SPREADS: readonly (readonly [least: number, most: number, late: number])[] = [
  [0.97, 1.03, LATE_MS],
  [0.97, 1.03, 4 * LATE_MS],
  [0.95, 1.25, LATE_MS],
  [0.95, 2.05, LATE_MS],
  [0.45, 1.05, LATE_MS],
]
const UNLIMITED = 50
const ATTEMPTS = [2, 3, 4, 5, 6, 8, 11]
const WIDTHS = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000]

function* candidates(groups: readonly (readonly Attempt[])[]): Generator<Policy> {
  const common = { attempts: UNLIMITED, heeds: false }
  for (const most of [3, 8, LATE_MS, 2 * LATE_MS])
    for (const attempts of [...ATTEMPTS, UNLIMITED])
      yield { heeds: false, attempts, name: 'at once', wait: () => [-1, most] }
  for (const base of peaksOf(groups))
    for (const [name, times] of GROWTHS)
      for (const [least, most, late] of SPREADS)
        yield {
          ...common,
          name: `${name} from ${base}`,
          wait: (retry) => [base * times(retry) * least - 1, base * times(retry) * most + late],
        }
  for (const width of WIDTHS)
    for (const [name, times] of GROWTHS.slice(0, 3))
      for (const least of [-1, NEXT_CALL_MS])
        for (const attempts of ATTEMPTS)
          yield {
            ...{ heeds: false, attempts, name: `${name} up to ${width}` },
            wait: (retry) => [least, width * times(retry)],
          }
}

const STEP = 1.1
const PEAKS = 16
const NEXT = 60

// The times from a failure to the requests after it that are more common than others.
function peaksOf(groups: readonly (readonly Attempt[])[]): readonly number[] {
  const counts = new Map<number, number[]>()
  for (const group of groups) {
    let from = 0
    for (const failure of group.filter(({ hasFailed }) => hasFailed).toSorted((a, b) => a.ended - b.ended)) {
      while (from < group.length && (group[from] as Attempt).arrived < failure.ended) from++
      for (const next of group.slice(from, from + NEXT)) {
        const ms = next.arrived - failure.ended
        if (ms < 3) continue
        const bin = Math.round(Math.log(ms) / Math.log(STEP))
        const found = counts.get(bin) ?? []
        found.push(ms)
        counts.set(bin, found)
      }
    }
  }
  const weight = (bin: number): number => (counts.get(bin)?.length ?? 0) / STEP ** bin
  const peaks = [...counts].filter(
    ([bin]) => weight(bin) >= weight(bin - 1) && weight(bin) >= weight(bin + 1),
  )
  return peaks
    .toSorted(([a, one], [b, other]) => other.length / STEP ** (b / 2) - one.length / STEP ** (a / 2))
    .slice(0, PEAKS)
    .map(([, found]) => found.toSorted((a, b) => a - b)[Math.floor(found.length / 4)] ?? 0)
}
