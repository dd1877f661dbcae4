import { ENTITY_DEEDS } from '../engine/entity-option.ts'
import { isObject } from '../engine/schema/schema.ts'
import { TEXT, type Form } from '../pipeline/option.ts'

const ENTITY_NAME = { anyOf: [TEXT.schema, { type: 'array', minItems: 1, items: TEXT.schema }] }
/** What may be said of what a route's requests are about. */
export const ENTITY: Form = {
  check: (value) =>
    isObject(value) &&
    Object.entries(value).every(([name, each]) =>
      name === 'name' ? [each].flat().every(isText) : ['does', 'scope'].includes(name) && isText(each),
    ) &&
    ENTITY_DEEDS.some((deed) => deed === value['does'])
      ? undefined
      : `does, one of ${ENTITY_DEEDS.join(', ')}; name, texts with places such as {body/id}; and scope, a path`,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['does'],
    properties: { name: ENTITY_NAME, does: { enum: ENTITY_DEEDS }, scope: TEXT.schema },
  },
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}
