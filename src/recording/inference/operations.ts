import { isObject } from '../../engine/schema/schema.ts'
import { countEach, groupBy } from '../../grouping.ts'
import type { Condition, When } from '../../routing/condition.ts'
import type { Operation, Protocol } from '../protocols/protocol.ts'
import { PROTOCOLS } from '../protocols/protocols.ts'
import { type AnswerClasses, classifyAnswers } from './answer-classes.ts'
import { type Discriminator, discriminatorsOf } from './discriminators.ts'
import type { Sample } from './sample.ts'
import { greatestOf } from '../../statistics.ts'

/** Exchanges of one method and path that are for the same operation. */
export interface OperationSamples {
  /** What distinguishes its requests; absent where nothing does. */
  readonly when: When | undefined
  readonly name: string | undefined
  readonly samples: readonly Sample[]
  /** What they are a part of. */
  readonly spoken: Spoken
}

/** Exchanges of one method and path in one protocol, or in none. */
export interface Spoken {
  readonly protocol: Protocol | undefined
  readonly samples: readonly Sample[]
}

/** The share of exchanges that must have a value at the place. */
const MIN_PRESENT = 0.9
/** The share of exchanges that must be alike to most of those with their value. */
const MIN_EXPLAINED = 0.8
/** By how much that must exceed the share of those alike to most of all. */
const MIN_GAIN = 0.25
/** The same of places that are called as those are that distinguish operations, of which most may be answered alike. */
const MIN_GAIN_OF_USUAL = 0.1
/** So many places together distinguish operations. */
const MAX_CONDITIONS = 3

/**
 * Divides the exchanges of one method and path by what distinguishes operations: where a known protocol has it, or else
 * the place whose values divide the answers into such as are alike within and unlike between.
 */
export function findOperations(samples: readonly Sample[]): readonly OperationSamples[] {
  const parts = divideByProtocol(samples)
  const found = parts.flatMap((spoken) => operationsIn(spoken).map((each) => ({ ...each, spoken })))
  if (found.length < 2)
    return parts.slice(0, 1).map((spoken) => ({ when: undefined, name: undefined, samples, spoken }))
  const names = new Set<string>()
  return withOneRest(found).map(({ name, ...rest }) => ({ ...rest, name: name && freeName(name, names) }))
}

function operationsIn({ protocol, samples }: Spoken): readonly Omit<OperationSamples, 'spoken'>[] {
  return protocol === undefined ? search(samples) : byProtocol(protocol, samples)
}

/**
 * Exchanges by the protocols that they are in, where each that succeeded is in one whose calls share a path: one endpoint
 * may serve several. Those of none failed, and are with the first.
 */
function divideByProtocol(samples: readonly Sample[]): readonly Spoken[] {
  const sharing = PROTOCOLS.filter(({ calls }) => calls !== undefined && calls.isOfPaths !== true)
  const ofSample = (sample: Sample): Protocol | undefined => sharing.find(({ speaks }) => speaks(sample))
  const fine = samples.filter(({ status }) => status < 400)
  const [first, ...others] = new Set(fine.map(ofSample))
  if (first === undefined || others.length === 0 || others.includes(undefined))
    return [{ protocol: protocolOf(samples), samples }]
  return [...groupBy(samples, (sample) => ofSample(sample) ?? first)].map(([protocol, own]) => ({
    protocol,
    samples: own,
  }))
}

// What nothing distinguishes has one route.
function withOneRest(found: readonly OperationSamples[]): readonly OperationSamples[] {
  const [rest, ...others] = found.filter(({ when }) => when === undefined)
  if (rest === undefined || others.length === 0) return found
  const samples = [rest, ...others].flatMap((each) => each.samples).toSorted((a, b) => a.index - b.index)
  return [...found.filter(({ when }) => when !== undefined), { ...rest, samples }]
}

