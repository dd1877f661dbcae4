import type { ObjectType } from '../../engine/call-model.ts'
import { groupBy } from '../../grouping.ts'
import { isScalar } from '../inference/values.ts'
import { idOf, type Item, type Objects } from './objects.ts'

type Sequences = NonNullable<ObjectType['sequences']>

/**
 * The members that number objects below each other object that those belong to, such as the issues of each project.
 * @param made those that calls made, in order, as they are stored
 * @param given the arguments that each was made with
 */
export function sequencesIn(
  made: readonly { readonly item: Item; readonly given: Item }[],
  links: ObjectType['links'],
): Sequences {
  const owners = Object.entries(links).flatMap(([name, { by, from, shown }]) =>
    from === undefined && shown === undefined ? [by ?? name] : [],
  )
  const names = new Set(made.flatMap(({ item }) => Object.keys(item)))
  return Object.fromEntries(
    [...names].flatMap((name): [string, string][] => {
      const own = made.filter(({ item }) => Object.hasOwn(item, name))
      const areNumbers = own.every(({ item, given }) => isCount(item[name]) && !Object.hasOwn(given, name))
      const owner = areNumbers ? owners.find((each) => isCounting(own, name, each)) : undefined
      return owner === undefined ? [] : [[name, owner]]
    }),
  )
}

function isCounting(made: readonly { readonly item: Item }[], name: string, owner: string): boolean {
  const known = made.filter(({ item }) => idOf(item[owner]) !== '')
  const groups = [...groupBy(known, ({ item }) => idOf(item[owner])).values()]
  return (
    groups.some(({ length }) => length >= MIN_COUNTED) &&
    groups.every((own) =>
      own.every(({ item }, at) => at === 0 || item[name] === Number(own[at - 1]?.item[name]) + 1),
    )
  )
}

const MIN_COUNTED = 3

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0
}

/** What of the objects that an object belongs to its members may be made of, by names and dots. */
export function partsOfOwners(
  { links, sequences = {} }: Pick<ObjectType, 'links' | 'sequences'>,
  item: Item,
  ownerOf: (type: string, id: string) => Item | undefined,
): Item {
  return Object.fromEntries(
    [...new Set(Object.values(sequences))].flatMap((owner) => {
      const [, link] = Object.entries(links).find(([name, { by }]) => (by ?? name) === owner) ?? []
      const found = link && ownerOf(link.type, idOf(item[owner]))
      return Object.entries(found ?? {}).flatMap(([name, value]) =>
        isScalar(value) && String(value) !== idOf(item[owner]) ? [[`${owner}.${name}`, value] as const] : [],
      )
    }),
  )
}

/** A new object with the next numbers below what it belongs to. */
export function withSequences({ type, items }: Objects, item: Item): Item {
  const entries = Object.entries(type.sequences ?? {}).flatMap(([name, owner]): [string, number][] => {
    const id = idOf(item[owner])
    if (id === '') return []
    const numbers = [...items.values()].flatMap((each) =>
      idOf(each[owner]) === id ? [Number(each[name])] : [],
    )
    return [[name, numbers.reduce((most, each) => Math.max(most, each || 0), 0) + 1]]
  })
  return entries.length === 0 ? item : { ...item, ...Object.fromEntries(entries) }
}
