import { type Model, type Schema, modelName } from './schema.ts'
import { isStandard, schemaOfModel, type StandardModel } from './standard.ts'
import { PAGE } from '../output.ts'

/** The output of a route that answers with a list of a model. */
export function list(model: StandardModel): Schema
export function list<Item extends Model>(model: Item): { readonly type: 'array'; readonly items: Item }
export function list(model: Model): Schema {
  return withItem(model, (items) => ({ type: 'array', items }))
}

/** An output made of an item's model. Definitions of a library's schema go to the root, where its references look. */
export function withItem(model: Model, wrap: (item: Schema) => Schema): Schema {
  const schema = schemaOfModel(model, 'output')
  if (!isStandard(model) || schema['$defs'] === undefined) return wrap(schema)
  const { $defs, ...item } = schema
  return { ...wrap(item), $defs }
}

/** Input fields of a page by offset: `limit` (10 unless given) and `offset` (0 unless given). */
export const PageParams = {
  type: 'object',
  title: 'PageParams',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 10 },
    offset: { type: 'integer', minimum: 0, default: 0 },
  },
} as const

/** The output of a route that answers one page by offset: `items`, the true `total`, `limit` and `offset`. */
export function PaginatedResponse(model: Model): Schema {
  return withItem(model, (item) => ({
    type: 'object',
    title: `Paginated${modelName(item, 'Response')}`,
    [PAGE]: 'offset',
    required: ['items', 'total', 'limit', 'offset'],
    properties: {
      items: { type: 'array', items: item },
      total: { type: 'integer', minimum: 0 },
      limit: { type: 'integer', minimum: 0 },
      offset: { type: 'integer', minimum: 0 },
    },
  }))
}

/**
 * The output of a route that answers a page of the list that the model is or has, by whatever fields of the input ask for
 * pages and fields of the answer speak of them, such as `page`, `per_page` and `cursor`, `total` and `next`.
 */
export function Paged(model: Model): Schema {
  return { ...schemaOfModel(model, 'output'), [PAGE]: 'fields' }
}

/** The output of a route that answers one page by token: `items` and `next_page_token`, null on the last page. */
export function PageSlice(model: Model): Schema {
  return withItem(model, (item) => ({
    type: 'object',
    title: `${modelName(item, 'Page')}Slice`,
    [PAGE]: 'token',
    required: ['items', 'next_page_token'],
    properties: {
      items: { type: 'array', items: item },
      next_page_token: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
  }))
}