/** The protocol that all exchanges which succeeded are in. */
export function protocolOf(samples: readonly Sample[]): Protocol | undefined {
  const succeeded = samples.filter(({ status }) => status < 400)
  const fine = succeeded.length > 0 ? succeeded : samples
  return PROTOCOLS.find((protocol) => fine.every(protocol.speaks) && hasEnough(protocol, fine))
}

function hasEnough({ isOfSeveral, operations }: Protocol, samples: readonly Sample[]): boolean {
  if (isOfSeveral !== true) return true
  const operationOf = operations(samples)
  return new Set(samples.map((sample) => operationOf(sample)?.name)).size > 1
}

// An operation that is unknown is answered like all that have no route of their own.
function byProtocol(
  protocol: Protocol,
  samples: readonly Sample[],
): readonly Omit<OperationSamples, 'spoken'>[] {
  const spoken = samples.filter((sample) => protocol.speaks(sample))
  const operationOf = protocol.operations(spoken)
  const known = new Map<string, Operation>()
  const groups = groupBy(samples, (sample) => {
    const isKnown = protocol.speaks(sample) && protocol.isUnknown?.(sample) !== true
    const operation = isKnown ? operationOf(sample) : undefined
    const key = operation && JSON.stringify(operation.when)
    if (operation !== undefined && key !== undefined && !known.has(key)) known.set(key, operation)
    return key
  })
  return [...groups].map(([key, own]) => {
    const operation = key === undefined ? undefined : known.get(key)
    return { when: operation?.when, name: operation?.name, samples: own }
  })
}

// Keys of routes have no spaces after the method, and no braces but those of parameters.
function freeName(value: string, taken: Set<string>): string {
  const plain = value.replace(/[{}]/g, '').trim().replace(/\s+/g, '.')
  let name = plain
  for (let count = 2; taken.has(name); count++) name = `${plain}-${count}`
  taken.add(name)
  return name
}

/** Divides exchanges again and again, as long as a place explains their answers better than no division does. */
function search(
  samples: readonly Sample[],
  before: readonly Condition[] = [],
): readonly Omit<OperationSamples, 'spoken'>[] {
  const best = before.length < MAX_CONDITIONS ? (bestOf(samples) ?? flagOf(samples)) : undefined
  if (best === undefined) return [{ when: plainWhen(before), name: undefined, samples }]
  return [...groupBy(samples, best.value)].flatMap(([value, own]) => {
    if (value === undefined) return search(own, before)
    return search(own, [...before, best.condition(value)]).map(({ name, ...rest }) => ({
      ...rest,
      name: name === undefined ? value : `${value}.${name}`,
    }))
  })
}

function plainWhen(conditions: readonly Condition[]): When | undefined {
  return conditions.length > 1 ? conditions : conditions[0]
}

function bestOf(samples: readonly Sample[]): Discriminator | undefined {
  const fine = samples.filter(({ status }) => status < 400)
  if (fine.length < 2) return undefined
  const classes = classifyAnswers(fine)
  if (new Set(fine.map(classes.of)).size < 2) return undefined
  const judged = discriminatorsOf(fine).map((place) => ({ place, ...judge(place, fine, classes) }))
  const [best] = judged
    .filter(({ gain, place }) => gain >= (place.isUsual ? MIN_GAIN_OF_USUAL : MIN_GAIN))
    .toSorted(
      (a, b) => b.gain - a.gain || Number(b.place.isUsual) - Number(a.place.isUsual) || a.values - b.values,
    )
  return best?.place
}

// A parameter that says `true`, without which a removal was refused in a way that has nothing to do with what is there.
function flagOf(samples: readonly Sample[]): Discriminator | undefined {
  const able = samples.filter(({ status }) => !isOfState(status))
  const refused = able.filter(({ status }) => status >= 400)
  if (refused.length === 0 || refused.length === able.length) return undefined
  if (!able.every(({ method }) => method === 'DELETE')) return undefined
  return discriminatorsOf(able).find(
    ({ isPresence, value }) =>
      isPresence &&
      able.every((sample) => {
        const name = value(sample)
        return sample.status >= 400 ? name === undefined : name !== undefined && saysYes(sample, name)
      }),
  )
}

