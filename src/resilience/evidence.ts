import { contentStream, type Stream } from '../engine/random.ts'
import type { Attempt } from './attempts.ts'
import { linkBy, type Policy } from './policy.ts'

type Groups = readonly (readonly Attempt[])[]

/** Fewer failures, or fewer other answers, show nothing. */
const FEWEST = 3
const DRAWS = 200
/** Milliseconds that part the times after an answer. */
const EDGES = [1, 2, 4, 8, 12, 18, 27, 40, 60, 90, 135, 200, 300, 450, 700, 1000, 1500, 2200]
const BINS = EDGES.length + 1
/** How many of the requests after an answer are looked at. */
const NEXT = [1, 4]

/** An answer, and how many requests that are alike came how long after it. */
interface Followed {
  readonly group: number
  readonly counts: Uint8Array
}

/**
 * How likely it is by chance that requests come after failures as they do, and after other answers otherwise. What fails
 * is drawn by the gateway, so who does not retry does the same after each. Times count from when an answer ended and from
 * when its request came, since some clients go on from the one and others from the other; the less likely counts for none.
 * @returns `undefined` where failures, or other answers, are too few to show it
 */
export function chanceOf(groups: Groups): number | undefined {
  const failures = groups.flat().map(({ hasFailed }) => hasFailed)
  const failed = failures.filter(Boolean).length
  if (Math.min(failed, failures.length - failed) < FEWEST) return undefined
  const stream = contentStream(0, 'followed')
  const chances = NEXT.map((next) =>
    Math.max(
      ...(['ended', 'arrived'] as const).map((from) =>
        chanceBy(followedIn(groups, from, next), failures, stream),
      ),
    ),
  )
  return Math.min(...chances)
}

/**
 * How likely it is by chance that retries by a policy explain requests as well as they do, in place of requests whose
 * failures are others.
 */
export function chanceOfLinks(policy: Policy, groups: Groups, reuses: boolean): number {
  const failures = groups.flat().map(({ hasFailed }) => hasFailed)
  const places = groups.flatMap((all, group) => all.map(() => ({ group })))
  const stream = contentStream(0, 'linked')
  const found = linkBy(policy, groups, reuses).cost
  let asWell = 1
  for (let draw = 0; draw < DRAWS; draw++) {
    const given = shuffled(places, failures, stream)
    let at = 0
    const others = groups.map((all) =>
      all.map((attempt) => ({ ...attempt, hasFailed: given[at++] === true })),
    )
    if (linkBy(policy, others, reuses).cost <= found) asWell++
  }
  return asWell / (DRAWS + 1)
}

function chanceBy(followed: readonly Followed[], failures: readonly boolean[], stream: Stream): number {
  const found = contrast(followed, failures)
  if (found === 0) return 1
  let asMuch = 1
  for (let draw = 0; draw < DRAWS; draw++)
    if (contrast(followed, shuffled(followed, failures, stream)) >= found - 1e-9) asMuch++
  return asMuch / (DRAWS + 1)
}

// Requests of each group are in the order in which they came.
function followedIn(groups: Groups, from: 'ended' | 'arrived', next: number): readonly Followed[] {
  return groups.flatMap((all, group) =>
    all.map((attempt, index) => {
      const counts = new Uint8Array(BINS)
      let left = next
      for (let at = index + 1; at < all.length && left > 0; at++) {
        const ms = (all[at] as Attempt).arrived - attempt[from]
        if (ms < -0.5) continue
        const bin = EDGES.findIndex((edge) => ms < edge)
        const place = bin < 0 ? BINS - 1 : bin
        counts[place] = (counts[place] ?? 0) + 1
        left--
      }
      return { group, counts }
    }),
  )
}

// By how many standard deviations the share of requests that came after failures differs from that of failures among
// answers, in the span of time where it differs most.
function contrast(followed: readonly Followed[], failures: readonly boolean[]): number {
  const [after, all] = [new Float64Array(BINS), new Float64Array(BINS)]
  let failed = 0
  for (const [index, { counts }] of followed.entries()) {
    if (failures[index] === true) failed++
    for (let bin = 0; bin < BINS; bin++) {
      const count = counts[bin] ?? 0
      all[bin] = (all[bin] ?? 0) + count
      if (failures[index] === true) after[bin] = (after[bin] ?? 0) + count
    }
  }
  const share = failed / followed.length
  let most = 0
  for (let first = 0; first < BINS; first++) {
    let [own, whole] = [0, 0]
    for (let last = first; last < BINS; last++) {
      own += after[last] ?? 0
      whole += all[last] ?? 0
      if (whole < FEWEST) continue
      most = Math.max(most, Math.abs(own - whole * share) / Math.sqrt(whole * share * (1 - share)))
    }
  }
  return most
}

// Failures of a group are given to others of it.
function shuffled(
  followed: readonly Pick<Followed, 'group'>[],
  failures: readonly boolean[],
  stream: Stream,
): readonly boolean[] {
  const given = [...failures]
  let begin = 0
  for (let index = 0; index < given.length; index++) {
    if (followed[index]?.group !== followed[begin]?.group) begin = index
    const other = stream.integer(begin, index)
    ;[given[index], given[other]] = [given[other] as boolean, given[index] as boolean]
  }
  return given
}
