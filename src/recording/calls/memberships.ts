import type { CallRule, ObjectType } from '../../engine/call-model.ts'
import { entryOf, groupBy } from '../../grouping.ts'
import { argumentsOf, isReading } from './call.ts'
import { failureOf } from './failures.ts'
import { JOIN_ID, joinId } from './joined.ts'
import type { Known } from './object-types.ts'
import type { CallSample } from './call-sample.ts'

/** What calls join objects of two types, and which show the ones that are joined with another. */
export interface Memberships {
  /** Types of what joins two objects, which has the ids of both by the names of their types. */
  readonly types: ReadonlyMap<string, ObjectType>
  /** The calls that join objects and part them, which say no more than that they did. */
  readonly rules: ReadonlyMap<string, CallRule>
  /** Where results have the objects that are joined with one which an argument names. */
  readonly shown: ReadonlyMap<string, Pick<CallRule, 'joined' | 'needs'>>
}

/** An argument that always has the id of an object of a type. */
interface Named {
  readonly argument: string
  readonly type: string
}

/** Lists of the objects of one type, by an argument with the id of another one. */
interface Lists {
  readonly owner: Named
  readonly type: string
  readonly name: string
  readonly own: readonly CallSample[]
  readonly pointer: string
  readonly shows: readonly string[]
}

/** A call with the ids of two objects. */
interface Verb {
  readonly name: string
  readonly own: readonly CallSample[]
  readonly ends: readonly [Named, Named]
}

/** Names of calls that part what was joined. */
const PARTING =
  /(remove|delete|detach|leave|unlink|disconnect|unassign|unbind|exclude|unfollow|dis?associate|revoke|drop|kick|withdraw|untag|unsubscribe|deregister|unregister)/i

/**
 * Finds calls that join two objects by what lists show before and after them.
 * @param rules what the calls do that show objects, or remove some
 */
export function membershipsIn(known: Known, rules: ReadonlyMap<string, CallRule>): Memberships {
  const byName = groupBy(known.calls, ({ call }) => call.name)
  const verbs = [...byName].flatMap(([name, own]) => verbsIn(name, own, known))
  const lists = [...byName].flatMap(([name, own]) => listsIn(name, own, known))
  const types = new Map<string, ObjectType>()
  const joining = new Map<string, CallRule>()
  const shown = new Map<string, Pick<CallRule, 'joined' | 'needs'>>()
  for (const [type, own] of groupBy(verbs, ({ ends }) => joinType(ends))) {
    const [{ ends }] = own as [Verb]
    const about = lists.filter((each) => joinType([each.owner, each]) === type)
    const free = own.filter(({ name }) => !joining.has(name))
    const items =
      free.length > 0 && about.length > 0 ? replay({ known, verbs: free, lists: about, rules }) : undefined
    if (items === undefined) continue
    const within = Object.fromEntries(ends.map((end) => [end.type, end.type]))
    types.set(type, { id: JOIN_ID, items, links: {}, defaults: {}, within })
    for (const verb of free) joining.set(verb.name, ruleOfVerb(verb, type, known))
    for (const { name, own: calls, pointer, owner, type: of, shows } of about) {
      const needs = needsOf(calls, [owner], known)
      const at = pointer.slice(0, pointer.indexOf('/-'))
      const joined = { by: type, type: of, owner: owner.type, argument: owner.argument, shows }
      shown.set(name, {
        joined: { ...shown.get(name)?.joined, [at]: joined },
        ...(needs.length > 0 && { needs }),
      })
    }
  }
  return { types, rules: joining, shown }
}

function joinType(ends: readonly { readonly type: string }[]): string {
  return ends
    .map(({ type }) => type)
    .toSorted()
    .join(' and ')
}

function verbsIn(name: string, own: readonly CallSample[], known: Known): readonly Verb[] {
  const fine = own.filter(({ outcome }) => outcome.error === undefined)
  const [first] = fine
  const isSilent = first !== undefined && (first.call.isChange ?? !isReading(name))
  if (!isSilent || fine.some(({ objects }) => objects.length > 0)) return []
  const named = namedIn(fine, known)
  return named.flatMap((one, at) =>
    named
      .slice(at + 1)
      .filter((other) => other.type !== one.type && other.argument !== one.argument)
      .map((other): Verb => ({ name, own, ends: [one, other] })),
  )
}

