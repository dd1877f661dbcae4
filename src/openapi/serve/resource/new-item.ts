import { kindOf } from '../../../engine/schema/keywords.ts'
import { saidOf } from '../../../engine/schema/said.ts'
import { createResolver, type Entries } from '../../../engine/schema/schema.ts'
import type { Item } from '../../../state/store.ts'
import type { ItemModel } from './item-model.ts'
import type { FieldModels } from './item-shape.ts'

/** Has an item that was just made hold nothing yet: its lists are empty and its counts 0, but for what is known of it. */
export type BeginEmpty = (item: Entries, known: Item) => Entries

/** What has new items of a shape hold nothing of what servers set. What the description says of a field stays. */
export function createBeginEmpty(
  { fields, modelOf }: FieldModels,
  model: Pick<ItemModel, 'fits'>,
): BeginEmpty {
  const beginnings = [...fields.keys()].flatMap((name): (readonly [string, unknown])[] => {
    const own = modelOf(name)
    const kind = kindOf(own)
    const value =
      kind === 'array' ? [] : ['integer', 'number'].includes(kind) && COUNT.test(name) ? 0 : undefined
    return value === undefined || saidOf(own, createResolver(own)).length > 0 ? [] : [[name, value]]
  })
  return (item, known) =>
    beginnings.reduce<Entries>((left, [name, value]) => {
      if (!Object.hasOwn(left, name) || Object.hasOwn(known, name)) return left
      const next = { ...left, [name]: value }
      return model.fits(next) ? next : left
    }, item)
}

const COUNT = /(_count|Count|_counter|Counter)$|^(num|number_of|numberOf|total)(_|[A-Z])/
