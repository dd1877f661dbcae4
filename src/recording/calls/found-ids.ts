import { canonicalText } from '../../engine/random.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { countEach, entryOf, groupBy } from '../../grouping.ts'
import type { SelectedField } from '../../routing/selection.ts'
import type { ReadCall } from './call.ts'
import { isUsualId } from './id-members.ts'
import type { Item } from './objects.ts'
import { typedPlace } from './fragment-place.ts'
import type { CallSample, ObjectSeen } from './call-sample.ts'
import { typesOf } from './place-types.ts'
import { fieldName, memberKey, nameKey } from './show.ts'

type Types = ReadonlyMap<string, string>

/** What is known of the objects of one type. */
interface KnownType {
  /** The member that has the id. */
  readonly id: string
  /** The ids of the objects that ever had a value as a member, by both. */
  readonly having: Map<string, Set<unknown>>
}

/** Where a value is: what is selected of it, and the field of the type that leads to it. */
interface At {
  readonly place: string
  readonly fields: readonly SelectedField[]
  readonly owner?: string | undefined
  readonly field: string
}

/**
 * Calls with the ids of objects that they select by other members alone, such as `author { name }`, where only one known
 * object of the type has those.
 */
export function withFoundIds(calls: readonly CallSample[]): readonly ReadCall[] {
  const types = typesOf(calls)
  const known = knownTypes(calls, types)
  const led = ledTo(calls, types, known)
  const typeAt = ({ place, owner, field }: At): string | undefined => {
    const own = types.get(place)
    if (own !== undefined && known.has(own)) return own
    return owner === undefined ? undefined : (led.get(`${owner} ${field}`) ?? called(field, known))
  }
  const fill = (value: unknown, at: At, depth = 0): unknown => {
    if (depth > MAX_DEPTH) return value
    if (Array.isArray(value)) return value.map((each: unknown) => fill(each, at, depth + 1))
    if (!isObject(value)) return value
    const place = typedPlace(value, at.place, at.fields)
    if (place === undefined) return value
    const type = typeAt({ ...at, place })
    const entries = Object.entries(value).map(([member, part]) => {
      const fields = at.fields.find((field) => memberKey(field) === member)?.fields ?? []
      const name = fieldName(member)
      const [owner, field] = type === undefined ? [at.owner, `${at.field}/${name}`] : [type, `/${name}`]
      return [member, fill(part, { place: `${place}/${name}`, fields, owner, field }, depth + 1)]
    })
    const filled = Object.fromEntries(entries) as Item
    const about = type === undefined ? undefined : known.get(type)
    if (about === undefined || Object.hasOwn(value, about.id)) return filled
    const id = idOfOnly(value, about)
    return id === undefined ? filled : { ...filled, [about.id]: id }
  }
  return calls.map(({ objects: _objects, ...each }): ReadCall => {
    const { name, selects } = each.call
    if (selects === undefined) return each
    return { ...each, value: fill(each.value, { place: name, fields: selects, field: '' }) }
  })
}

const MAX_DEPTH = 16

/** Objects without those that only seem to have an id, which others of their type have. */
export function withoutNameless(calls: readonly CallSample[]): readonly CallSample[] {
  const types = typesOf(calls)
  const known = knownTypes(calls, types)
  const hasOwnId = ({ place, id }: ObjectSeen): boolean => {
    const about = known.get(types.get(place) ?? '')
    return about === undefined || about.id === id
  }
  return calls.map((each) =>
    each.call.selects === undefined ? each : { ...each, objects: each.objects.filter(hasOwnId) },
  )
}

// Those that have ids which are called so.
function knownTypes(calls: readonly CallSample[], types: Types): ReadonlyMap<string, KnownType> {
  const selected = calls.flatMap(({ call, objects }) => (call.selects === undefined ? [] : objects))
  const found = [...groupBy(selected, ({ place }) => types.get(place) ?? '')].flatMap(
    ([type, own]): [string, KnownType][] => {
      const counts = countEach(own.flatMap(({ id }) => (isUsualId(id) ? [id] : [])))
      const [id] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? []
      if (id === undefined) return []
      const having = new Map<string, Set<unknown>>()
      for (const { item } of own.filter((each) => each.id === id))
        for (const [name, value] of scalarsOf(item))
          entryOf(having, `${name} ${canonicalText(value)}`, () => new Set()).add(item[id])
      return [[type, { id, having }]]
    },
  )
  return new Map(found)
}

// The types that fields of a type lead to.
function ledTo(
  calls: readonly CallSample[],
  types: Types,
  known: ReadonlyMap<string, KnownType>,
): ReadonlyMap<string, string> {
  const within = calls
    .flatMap(({ objects }) => objects)
    .filter(({ place }) => known.has(types.get(place) ?? ''))
  return new Map(
    within.flatMap(({ place, parent }): [string, string][] => {
      const owner = parent && types.get(parent.seen.place)
      const type = types.get(place)
      if (parent === undefined || owner === undefined || type === undefined) return []
      return [[`${owner} ${place.slice(parent.seen.place.length)}`, type]]
    }),
  )
}

// What a field is called may be what a type is.
function called(field: string, known: ReadonlyMap<string, KnownType>): string | undefined {
  const wanted = nameKey(field.slice(field.lastIndexOf('/') + 1).toLowerCase())
  return [...known.keys()].find((type) => nameKey(type.toLowerCase().replaceAll('_', '')) === wanted)
}

function idOfOnly(value: Item, { having }: KnownType): unknown {
  const all = scalarsOf(value).map(([name, part]) => having.get(`${name} ${canonicalText(part)}`))
  const [first, ...others] = all
  const found = [...(first ?? [])].filter((id) => others.every((ids) => ids?.has(id) === true))
  return found.length === 1 ? found[0] : undefined
}

function scalarsOf(item: Item): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(item).filter(([, value]) => typeof value === 'string' || typeof value === 'number')
}
