import { hash } from 'node:crypto'
import { remembered } from '../../engine/lazy.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { countEach } from '../../grouping.ts'
import { madeKind, MOMENT } from '../../shape/made-values.ts'
import { isHidden } from '../redaction/secrets.ts'
import type { Entity } from '../../state/entities.ts'
import { inRange, isSeries, timeRangeOf } from './time-range.ts'
import { type Fact, type Facts } from './facts.ts'
import { sameSigns, signsOf } from './signs.ts'
import { literalPattern } from '../../routing/path-template.ts'

/** A request that was answered, and what it says. */
export interface Example<Given> {
  readonly facts: Facts
  readonly entity: Entity
  readonly given: Given
  readonly status: number
  /** Whether its answer says that the request failed. */
  readonly hasFailed: boolean
}

/**
 * The example whose request is most like another: what became of its path counts most, then which values it has, then
 * what they are. Of equally near ones that with the most frequent status, and of these the first that
 * did not fail.
 * @param by the places that decide: examples with the same values there come before all others
 */
export function nearestOf<Given>(
  facts: Facts,
  all: readonly Example<Given>[],
  by: readonly string[] = [],
): Example<Given> | undefined {
  const agreed =
    by.length === 0
      ? []
      : all.filter((each) => by.every((place) => each.facts.get(place) === facts.get(place)))
  const examples = agreed.length > 0 ? agreed : all
  const stateOf = stateLikenessTo(facts)
  const said = saidIn(facts)
  let best: { readonly score: number; readonly all: Example<Given>[] } | undefined
  for (const example of examples) {
    const ofState = stateOf(example)
    if (best !== undefined && ofState + mostLikeness(said, saidIn(example.facts)) < best.score) continue
    const score = ofState + likeness(facts, example.facts)
    if (best === undefined || score > best.score) best = { score, all: [example] }
    else if (score === best.score) best.all.push(example)
  }
  if (best === undefined) return undefined
  const near = best.all
  const counts = countEach(near.map(({ status }) => status))
  const countOf = ({ status }: Example<Given>): number => counts.get(status) ?? 0
  // What failed did so for a reason.
  const isBetter = (each: Example<Given>, most: Example<Given>): boolean =>
    countOf(each) > countOf(most) || (countOf(each) === countOf(most) && most.hasFailed && !each.hasFailed)
  return near.reduce((most, each) => (isBetter(each, most) ? each : most))
}

// What was deleted is like what never was there, which failures are answers about, and what is there like neither.
function stateLikenessTo(facts: Facts): (example: Example<unknown>) => number {
  const [state, by] = [facts.get('state'), facts.get('by')]
  return ({ facts: others, hasFailed }) => {
    const other = others.get('state')
    if (state === other) return by === others.get('by') ? 120 : 100
    if (state === 'there') return other === 'new' && !hasFailed ? 40 : 0
    if (other === 'there') return 0
    return hasFailed ? 60 : 40
  }
}

const SAME_CONDITION = 50
const SAME_VALUE = 3
const LACKING = 4

// What the likeness is at most, by how many values there are: most examples need not be looked into.
function mostLikeness({ size: some }: SaidByPlace, { size: others }: SaidByPlace): number {
  return SAME_CONDITION + SAME_VALUE * Math.min(some, others) - LACKING * Math.abs(some - others)
}

function likeness(some: Facts, others: Facts): number {
  let score = some.get('condition') === others.get('condition') ? SAME_CONDITION : 0
  const otherSaid = saidIn(others)
  let lacking = otherSaid.size
  for (const [place, said] of saidIn(some)) {
    const other = otherSaid.get(place)
    if (other === undefined) score -= LACKING
    else {
      lacking--
      if (other.value === said.value) score += SAME_VALUE
      // What was redacted may have had any signs.
      else if (isHidden(String(other.value))) score += 1
      else if (typeof other.value === typeof said.value) score += 1 + sameSigns(signsIn(said), signsIn(other))
    }
  }
  return score - LACKING * lacking
}

interface Said {
  readonly value: Fact
  /** Once it was compared. */
  signs: readonly string[] | undefined
}

type SaidByPlace = ReadonlyMap<string, Said>

