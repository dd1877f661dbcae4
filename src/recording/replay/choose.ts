import { after, isSafe, type Awaitable } from '../../message.ts'
import { type Conditions, conditionsText, evaluate, isStillNotModified } from '../../http/conditions.ts'
import { decidingTraits, nearestBy, type Traits } from '../match/traits.ts'
import { entryOf } from '../../grouping.ts'
import { UNANSWERED } from '../exchange.ts'
import type { Replays } from '../../state/replays.ts'
import type { Entry, ExchangeIndex, Group } from './exchange-index.ts'
import type { ReplayOptions } from './replay-options.ts'
import { lastWrites, type LastWrites, noteWrite, parentOf, type Places } from './writes.ts'

/** A request, in what decides between recorded answers to otherwise equal ones. */
export interface Wanted {
  readonly method: string
  readonly conditions: Conditions | undefined
  /** Computed where recorded requests differ in some. @param vary headers that count whatever they are */
  traits(vary: readonly string[]): Traits
}

/** A recorded exchange that was chosen, or the number of those that were all given. */
export type Choice =
  | {
      readonly entry: Entry
      /** Whether its conditions are those of the request. */ readonly isExact: boolean
    }
  | { readonly given: number; readonly first: Entry }

/** Some of a group, which a kind of request gets. */
interface Pool {
  readonly key: string
  readonly entries: readonly Entry[]
}

/** What is known of a group for as long as nothing is added to it. */
interface Known {
  readonly size: number
  readonly deciding: readonly string[]
  readonly vary: readonly string[]
  /** The values that each deciding trait was recorded with. */
  readonly values: ReadonlyMap<string, ReadonlySet<string | undefined>>
  readonly pools: Map<string, Pool>
}

const MAX_POOLS = 1000
const WITHOUT = 'none'
const ORDER = ['own', 'below', 'above'] as const

/**
 * Chooses between recorded answers to one request. In this order, where there are several:
 *
 * 1. Its conditions: those recorded with the same preconditions and range, unless the session has made a write since
 *    which they do not know. Otherwise those that have the whole, from which what the conditions ask for is made; a
 *    request without any gets what one without any got, where that is of the same state.
 * 2. What in fact differed: each header, cookie and secret in which the recorded requests differ, as `decidingTraits`
 *    says. The one that is nearest is taken, and none is a miss.
 * 3. The state, for a method that only reads: the answers that were recorded after the write that the session made
 *    last, and before the next one. Writes on the resource itself come first, then those below it, then those above
 *    it. Where none was recorded just then, it is the next after it; where there is none, the last.
 * 4. The turn: what is left is given in the order it was recorded; `after` says what comes after the last. Requests
 *    that write have no third step: each answer is given once, so that clients that create get an id each.
 *
 * `sequence` leaves out the third step, and `first` and `last` have neither that nor turns. The work does not depend on
 * how much was recorded, once a kind of request has come.
 */
export class Chooser {
  readonly #pick: NonNullable<ReplayOptions['pick']>
  readonly #after: NonNullable<ReplayOptions['after']>
  readonly #index: Pick<ExchangeIndex, 'all' | 'marked'>
  readonly #known = new WeakMap<Group, Known>()

  constructor(
    { pick = 'causal', after = 'hold' }: Pick<ReplayOptions, 'pick' | 'after'>,
    index: Pick<ExchangeIndex, 'all' | 'marked'>,
  ) {
    this.#index = index
    this.#pick = pick
    this.#after = after
  }