function listsIn(name: string, own: readonly CallSample[], known: Known): readonly Lists[] {
  const fine = own.filter(({ outcome }) => outcome.error === undefined)
  const isReader = fine[0] !== undefined && !(fine[0].call.isChange ?? !isReading(name))
  if (!isReader) return []
  const seen = fine.flatMap(({ call, objects }) => objects.map((each) => ({ call, each })))
  const places = groupBy(
    seen.filter(({ each }) => each.pointer.endsWith('/-') && each.parent === undefined),
    ({ each }) => each.pointer,
  )
  return [...places].flatMap(([pointer, all]) => {
    const [first] = all as [(typeof all)[number]]
    const type = known.types.get(first.each.place) ?? ''
    const shows = [...new Set(all.flatMap(({ each: { item } }) => Object.keys(item)))]
    return namedIn(fine, known)
      .filter((owner) => owner.type !== type)
      .filter(({ argument }) => {
        // What says itself whose it is needs no call that joins them.
        const says = ({ call, each: { item } }: (typeof all)[number]): boolean =>
          Object.values(item).includes(argumentsOf(call).get(argument))
        return !all.some(says)
      })
      .map((owner): Lists => ({ owner, type, name, own, pointer, shows }))
  })
}

// The arguments whose values are ids of known objects in every call.
function namedIn(fine: readonly CallSample[], { types, firsts }: Known): readonly Named[] {
  const all = fine.map(({ call }) => argumentsOf(call))
  return [...(all[0]?.keys() ?? [])].flatMap((argument) =>
    [...new Set(types.values())]
      .filter((type) =>
        all.every((args) => args.has(argument) && firsts.has(`${type} ${String(args.get(argument))}`)),
      )
      .map((type): Named => ({ argument, type })),
  )
}

/**
 * What was joined in the beginning, where all lists show what the calls before them joined; `undefined` where one does
 * not, or where lists leave nothing out.
 */
function replay({
  known: { calls, types },
  verbs,
  lists,
  rules,
}: {
  readonly known: Known
  readonly verbs: readonly Verb[]
  readonly lists: readonly Lists[]
  readonly rules: ReadonlyMap<string, CallRule>
}): ObjectType['items'] | undefined {
  const there = new Map<string, Set<string>>()
  const joined = new Map<string, Readonly<Record<string, string>>>()
  const touched = new Set<string>()
  const beginning: Readonly<Record<string, string>>[] = []
  let isChoosy = false
  let isJoined = false
  for (const sample of calls) {
    const { call, outcome, objects } = sample
    if (outcome.error !== undefined) continue
    const args = argumentsOf(call)
    const idOf = ({ argument }: Named): string => String(args.get(argument))
    for (const seen of objects)
      entryOf(there, types.get(seen.place) ?? '', () => new Set<string>()).add(String(seen.item[seen.id]))
    const verb = verbs.find(({ name }) => name === call.name)
    if (verb !== undefined) {
      const pair = Object.fromEntries(verb.ends.map((end) => [end.type, idOf(end)]))
      const key = joinId(pair)
      touched.add(key)
      if (PARTING.test(call.name)) joined.delete(key)
      else joined.set(key, pair)
    }
    const rule = verb === undefined ? rules.get(call.name) : undefined
    if (rule?.does === 'remove' && rule.id !== undefined) {
      const gone = String(args.get(rule.id))
      there.get(rule.type)?.delete(gone)
      for (const [id, pair] of joined) if (pair[rule.type] === gone) joined.delete(id)
    }
    for (const { owner, type, pointer } of lists.filter(({ name }) => name === call.name)) {
      const own = idOf(owner)
      const ids = objects.filter((each) => each.pointer === pointer).map(({ item, id }) => String(item[id]))
      for (const id of ids) {
        const pair = { [owner.type]: own, [type]: id }
        const key = joinId(pair)
        if (!touched.has(key)) beginning.push({ ...pair, [JOIN_ID]: key })
        else if (joined.has(key)) isJoined = true
        else return undefined
        touched.add(key)
        joined.set(key, pair)
      }
      const missing = [...joined.values()].some(
        (pair) => pair[owner.type] === own && !ids.includes(pair[type] ?? ''),
      )
      if (missing) return undefined
      if ([...(there.get(type) ?? [])].some((id) => !ids.includes(id))) isChoosy = true
    }
  }
  return isChoosy && isJoined ? beginning : undefined
}

function ruleOfVerb({ name, own, ends }: Verb, type: string, known: Known): CallRule {
  const { value, outcome } = own.find((each) => each.outcome.error === undefined) as CallSample
  const needs = needsOf(own, ends, known)
  return {
    ...{ does: PARTING.test(name) ? 'part' : 'join', type, result: value },
    ...(outcome.frame !== undefined && { frame: outcome.frame }),
    ends: Object.fromEntries(ends.map((end) => [end.type, end.argument])),
    ...(needs.length > 0 && { needs }),
  }
}

// What is said where an object is not there that an argument names.
function needsOf(
  own: readonly CallSample[],
  ends: readonly Named[],
  { firsts }: Known,
): NonNullable<CallRule['needs']> {
  const failed = own.filter(({ outcome }) => outcome.error !== undefined)
  return ends.flatMap(({ argument, type }) => {
    const idOf = ({ call }: CallSample): unknown => argumentsOf(call).get(argument)
    const sample = failed.find((each) => !firsts.has(`${type} ${String(idOf(each))}`))
    return sample === undefined ? [] : [{ argument, type, outcome: failureOf(sample, idOf(sample)) }]
  })
}