// What became of a path is compared by `state`, `condition` and `kind` alone.
const saidIn = remembered(
  (facts: Facts): SaidByPlace =>
    new Map(
      [...facts]
        .filter(([place]) => !/^(by|writes|sent|answered|made|etag)(\/|$)/.test(place))
        .map(([place, value]) => [place, { value, signs: undefined }]),
    ),
  new WeakMap(),
)

// Requests are compared with many examples, and these with many requests.
function signsIn(said: Said): readonly string[] {
  return (said.signs ??= signsOf(String(said.value)))
}

/**
 * A recorded value as the answer to another request: what it took from its own request, or from what was stored there,
 * is taken from the other in the same place.
 * @param fresh makes the values that a server makes up for every change; absent for requests that only read
 */
export function adapt(
  value: unknown,
  from: Facts,
  to: Facts,
  [then, now]: readonly [Entity, Entity],
  fresh?: Fresh,
): unknown {
  const changed = changesOf(from, to)
  const [range, other] = [timeRangeOf(from), timeRangeOf(to)]
  const requested = changed.filter(({ place }) => place.startsWith('body/'))
  const kept = heldObjects(then.sent, now.sent)
  const answered = [...heldObjects(then.answered, now.answered), ...heldObjects(then.made, now.made)]
  // What the request itself says comes before what was stored.
  const withRequested = (own: JsonObject, before: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(own).map(([name, part]) => {
        const older = before[name]
        if (isObject(part) && isObject(older)) return [name, withRequested(part, older)]
        const isSent = requested.some((each) => isFrom(each, name, older))
        return [name, isSent && typeof part === typeof older ? adaptScalar(older, name) : part]
      }),
    )
  const walk = (part: unknown, name: string): unknown => {
    if (range !== undefined && other !== undefined && isSeries(part)) {
      const moved = inRange(part, range, other)
      if (moved !== undefined) return moved
    }
    if (Array.isArray(part)) return part.map((item: unknown) => walk(item, name))
    if (isObject(part)) {
      const entries = Object.entries(part)
      const held =
        kept.find((each) => holds(part, each.before)) ?? answered.find((each) => isSame(part, each.before))
      if (held !== undefined) {
        const rest = entries
          .filter(([key]) => !Object.hasOwn(held.before, key))
          .map(([key, each]) => [key, walk(each, key)])
        return { ...withRequested(held.now, held.before), ...(Object.fromEntries(rest) as JsonObject) }
      }
      return Object.fromEntries(entries.map(([key, each]) => [key, walk(each, key)]))
    }
    return adaptScalar(part, name)
  }
  const adaptScalar = (part: unknown, name: string): unknown => {
    if (typeof part !== 'string' && typeof part !== 'number') return part
    const found = changed.find((each) => isFrom(each, name, part))
    if (found !== undefined) return typeof part === 'number' ? numberOf(found.to, part) : String(found.to)
    if (typeof part === 'string') {
      const text = replaceWords(part, changed)
      if (text !== part) return text
      if (fresh !== undefined && madeKind(part) !== undefined) return freshLike(part, fresh)
    }
    return part
  }
  return walk(value, '')
}

const OF_STATE: ReadonlySet<string> = new Set(['state', 'condition', 'kind'])

interface Changed {
  readonly place: string
  readonly from: Fact
  readonly to: Fact
}

function changesOf(from: Facts, to: Facts): readonly Changed[] {
  const changed: Changed[] = []
  for (const [place, value] of from) {
    const other = to.get(place)
    if (other !== undefined && !OF_STATE.has(place)) changed.push({ place, from: value, to: other })
  }
  // What is most particular is most likely what was taken.
  return changed.toSorted((a, b) => String(b.from).length - String(a.from).length)
}

function isFrom(changed: Changed, name: string, part: unknown): boolean {
  if (typeof part !== 'string' && typeof part !== 'number') return false
  return String(changed.from) === String(part) && isTaken(changed, name, part)
}

// Small numbers and short words are met by chance: they are taken only where the names agree.
function isTaken({ place, from }: Changed, name: string, part: string | number): boolean {
  const own = place.slice(place.lastIndexOf('/') + 1).toLowerCase()
  const wanted = name.toLowerCase()
  if (own === wanted || (/^\d+$/.test(own) && /id$/i.test(name))) return true
  return typeof part === 'string' && String(from).length >= 3 && !/^(true|false|null)$/.test(String(from))
}

