import type { Schema } from '../../engine/schema/schema.ts'

/** The body of every error but 422. */
export const ERROR: Schema = {
  title: 'Error',
  type: 'object',
  required: ['detail'],
  properties: { detail: { description: 'What went wrong: a text, or any other JSON value' } },
}

/** The body of a 422: everything about the request that does not fit the input model. */
export const VALIDATION_ERROR: Schema = {
  title: 'ValidationError',
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'loc', 'msg', 'input'],
        properties: {
          type: { type: 'string', description: 'The rule that is broken' },
          loc: {
            type: 'array',
            items: { type: ['string', 'integer'] },
            description: 'Where: `query`, `path` or `body`, then the keys and indexes down to the value',
          },
          msg: { type: 'string' },
          input: { description: 'The value as it came' },
        },
      },
    },
  },
}
