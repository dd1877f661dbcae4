import type { EntityDeed, EntityOption } from '../../engine/entity-option.ts'
import { groupBy } from '../../grouping.ts'
import { addFacts, requestFacts } from '../match/facts.ts'
import { filledName } from '../match/subject.ts'
import { findIds, hasFailed, type Id, isRequested, type Operation, operationOf, urlOf } from './entity-ids.ts'
import type { InferredRoute } from './infer-route.ts'
import type { Sample } from './sample.ts'
import { keysOf } from './values.ts'

/** In this share of an operation's exchanges a place must have a value to name what they are about. */
const MIN_PRESENT = 0.9

/**
 * What the requests of routes are about whose paths do not say it, such as those of RPC, by the values that they have in
 * common; and what they do to that, by what was read right after them, or else by what they are called.
 * @param isStored whether a store answers a route
 */
export function findEntities(
  routes: readonly InferredRoute[],
  isStored: (route: InferredRoute) => boolean,
): ReadonlyMap<InferredRoute, EntityOption> {
  const calls = routes.filter((route) => !isStored(route) && isCall(route, routes))
  return new Map([...groupBy(calls, ({ host }) => host).values()].flatMap(entitiesOfHost))
}

// Where operations share a path, or a path is posted to that has no other methods and no items with paths of their own.
function isCall(
  { host, path, method, name, samples }: InferredRoute,
  routes: readonly InferredRoute[],
): boolean {
  if (path.includes('{')) return false
  if (name !== undefined) return true
  const others = routes.filter((other) => other.host === host)
  if (others.some((other) => isItemOf(other, path))) return false
  if (method === 'GET') return samples.some(({ query }) => Object.keys(query).length > 0)
  return (
    method === 'POST' &&
    !others.some((other) => other.path === path && /^(PUT|PATCH|DELETE)$/.test(other.method))
  )
}

// Right below it, and no operation of its own: a value, or what is more than posted to.
function isItemOf({ method, path }: InferredRoute, collection: string): boolean {
  const above = `${collection.replace(/\.(json|xml)$/, '')}/`
  const last = path.startsWith(above) ? path.slice(above.length) : ''
  return last.startsWith('{') || (last !== '' && !last.includes('/') && method !== 'POST')
}

function entitiesOfHost(
  routes: readonly InferredRoute[],
): readonly (readonly [InferredRoute, EntityOption])[] {
  const operations = routes.map(operationOf)
  const own = ownIds(operations, findIds(operations))
  const names = new Map(
    operations.flatMap((each) => {
      const name = nameOf(each, own)
      return name === undefined ? [] : [[each, name] as const]
    }),
  )
  if (names.size < 2) return []
  const scope = commonPath([...names.keys()].map(({ route }) => route.path))
  const below = scope === '/' ? scope : `${scope}/`
  const readings = readingsOf(names)
  return operations.flatMap((operation) => {
    const { route, deed } = operation
    const name = names.get(operation)
    if (name === undefined && !`${route.path}/`.startsWith(below)) return []
    // What is about nothing, and is not called like what changes something, is taken to read.
    const does = name === undefined ? (operation.isNamedDeed ? deed : 'read') : deedOf(operation, readings)
    return [[route, { ...(name !== undefined && { name }), does, ...(scope !== route.path && { scope }) }]]
  })
}

/** The ids that an operation's requests or answers have, and where. */
type OwnIds = ReadonlyMap<Id, string>

// Ids that one operation always changes, and another always reads.
function ownIds(operations: readonly Operation[], ids: readonly Id[]): ReadonlyMap<Operation, OwnIds> {
  const isChanged = (id: Id): boolean =>
    operations.some((each) => each.deed !== 'read' && placeFor(each, id) !== undefined)
  const able = ids.filter(isChanged)
  return new Map(
    operations.map((operation) => {
      const places = able.map((id) => [id, placeFor(operation, id)] as const)
      return [operation, new Map(places.filter((each): each is [Id, string] => each[1] !== undefined))]
    }),
  )
}

// What is sent names it rather than what is answered, and an outer place rather than one within.
function placeFor(operation: Operation, id: Id): string | undefined {
  const { places, samples } = operation
  const fine = samples.filter((sample) => !hasFailed(sample))
  const able = (id.places.get(operation) ?? []).filter((place) => {
    // Requests that failed may have done so since they named nothing.
    const judged = fine.length === 0 ? samples : fine
    return judged.filter(({ index }) => places.get(place)?.has(index)).length >= MIN_PRESENT * judged.length
  })
  const rank = (place: string): number => place.split('/').length + (isRequested(place) ? 0 : 100)
  return able.toSorted((a, b) => rank(a) - rank(b))[0]
}