  choose(group: Group, wanted: Wanted, session: Replays): Awaitable<Choice | undefined> {
    const places = this.#placesOf(session)
    const whole = this.#pool(group, wanted, '')
    if (wanted.conditions === undefined)
      return this.#give(this.#plain(group, wanted, whole, places), wanted, session, places, false)
    const exact = this.#pool(group, wanted, conditionsText(wanted.conditions))
    const isUnusable =
      (this.#pick === 'causal' && isOutdated(exact, whole, places)) || isLeftOut(exact, whole)
    if (exact.entries.length > 0 && !isUnusable) return this.#give(exact, wanted, session, places, true)
    const chosen = this.#give(whole, wanted, session, places, false)
    if (chosen !== undefined) return chosen
    return this.#give(this.#alike(group, wanted, wanted.conditions), wanted, session, places, true)
  }

  /** The recorded whole that shows what a resource is now; this counts for no turn. */
  current(group: Group, wanted: Wanted, session: Replays): Entry | undefined {
    const { entries } = this.#pool(group, wanted, '')
    return entries[windowOf(entries, this.#placesOf(session)).from]
  }

  /** Whether a session has made all writes that an answer was given after. */
  isDue({ before, resource, besides }: Entry, session: Replays): boolean {
    const places = this.#placesOf(session)
    if (lastWrites(places, parentOf(resource)).below < besides) return false
    const made = lastWrites(places, resource)
    return ORDER.every((relation) => made[relation] >= before[relation])
  }

  /** Whether a session was given the answer to a write, or to a later one on the same resource. */
  wasGiven({ at, resource }: Entry, session: Replays): boolean {
    return lastWrites(this.#placesOf(session), resource).own >= at
  }

  /** Notes that a session was given an answer. */
  given({ write, at }: Entry, session: Replays): void {
    if (write !== undefined) noteWrite(this.#placesOf(session), write, at)
  }

  // What was written when a recording was another one says nothing of this one.
  #placesOf({ writes }: Replays): Places {
    return {
      get: (key) => this.#index.marked(writes.get(key))?.at,
      set: (key, at) => void writes.add(key, this.#index.all()[at]?.mark ?? ''),
    }
  }

  #give(
    pool: Pool,
    { method }: Wanted,
    session: Replays,
    places: Places,
    isExact: boolean,
  ): Awaitable<Choice> | undefined {
    const [first] = pool.entries
    if (first === undefined) return undefined
    if (this.#pick === 'first') return { entry: first, isExact }
    if (this.#pick === 'last') return { entry: pool.entries.at(-1) as Entry, isExact }
    const isCausal = this.#pick === 'causal' && isSafe(method)
    const { from, to } = isCausal ? windowOf(pool.entries, places) : { from: 0, to: pool.entries.length }
    return after(session.turns.next(`${method} ${pool.key} ${from}`), (before): Choice => {
      const turn = turnAt(before, to - from, this.#after)
      const entry = from + turn < to ? pool.entries[from + turn] : undefined
      return entry === undefined ? { given: to - from, first } : { entry, isExact }
    })
  }

  // Those that were recorded without conditions, too, where there are some of the state that the session has come to.
  #plain(group: Group, wanted: Wanted, whole: Pool, places: Places): Pool {
    if (this.#pick === 'first' || this.#pick === 'last') return whole
    const plain = this.#pool(group, wanted, WITHOUT)
    if (plain.entries.length === 0 || plain.entries.length === whole.entries.length) return whole
    if (this.#pick === 'sequence') return plain
    const [own, other] = [plain, whole].map(({ entries }) => entries[windowOf(entries, places).from]?.before)
    return ORDER.every((relation) => own?.[relation] === other?.[relation]) ? plain : whole
  }

  /** Those of a group that were recorded with these conditions; without any, those that every request may get. */
  #pool(group: Group, wanted: Wanted, conditions: string): Pool {
    const known = this.#knownOf(group)
    const traits = known.deciding.length === 0 ? undefined : wanted.traits(known.vary)
    const wantedValues = known.deciding.map((name) => {
      const value = traits?.get(name)
      // Of a value that was not recorded only what it asks for matters, if anything.
      const isNew = known.values.get(name)?.has(value) !== true
      return isNew && !name.startsWith('accept') ? null : (value ?? '')
    })
    const key = JSON.stringify([group.key, conditions, ...wantedValues])
    if (known.pools.size > MAX_POOLS) known.pools.clear()
    return entryOf(known.pools, key, () => {
      const fitting =
        conditions === ''
          ? wholesOf(group.entries, wanted.method)
          : group.entries.filter((entry) => (conditionsText(entry.conditions) || WITHOUT) === conditions)
      const nearest = known.deciding.reduce<readonly Entry[]>(
        (left, name) => nearestBy(left, name, traits?.get(name)),
        fitting,
      )
      const isLast = (entry: Entry): boolean => entry === nearest.at(-1)
      return { key, entries: nearest.filter((entry) => isAnswered(entry) || isLast(entry)) }
    })
  }

  // Those whose answers hold for these conditions as well as for their own.
  #alike(group: Group, wanted: Wanted, conditions: Conditions): Pool {
    const { pools } = this.#knownOf(group)
    const key = JSON.stringify([group.key, '~', conditionsText(conditions)])
    return entryOf(pools, key, () => ({
      key,
      entries: group.entries.filter((entry) => holdsFor(entry, wanted)),
    }))
  }

  #knownOf(group: Group): Known {
    const before = this.#known.get(group)
    if (before?.size === group.entries.length) return before
    const deciding = decidingTraits(group.entries)
    const values = deciding.map(
      (name) => [name, new Set(group.entries.map(({ traits }) => traits.get(name)))] as const,
    )
    const vary = [...new Set(group.entries.flatMap((entry) => entry.vary))]
    const size = group.entries.length
    const known = { size, deciding, vary, values: new Map(values), pools: new Map<string, Pool>() }
    this.#known.set(group, known)
    return known
  }
}

// What a request without conditions gets: a read also what others got whole, a write that only where there is no other.
function wholesOf(entries: readonly Entry[], method: string): readonly Entry[] {
  const plain = isSafe(method) ? [] : entries.filter(({ conditions }) => conditions === undefined)
  return plain.length > 0 ? plain : entries.filter(isWhole)
}

// Who left may not leave again: what came later is given rather than nothing.
function isAnswered({ status }: Entry): boolean {
  return status !== UNANSWERED
}

function isWhole({ conditions, status, isPart }: Entry): boolean {
  return conditions === undefined || !(isPart || status === 304 || status === 412 || status === 416)
}

/** Whether the answer to some conditions is that to others, too. */
function holdsFor(
  { conditions: recorded, status, validators, isPart }: Entry,
  { method, conditions }: Wanted,
): boolean {
  if (recorded === undefined || conditions === undefined) return false
  // Those who write may have made up what they sent.
  if (!isSafe(method)) return namesOf(recorded) === namesOf(conditions)
  if (status === 304) return isStillNotModified(conditions, validators, recorded)
  return isPart && conditions.range !== undefined && conditions['if-range'] === undefined
}

function namesOf(conditions: Conditions): string {
  return Object.keys(conditions).toSorted().join()
}

/** Whether what was recorded for the very same conditions was so before a write that the session has made since. */
function isOutdated(exact: Pool, whole: Pool, places: Places): boolean {
  const last = exact.entries.at(-1)
  if (last === undefined) return true
  const { own } = lastWrites(places, last.resource)
  return last.before.own < own && whole.entries.some(({ before }) => before.own >= own)
}

/** Whether what was recorded for the very same conditions has no body, and a whole has. */
function isLeftOut(exact: Pool, whole: Pool): boolean {
  return exact.entries.some(({ isOmitted }) => isOmitted) && whole.entries.some(({ isOmitted }) => !isOmitted)
}

/** Some entries that follow one another, up to but without `to`. */
interface Window {
  readonly from: number
  readonly to: number
}

/** The entries that were recorded in the state that the session has come to. */
function windowOf(entries: readonly Entry[], places: Places): Window {
  const all = { from: 0, to: entries.length }
  const [first] = entries
  if (first === undefined || entries.length === 1) return all
  const made = lastWrites(places, first.resource)
  return ORDER.reduce((left, relation) => narrow(entries, left, relation, made[relation]), all)
}

// Their places are in order, so that both ends are found by halving.
function narrow(entries: readonly Entry[], window: Window, relation: keyof LastWrites, made: number): Window {
  const placeAt = (index: number): number => entries[index]?.before[relation] ?? Infinity
  const firstWhere = (isSo: (place: number) => boolean): number => {
    let { from, to } = window
    while (from < to) {
      const middle = (from + to) >>> 1
      if (isSo(placeAt(middle))) to = middle
      else from = middle + 1
    }
    return from
  }
  const after = firstWhere((place) => place >= made)
  const place = placeAt(Math.min(after, window.to - 1))
  return { from: firstWhere((each) => each >= place), to: firstWhere((each) => each > place) }
}

// Which of so many answers is that of a turn; one that there is not, where there are no more.
function turnAt(turn: number, count: number, after: NonNullable<ReplayOptions['after']>): number {
  if (after === 'loop') return turn % count
  return after === 'hold' ? Math.min(turn, count - 1) : turn
}

/** Whether a write would be refused by what its resource is now (RFC 9110, section 13.1). */
export function isRefused({ method, conditions }: Wanted, current: Entry | undefined): boolean {
  if (conditions === undefined || current === undefined || current.status !== 200) return false
  return evaluate(method, conditions, current.validators) === 'failed'
}
