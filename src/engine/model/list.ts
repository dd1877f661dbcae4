import type { Model } from './schema.ts'

/** The output of a route that answers with a list of a model. */
export function list<Item extends Model>(model: Item): { readonly type: 'array'; readonly items: Item } {
  return { type: 'array', items: model }
}