// Who asks and what is there decide these.
function isOfState(status: number): boolean {
  return [401, 403, 404, 409, 410, 412].includes(status)
}

function saysYes({ query, body }: Sample, name: string): boolean {
  const value = query[name] ?? (isObject(body) ? body[name] : undefined)
  return value === true || (typeof value === 'string' && /^(1|true|yes|on|)$/i.test(value))
}

interface Judgement {
  /** By how much a place explains the answers better than no division; 0 where it cannot distinguish operations. */
  readonly gain: number
  /** How many values it has. */
  readonly values: number
}

const NO_GAIN: Judgement = { gain: 0, values: 0 }

function judge(place: Discriminator, fine: readonly Sample[], classes: AnswerClasses): Judgement {
  const groups = groupBy(fine, place.value)
  const without = groups.get(undefined) ?? []
  if (place.isPresence) return judgePresence(groups, without, classes)
  groups.delete(undefined)
  const present = fine.length - without.length
  if (groups.size < 2 || present < fine.length * MIN_PRESENT) return NO_GAIN
  const isFew = groups.size * 2 <= present
  if (!isFew && !place.isUsual) return NO_GAIN
  if (![...groups.keys()].every((value) => looksLikeName(value ?? '')) || isStored(place, groups))
    return NO_GAIN
  const most = (group: readonly Sample[]): number =>
    greatestOf([...countEach(group.map(classes.of)).values()])
  // One exchange alone is alike to itself, which explains nothing where the place does not say that it is one.
  const explained = [...groups.values()].reduce(
    (sum, group) => sum + (group.length === 1 && !place.isUsual ? 0 : most(group)),
    0,
  )
  const share = explained / present
  const all = [...groups.values()].flat()
  return share < MIN_EXPLAINED ? NO_GAIN : { gain: share - most(all) / present, values: groups.size }
}

// Filters, pages and expansions leave an answer what it is; another operation answers something else altogether.
function judgePresence(
  groups: ReadonlyMap<string | undefined, readonly Sample[]>,
  without: readonly Sample[],
  classes: AnswerClasses,
): Judgement {
  const withIt = [...groups].flatMap(([value, own]) => (value === undefined ? [] : own))
  if (without.length === 0 || withIt.length === 0) return NO_GAIN
  const [name = ''] = [...groups.keys()].filter((value) => value !== undefined)
  const isFlag = withIt.every((sample) => saysYes(sample, name))
  if (withIt.length < 2 && !isFlag) return NO_GAIN
  const classesOf = (own: readonly Sample[]): readonly number[] => [...new Set(own.map(classes.of))]
  return classes.areDisjoint(classesOf(withIt), classesOf(without)) ? { gain: 1, values: 2 } : NO_GAIN
}

function looksLikeName(value: string): boolean {
  const isId = /^[\da-f-]{8,}$/i.test(value) || /\d{4,}/.test(value)
  return !isId && /^[A-Za-z_][\w.:/#+-]{1,100}$/.test(value)
}

// What answers repeat is what something is like, and what they have as a member is what was wanted of it: nothing is done.
function isStored(
  { isQuery }: Discriminator,
  groups: ReadonlyMap<string | undefined, readonly Sample[]>,
): boolean {
  const repeats = (part: unknown, value: string): boolean =>
    part === value || (isObject(part) && Object.values(part).includes(value))
  const all = [...groups].flatMap(([value = '', own]) =>
    own.map(({ response }) => {
      const [item] = Array.isArray(response) ? (response as unknown[]) : [response]
      if (!isObject(item)) return false
      const isMember = isQuery && Object.hasOwn(item, value)
      return isMember || Object.values(item).some((part) => repeats(part, value))
    }),
  )
  return all.filter(Boolean).length * 2 > all.length
}
