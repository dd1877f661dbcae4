import type { CallRule } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Fresh } from '../match/nearest-answer.ts'
import { isScalar } from '../inference/values.ts'
import { membersOf } from './call.ts'
import type { CallSample } from './call-sample.ts'
import { given, usual } from './given-members.ts'
import type { Links } from './object-links.ts'
import { type Item, freshId, noteChange, type Objects, put } from './objects.ts'
import { withTemplates } from './templates.ts'

/**
 * Members with the ids of other objects that were given by another member of those, such as labels of tags. What no object
 * has is made.
 */
export function withNamed(
  members: Item,
  { type }: Objects,
  all: ReadonlyMap<string, Objects>,
  fresh: Fresh,
): Item {
  const entries = Object.entries(members).map(([name, value]) => {
    const { named, type: other = '' } = Object.hasOwn(type.links, name) ? (type.links[name] ?? {}) : {}
    const others = all.get(other)
    if (named === undefined || others === undefined || !Array.isArray(value)) return [name, value]
    return [name, value.map((each: unknown) => idNamed(others, named, each, fresh))]
  })
  return Object.fromEntries(entries) as Item
}

function idNamed(others: Objects, named: string, value: unknown, fresh: Fresh): unknown {
  const { id, defaults } = others.type
  const found = [...others.items.values()].find((item) => item[named] === value)
  if (found !== undefined) return found[id]
  const key = freshId(others, fresh)
  noteChange(others, String(key), undefined)
  put(others, { ...defaults, [named]: value, [id]: key })
  return key
}

/**
 * Makes the objects that a new one is given with it, such as the lines of an order; those that are there already become
 * its own.
 * @param members what the new one is given
 */
export function makeParts(
  members: Item,
  { type }: Objects,
  key: unknown,
  all: ReadonlyMap<string, Objects>,
  fresh: Fresh,
): void {
  for (const [name, { type: other, from }] of Object.entries(type.links)) {
    const others = all.get(other)
    if (from === undefined || others === undefined) continue
    const owner = { [from]: Array.isArray(others.type.defaults[from]) ? [key] : key }
    for (const part of partsIn(members, name)) {
      const known = others.items.get(String(part[others.type.id]))
      if (known !== undefined) put(others, { ...known, ...owner })
      else makePart(others, part, owner, all, fresh)
    }
  }
}

function makePart(
  others: Objects,
  part: Item,
  owner: Item,
  all: ReadonlyMap<string, Objects>,
  fresh: Fresh,
): void {
  const { id, templates } = others.type
  const seed = { ...fresh, seed: `${fresh.seed} ${others.items.size}` }
  const key = part[id] ?? freshId(others, fresh)
  const plain = {
    ...usual(others, WHOLE, seed, {}),
    ...given({ name: '', args: part }, others, WHOLE),
    ...owner,
    [id]: key,
  }
  noteChange(others, String(key), undefined)
  put(others, withTemplates(plain, templates, { ...part, [id]: key }, seed))
  others.made.set(String(key), fresh.now)
  makeParts(part, others, key, all, fresh)
}

const WHOLE: CallRule = { does: 'create', type: '', result: null, isWhole: true }

// Some say what is to be done with them: `{ create: [{ text: 'a' }] }`.
function partsIn(members: Item, name: string): readonly Item[] {
  const value = Object.hasOwn(members, name) ? members[name] : undefined
  const list = isObject(value) ? (value['create'] ?? value['data'] ?? value['connect']) : value
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** An object that another one was given when it was made, and which result may not show. */
export interface GivenPart {
  readonly type: string
  readonly part: Item
  readonly sample: CallSample
}

/** The objects that were made with others, whether or not results show them. */
export function partsGiven(
  calls: readonly CallSample[],
  rules: ReadonlyMap<string, CallRule>,
  links: Links,
): readonly GivenPart[] {
  return calls.flatMap((sample) => {
    const rule = rules.get(sample.call.name)
    if (rule?.does !== 'create' || sample.outcome.error !== undefined) return []
    const members = membersOf(sample.call)
    return Object.entries(links.get(rule.type) ?? {}).flatMap(([name, { type, from }]) =>
      from === undefined ? [] : partsIn(members, name).map((part) => ({ type, part, sample })),
    )
  })
}

/** Whether an object has all that such a part was given, as far as it is shown. */
export function isLikePart({ part }: GivenPart, item: Item): boolean {
  const shown = Object.entries(part).filter(([name, value]) => isScalar(value) && Object.hasOwn(item, name))
  return shown.length > 0 && shown.every(([name, value]) => item[name] === value)
}
