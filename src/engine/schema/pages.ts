import { PAGE } from '../output.ts'
import { withItem } from './list.ts'
import { modelName, type Model, type Schema } from './schema.ts'
import { schemaOfModel } from './standard.ts'

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
 * pages and fields of the answer tell of them, such as `page`, `per_page` and `cursor`, `total` and `next`.
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
