import type { EntityDeed } from '../../engine/entity-option.ts'
import { entryOf, groupBy } from '../../grouping.ts'
import { addFacts, requestFacts } from '../match/facts.ts'
import { isFailure } from '../match/subject.ts'
import { isReadingName } from '../../state/changes.ts'
import type { InferredRoute } from './infer-route.ts'
import { pathOf, type Sample } from './sample.ts'

/** An operation, and the values that its exchanges have by place. */
export interface Operation {
  readonly route: InferredRoute
  /** What it does, by what it is called. */
  readonly deed: EntityDeed
  /** Whether its name says so. */
  readonly isNamedDeed: boolean
  readonly samples: readonly Sample[]
  /** By the index of their exchange. */
  readonly places: ReadonlyMap<string, ReadonlyMap<number, string>>
  /** What its name says that it is about. */
  readonly nouns: ReadonlySet<string>
}

/** Places of operations that name the same things. */
export interface Id {
  readonly name: string
  readonly places: ReadonlyMap<Operation, readonly string[]>
  /** How many different things were named. */
  readonly values: number
}

/** Longer values are texts rather than names. */
const MAX_NAME = 200

/** A route with what its requests and answers say. */
export function operationOf(route: InferredRoute): Operation {
  const { samples, path, method } = route
  const places = new Map<string, Map<number, string>>()
  for (const sample of samples) {
    const facts = requestFacts(urlOf(sample), sample.body)
    if (!hasFailed(sample)) addFacts(facts, 'answer', sample.response)
    for (const [place, value] of facts) {
      const text = String(value)
      const isName = typeof value !== 'boolean' && text !== '' && text.length <= MAX_NAME
      // Words of the path are the operation's own, and what a list holds is not what was made.
      if (isName && !/[{}]|^path|^answer.*\/\d+(\/|$)/.test(place))
        entryOf(places, place, () => new Map<number, string>()).set(sample.index, text)
    }
  }
  for (const [place, values] of places)
    if (!isRequested(place) && isEcho(values, places)) places.delete(place)
  const name = route.name ?? path.slice(path.lastIndexOf('/') + 1)
  const changes: EntityDeed = method === 'DELETE' || REMOVING.test(name) ? 'delete' : 'write'
  const deed = method === 'GET' || isReadingName(name) ? 'read' : changes
  const isNamedDeed = deed !== 'write' || CHANGING.test(name)
  return { route, deed, isNamedDeed, samples, places, nouns: nounsOf(name) }
}

// What an answer repeats of its request was not made.
function isEcho(values: ReadonlyMap<number, string>, places: Operation['places']): boolean {
  return [...places].some(
    ([place, others]) =>
      isRequested(place) && [...values].every(([index, value]) => others.get(index) === value),
  )
}

/** The URL that a sample's request had, but for its host. */
export function urlOf(sample: Sample): string {
  const pairs = Object.entries(sample.query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
  return `${pathOf(sample)}?${new URLSearchParams(pairs).toString()}`
}

/** Whether an exchange changed nothing since it failed. */
export function hasFailed({ status, response }: Sample): boolean {
  return isFailure({ status, body: response })
}

const REMOVING =
  /(^|[^a-z])(delete|remove|destroy|drop|purge|unlink|revoke|revocation|erase|cancel|terminate|forget|unset|del|rm)|(Delete|Remove|Destroy|Drop|Purge|Revoke|Erase|Cancel|Terminate)/

const CHANGING =
  /(^|[^a-z])(create|add|new|insert|put|set|update|upsert|change|edit|patch|modify|reset|clear|flush|start|stop|pause|resume|move|rename|copy|import|load|enable|disable|send|publish|push|pop|enqueue|submit|post|save|store|write|append|grant|assign|attach|detach|register|commit|apply|execute|run|txn|mutation)/i

const VERBS =
  /^(get|list|create|add|new|insert|put|set|update|upsert|change|edit|patch|modify|delete|remove|describe|show|find|fetch|read|search|query|count|by|id|all|and|of|the|v?\d+)$/

function nounsOf(name: string): ReadonlySet<string> {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^A-Za-z\d]+/)
  const nouns = words.map((word) => word.toLowerCase()).filter((word) => word !== '' && !VERBS.test(word))
  return new Set(nouns.map((word) => word.replace(/(?<=..)s$/, '')))
}