/** How an operation names what it is about: parents, which more operations name, before their children. */
function nameOf(operation: Operation, owned: ReadonlyMap<Operation, OwnIds>): string | undefined {
  const own: OwnIds = owned.get(operation) ?? new Map()
  const kind = operation.deed === 'write' ? kindOf(operation, own, owned) : [...own.keys()]
  const usersOf = (id: Id): number => [...owned.values()].filter((ids) => ids.has(id)).length
  const order = kind.toSorted((a, b) => usersOf(b) - usersOf(a) || a.values - b.values)
  const [first] = order
  return first && [first.name, ...order.map((id) => `{${own.get(id) ?? ''}}`)].join('/')
}

// Who writes may name more than what is written, such as what that belongs to; who reads or deletes does not.
function kindOf(
  { samples, places }: Operation,
  own: OwnIds,
  owned: ReadonlyMap<Operation, OwnIds>,
): readonly Id[] {
  const kinds = [...owned]
    .filter(([{ deed }]) => deed !== 'write')
    .map(([, ids]) => [...ids.keys()])
    .filter((kind) => kind.some((id) => own.has(id)))
  const whole = kinds.filter((kind) => kind.every((id) => own.has(id)))
  // What only its children are read of is named by what they have in common with it.
  const able = whole.length > 0 ? whole : kinds.map((kind) => kind.filter((id) => own.has(id)))
  const countOf = (kind: readonly Id[]): number => {
    const valueOf = (id: Id, index: number): string => places.get(own.get(id) ?? '')?.get(index) ?? ''
    return new Set(samples.map(({ index }) => kind.map((id) => valueOf(id, index)).join('\n'))).size
  }
  return able.toSorted((a, b) => b.length - a.length || countOf(b) - countOf(a))[0] ?? []
}

function commonPath(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/'))
  const end = first.findIndex((part, at) => others.some((other) => other[at] !== part))
  return (end < 0 ? first : first.slice(0, end)).join('/') || '/'
}

/** An exchange that is about something. */
interface Reading {
  readonly operation: Operation
  readonly sample: Sample
  /** Whether it is read, and not there. */
  readonly isAbsent: boolean
}

/** The exchanges about each thing, in order. */
type Readings = ReadonlyMap<string, readonly Reading[]>

function readingsOf(names: ReadonlyMap<Operation, string>): Readings {
  const all = [...names].flatMap(([operation, name]) =>
    operation.samples.flatMap((sample) => {
      const facts = requestFacts(urlOf(sample), sample.body)
      addFacts(facts, 'answer', sample.response)
      const thing = filledName(name, facts)
      return thing === undefined ? [] : [{ operation, sample, thing }]
    }),
  )
  const inOrder = all.toSorted((a, b) => a.sample.index - b.sample.index)
  const byThing = groupBy(inOrder, ({ thing }) => thing)
  const absent = absentForms([...byThing.values()])
  return new Map(
    [...byThing].map(([thing, own]) => [
      thing,
      own.map(({ operation, sample }) => {
        const isAbsent = hasFailed(sample) || absent.get(operation)?.has(formOf(sample)) === true
        return { operation, sample, isAbsent: operation.deed === 'read' && isAbsent }
      }),
    ]),
  )
}

// The forms of answers about what nobody has written yet, unless what was just written is answered so, too.
function absentForms(
  things: readonly (readonly { readonly operation: Operation; readonly sample: Sample }[])[],
): ReadonlyMap<Operation, ReadonlySet<string>> {
  const [before, after] = [new Map<Operation, Set<string>>(), new Map<Operation, Set<string>>()]
  for (const own of things) {
    const first = own.findIndex(({ operation, sample }) => operation.deed === 'write' && !hasFailed(sample))
    for (const [at, { operation, sample }] of own.entries()) {
      const forms = first < 0 || at < first ? before : after
      if (forms === after && own[at - 1]?.operation.deed === 'delete') continue
      forms.set(operation, (forms.get(operation) ?? new Set()).add(formOf(sample)))
    }
  }
  return new Map(
    [...before].map(([operation, forms]) => {
      const usual = after.get(operation)
      return [operation, new Set(usual === undefined ? [] : [...forms].filter((form) => !usual.has(form)))]
    }),
  )
}

function formOf({ status, response }: Sample): string {
  return `${status} ${keysOf(response)}`
}

function deedOf(operation: Operation, readings: Readings): EntityDeed {
  if (operation.deed === 'read') return 'read'
  let [there, gone] = [0, 0]
  for (const own of readings.values()) {
    for (const [at, { operation: other, sample }] of own.entries()) {
      const next = own[at + 1]
      if (other !== operation || hasFailed(sample) || next?.operation.deed !== 'read') continue
      if (next.isAbsent) gone++
      else there++
    }
  }
  if (there === gone) return operation.deed
  return there > gone ? 'write' : 'delete'
}
