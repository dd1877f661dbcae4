import type { Attempt } from './attempts.ts'
import { linkBy, NEXT_CALL_MS, type Linked, type Policy } from './policy.ts'
import { IMMEDIATE_MS } from './waits.ts'

type Groups = readonly (readonly Attempt[])[]

/** How late timers, client and machine make a retry. */
const LATE_MS = 15
/** The same of the next call of who makes one after another. */
const LATE_NEXT_MS = [8, 15, 30, 60]

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
const MAX_WAITS = 8
const BRANCHES = 4
const ATTEMPTS = [2, 3, 4, 5, 6, 8, 11]
const WIDTHS = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000]

/** The ways to make calls without retries: one after another, as soon as that is possible or so long after. */
export function withoutRetries(groups: Groups): readonly Policy[] {
  const never: Policy = { name: 'none', attempts: 1, heeds: false, wait: () => [0, 0] }
  const paces = peaksOf(groups.map((group) => [group, group])).filter((ms) => ms > IMMEDIATE_MS)
  return [
    never,
    ...LATE_NEXT_MS.map((ms) => ({ ...never, name: `none, up to ${ms} late`, next: [-1, ms] as const })),
    ...paces.map((ms) => ({
      ...never,
      ...{ name: `none, each after ${ms}`, next: [ms * 0.9, ms * 1.1 + LATE_MS] as const },
    })),
  ]
}

/** The policies that may be the one by which requests came: those that waits speak for, and those that are common. */
export function* candidates(groups: Groups, reuses: boolean): Generator<Policy> {
  const common = { attempts: UNLIMITED, heeds: false }
  for (const most of [3, 8, LATE_MS, 2 * LATE_MS])
    for (const attempts of [...ATTEMPTS, UNLIMITED])
      yield { heeds: false, own: 0, attempts, name: 'at once', wait: () => [-1, most] }
  const bases = peaksOf(groups.map((group) => [group.filter(({ hasFailed }) => hasFailed), group]))
  for (const late of [LATE_MS, 4 * LATE_MS])
    for (const base of [0, ...bases]) yield* grown(base, late, groups, reuses)
  for (const base of bases)
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

// Waits that follow no rule: each is found from the failures that the ones before it lead to.
function* grown(base: number, late: number, groups: Groups, reuses: boolean): Generator<Policy> {
  let best = linkedBy([base], late, groups, reuses)
  for (;;) {
    yield best.policy
    const { waits, previous, cost } = best
    if (waits.length === MAX_WAITS) return
    const depths = depthsOf(previous)
    const next = peaksOf(
      groups.map((group) => [
        group.filter((each) => each.hasFailed && (depths.get(each) ?? 1) > waits.length),
        group.filter((each) => !previous.has(each)),
      ]),
    )
    for (const wait of next.slice(0, BRANCHES)) {
      const further = linkedBy([...waits, wait], late, groups, reuses)
      if (further.cost < best.cost) best = further
    }
    if (best.cost >= cost) return
  }
}

type LinkedByWaits = Linked & { readonly waits: readonly number[]; readonly policy: Policy }

function linkedBy(waits: readonly number[], late: number, groups: Groups, reuses: boolean): LinkedByWaits {
  const policy: Policy = {
    ...{ name: `waits of ${waits.join(', ')}`, attempts: waits.length + 1, heeds: false, own: waits.length },
    wait: (retry) => {
      const ms = waits[retry - 1] ?? Infinity
      return [ms * 0.97 - 1, ms * 1.03 + late]
    },
  }
  return { ...linkBy(policy, groups, reuses), waits, policy }
}

// Which attempts of their calls those that follow others are, counted from 1.
function depthsOf(previous: Linked['previous']): ReadonlyMap<Attempt, number> {
  const depths = new Map<Attempt, number>()
  for (const [attempt, before] of previous) depths.set(attempt, (depths.get(before) ?? 1) + 1)
  return depths
}

// The times from failures to the requests after them that are more common than others. Both are in the order in which they came.
function peaksOf(
  groups: readonly (readonly [failures: readonly Attempt[], requests: readonly Attempt[]])[],
): readonly number[] {
  const counts = new Map<number, number[]>()
  for (const [failures, requests] of groups) {
    let from = 0
    for (const failure of failures.toSorted((a, b) => a.ended - b.ended)) {
      while (from < requests.length && (requests[from] as Attempt).arrived < failure.ended) from++
      for (const next of requests.slice(from, from + NEXT)) {
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
