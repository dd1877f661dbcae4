import { createChecker } from '../engine/schema/checker.ts'
import { lazy } from '../engine/lazy.ts'
import { FLAG, TEXT, TEXTS, type Form } from '../pipeline/option.ts'

const SCHEMA = {
  ...{ type: 'object', required: ['members'], additionalProperties: false },
  properties: {
    ...{ parameter: TEXT.schema, always: FLAG.schema, from: TEXT.schema },
    members: {
      type: 'object',
      additionalProperties: {
        ...{ type: 'object', required: ['at', 'by'], additionalProperties: false },
        properties: {
          at: TEXT.schema,
          by: TEXT.schema,
          from: TEXT.schema,
          parameter: TEXT.schema,
          list: FLAG.schema,
          count: FLAG.schema,
          orNull: FLAG.schema,
          hidden: FLAG.schema,
          fields: TEXTS.schema,
        },
      },
    },
  },
}
const checker = lazy(() => createChecker(SCHEMA))

/** What answered items have within them of other collections. */
export const EMBEDS: Form = {
  check: (value) =>
    checker().fits(value)
      ? undefined
      : "what items have within them, such as { parameter: '_embed', members: { comments: { at: '/comments', by: 'postId', list: true } } }",
  schema: SCHEMA,
}