function numberOf(value: Fact, before: number): unknown {
  const number = Number(value)
  return Number.isNaN(number) ? before : number
}

function replaceWords(text: string, changed: readonly Changed[]): string {
  let result = text
  for (const { from, to } of changed) {
    const word = String(from)
    if (word.length < 3 || word === String(to) || !result.includes(word)) continue
    result = result.replaceAll(new RegExp(`(?<![\\w-])${literalPattern(word)}(?![\\w-])`, 'g'), () =>
      String(to),
    )
  }
  return result
}

type JsonObject = Readonly<Record<string, unknown>>

// The objects within what was sent then and now, the outer ones first.
function heldObjects(
  before: unknown,
  now: unknown,
): readonly { readonly before: JsonObject; readonly now: JsonObject }[] {
  if (!isObject(before) || !isObject(now)) return []
  const below = Object.keys(before).flatMap((name) => heldObjects(before[name], now[name]))
  return [{ before, now }, ...below]
}

function holds(whole: JsonObject, part: JsonObject): boolean {
  const names = Object.keys(part)
  return names.length > 0 && names.every((name) => JSON.stringify(whole[name]) === JSON.stringify(part[name]))
}

function isSame(one: JsonObject, other: JsonObject): boolean {
  return holds(one, other) && Object.keys(one).length === Object.keys(other).length
}

/** What made-up values are made from. */
export interface Fresh {
  readonly seed: string
  /** Milliseconds since 1970. */
  readonly now: number
}

// With as many digits of a second, of which those below milliseconds are drawn.
function momentLike(moment: string, { seed, now }: Fresh): string {
  const time = new Date(now).toISOString()
  const [, digits = ''] = /\.(\d+)/.exec(moment) ?? []
  const drawn = String(Number.parseInt(hash('sha256', seed).slice(0, 12), 16))
  const fraction = digits === '' ? '' : `.${(time.slice(20, 23) + drawn).slice(0, digits.length)}`
  const whole = `${time.slice(0, 19)}${fraction}Z`
  return /%3A/i.test(moment) ? whole.replaceAll(':', '%3A') : whole
}

// Between date and time is what was there, and so is what follows them.
function localMoment(text: string, fresh: Fresh): string {
  const [, gap = 'T', digits = '', rest = ''] = /^.{10}(.).{8}(?:\.(\d+))?(.*)$/.exec(text) ?? []
  const moment = momentLike(digits === '' ? '' : `.${digits}`, fresh).slice(0, -1)
  return `${moment.replace('T', gap)}${rest}`
}

/** Another value of the same form: hex digits stay such, and so do letters, digits and signs. */
export function freshLike(text: string, { seed, now }: Fresh): string {
  const kind = madeKind(text)
  if (kind === 'date-time' || kind === 'tag of a time')
    return text.replace(MOMENT, (moment) => momentLike(moment, { seed, now }))
  if (kind === 'local date and time') return localMoment(text, { seed, now })
  if (kind === 'http-date') return new Date(now).toUTCString()
  // A revision is the same in a body as in an ETag.
  const digits = hash('sha512', `${seed} ${text.replaceAll(/^(W\/)?"|"$/g, '')}`)
  let at = 0
  // What a thing is may stand before its id, as in `cus_…`.
  const [lead = ''] = /^(W\/)?"?(\d{1,6}-|[A-Za-z]{1,8}[._:](?=\w{8}))?/.exec(text) ?? []
  const own = text.slice(lead.length)
  const isHex = /^[0-9a-f-]+"?$/.test(own) && !/^\d+"?$/.test(own)
  return (
    lead +
    own.replaceAll(/[0-9A-Za-z]/g, (sign) => {
      const digit = digits[at++ % digits.length] ?? '0'
      if (isHex) return digit
      if (/\d/.test(sign)) return String(Number.parseInt(digit, 16) % 10)
      const letter = String.fromCharCode(97 + Number.parseInt(digit, 16))
      return /[A-Z]/.test(sign) ? letter.toUpperCase() : letter
    })
  )
}
