import { type Operator, OPERATORS, type Selection } from '../engine/route-options.ts'
import { isObject } from '../engine/schema/schema.ts'
import { FLAG, TEXT, TEXTS, textThat, type Form } from '../pipeline/option.ts'
import { formOf, oneOf, textsBy } from './forms.ts'

const POINTER = textThat((text) => text.startsWith('/'), 'a JSON pointer, such as /data')

const SELECT_FORMS: Readonly<Record<keyof Selection, Form>> = {
  filter: {
    check: (value) =>
      value === 'any' || TEXTS.check(value) === undefined ? undefined : "a list of names or 'any'",
    schema: { anyOf: [{ const: 'any' }, TEXTS.schema] },
  },
  aliases: textsBy('fields by the names of parameters, such as { author_id: author.id }'),
  compare: {
    check: (value) =>
      isObject(value) && Object.values(value).every((each) => OPERATORS.includes(each as Operator))
        ? undefined
        : `operators by template, such as { '{field}_gte': 'gte' }: ${OPERATORS.join(', ')}`,
    schema: { type: 'object', additionalProperties: { enum: [...OPERATORS] } },
  },
  where: TEXT,
  sort: TEXT,
  order: TEXT,
  sorted: TEXT,
  usual: textsBy('texts by the names of fields, such as { status: open }'),
  search: TEXT,
  fields: TEXT,
  always: TEXTS,
  start: TEXT,
  end: TEXT,
  limit: TEXT,
  show: TEXTS,
  hides: {
    check: (value) =>
      Array.isArray(value) && value.every((each) => POINTER.check(each) === undefined)
        ? undefined
        : 'a list of JSON pointers, such as /title/raw',
    schema: { type: 'array', items: POINTER.schema },
  },
  reveals: textsBy('values by the names of parameters, such as { context: edit }'),
  total: oneOf(['all']),
  known: FLAG,
  strict: FLAG,
  whole: FLAG,
}

/** Which parameters choose from a stored list. */
export const SELECT: Form = formOf(SELECT_FORMS, 'query parameters by what they do')
