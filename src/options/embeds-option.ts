import { isObject } from '../engine/schema/schema.ts'
import { FLAG, TEXT, type Form } from '../pipeline/option.ts'

const MEMBER: Readonly<Record<string, Form>> = { at: TEXT, by: TEXT, from: TEXT, list: FLAG }
const WHOLE: Readonly<Record<string, Form>> = { parameter: TEXT, always: FLAG, from: TEXT }

/** What answered items have within them of other collections. */
export const EMBEDS: Form = {
  check: (value) =>
    isObject(value) &&
    isObject(value['members']) &&
    has(value, { ...WHOLE, members: { check: () => undefined, schema: {} } }, []) &&
    Object.values(value['members']).every((each) => isObject(each) && has(each, MEMBER, ['at', 'by']))
      ? undefined
      : "what items have within them, such as { parameter: '_embed', members: { comments: { at: '/comments', by: 'postId', list: true } } }",
  schema: {
    ...{ type: 'object', required: ['members'], additionalProperties: false },
    properties: {
      ...schemasOf(WHOLE),
      members: {
        type: 'object',
        additionalProperties: {
          ...{ type: 'object', required: ['at', 'by'], additionalProperties: false },
          properties: schemasOf(MEMBER),
        },
      },
    },
  },
}

function has(
  value: Readonly<Record<string, unknown>>,
  forms: Readonly<Record<string, Form>>,
  required: readonly string[],
): boolean {
  const isFine = ([name, each]: readonly [string, unknown]): boolean =>
    Object.hasOwn(forms, name) && forms[name]?.check(each) === undefined
  return required.every((name) => Object.hasOwn(value, name)) && Object.entries(value).every(isFine)
}

function schemasOf(forms: Readonly<Record<string, Form>>): Readonly<Record<string, Form['schema']>> {
  return Object.fromEntries(Object.entries(forms).map(([name, { schema }]) => [name, schema]))
}