/** A place of one operation. */
interface Place {
  readonly operation: Operation
  readonly place: string
  readonly values: ReadonlySet<string>
}

/**
 * Finds what names the same things in requests of several operations, or in the answers of those that make them: places
 * with values in common, of which one operation writes and another reads or deletes.
 */
export function findIds(operations: readonly Operation[]): readonly Id[] {
  const places = operations.flatMap((operation) =>
    [...operation.places].map(([place, byIndex]): Place => ({
      ...{ operation, place, values: new Set(byIndex.values()) },
    })),
  )
  const groups = join(
    places.filter(({ operation, place }) => isRequested(place) || operation.deed === 'write'),
    operations,
  )
  const taken = new Set<string>()
  return groups.flatMap((group) => {
    const requested = group.filter(({ place }) => isRequested(place))
    const isNamed = requested.some(({ operation }) => operation.deed !== 'write')
    const isChanged = group.some(({ operation }) => operation.deed !== 'read')
    const byOperation = groupBy(group, ({ operation }) => operation)
    if (!isNamed || !isChanged || byOperation.size < 2) return []
    const name = freeName(lastPart(requested[0]?.place ?? ''), taken)
    const values = new Set(group.flatMap((each) => [...each.values])).size
    const own = [...byOperation].map(
      ([operation, all]) => [operation, all.map(({ place }) => place)] as const,
    )
    return [{ name, values, places: new Map(own) }]
  })
}

/** Whether a place is of the request rather than of its answer. */
export function isRequested(place: string): boolean {
  return !place.startsWith('answer')
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let count = 2; taken.has(name); count++) name = `${wanted}-${count}`
  taken.add(name)
  return name
}

// Groups of places that are alike, or alike to others that are.
function join(places: readonly Place[], operations: readonly Operation[]): readonly (readonly Place[])[] {
  const usable = places.filter(({ place }) => !isOfProtocol(place, operations))
  const byValue = new Map<string, Place[]>()
  for (const each of usable) for (const value of each.values) entryOf(byValue, value, () => []).push(each)
  const groupOf = new Map<Place, Place[]>(usable.map((each) => [each, [each]]))
  for (const one of usable.filter(({ place }) => isRequested(place))) {
    const others = new Set([...one.values].flatMap((value) => byValue.get(value) ?? []))
    for (const other of others) {
      const [group, joined] = [groupOf.get(one) ?? [], groupOf.get(other) ?? []]
      if (group === joined || other.operation === one.operation || !areAlike(one, other)) continue
      for (const each of joined) {
        group.push(each)
        groupOf.set(each, group)
      }
    }
  }
  return [...new Set(groupOf.values())]
}

// What every request says alike, or has a number of its own for, belongs to the protocol.
function isOfProtocol(place: string, operations: readonly Operation[]): boolean {
  const found = operations.map(({ places, samples }) => ({ values: places.get(place), samples }))
  if (found.some(({ values, samples }) => values?.size !== samples.length)) return false
  const values = found.flatMap((each) => [...(each.values?.values() ?? [])])
  const different = new Set(values).size
  return different === 1 || different === operations.length || different === values.length
}

// Small numbers are met by chance: they are of one kind where what the operations are called says so.
function areAlike(one: Place, other: Place): boolean {
  const shared = [...one.values].filter((value) => other.values.has(value))
  const isSameName = plainName(one.place) === plainName(other.place)
  const particular = shared.filter((value) => value.length >= 4 || /^[a-z]/i.test(value))
  if (particular.length > 0)
    return isSameName || particular.length >= 2 || particular.some((value) => value.length >= 8)
  if (!haveSameNouns(one.operation, other.operation)) return false
  return isSameName || (shared.length >= 2 && !isRequested(other.place))
}

function haveSameNouns({ nouns: some }: Operation, { nouns: others }: Operation): boolean {
  if (some.size === 0 || others.size === 0) return some.size === others.size
  return [...some].some((noun) => others.has(noun))
}

function plainName(place: string): string {
  return lastPart(place)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}

function lastPart(place: string): string {
  return place.split('/').findLast((part) => !/^\d+$/.test(part)) ?? ''
}
