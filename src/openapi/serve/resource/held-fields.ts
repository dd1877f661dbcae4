import { plainName } from '../../../collections/paging/page-parameters.ts'
import { kindOf } from '../../../engine/schema/keywords.ts'
import { isObject, type Entries } from '../../../engine/schema/schema.ts'
import type { Item } from '../../../state/store.ts'
import type { ItemModel } from './item-model.ts'
import { fieldModelsOf, type FieldModels } from './item-shape.ts'

/** Puts what is sent flat where an item holds it: JSON:API has most of what an item is in its attributes. */
export interface Holder {
  /** What a request sends of an item itself, and what of its attributes. */
  split(fields: Item): { readonly own: Item; readonly held: Item }
  /** An item whose attributes are as they were sent, as far as its model can hold them. */
  join(item: Entries, held: Item): Entries
}

const HOLDER = 'attributes'

/** The holder of the items of a shape. */
export function createHolder(shape: FieldModels, model: ItemModel): Holder {
  const attributes = shape.fields.has(HOLDER) ? shape.modelOf(HOLDER) : undefined
  if (attributes === undefined || kindOf(attributes) !== 'object') return FLAT
  const names = new Map([...fieldModelsOf(attributes).fields.keys()].map((name) => [plainName(name), name]))
  return {
    split(fields) {
      const [own, held]: [Entries, Entries] = [{}, {}]
      for (const [name, value] of Object.entries(fields)) {
        const inner = model.fields.has(name) || HOLDER in fields ? undefined : names.get(plainName(name))
        if (inner === undefined) own[name] = value
        else held[inner] = value
      }
      return { own, held }
    },
    join(item, held) {
      return Object.entries(held).reduce<Entries>((whole, [name, value]) => {
        const inner = isObject(whole[HOLDER]) ? whole[HOLDER] : {}
        const next = { ...whole, [HOLDER]: { ...inner, [name]: value } }
        return model.fits(next) || !model.fits(whole) ? next : whole
      }, item)
    },
  }
}

const NOTHING: Item = {}
const FLAT: Holder = { split: (own) => ({ own, held: NOTHING }), join: (item) => item }
