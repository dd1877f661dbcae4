import { readIdTemplate } from '../collections/id-template.ts'
import { LOGIN_DEEDS, type LoginOption } from '../engine/login-option.ts'
import { isObject } from '../engine/schema/schema.ts'
import { FLAG, TEXT, TEXTS, textThat, type Form } from '../pipeline/option.ts'
import { formOf, oneOf, textsBy } from './forms.ts'

const POINTER = textThat((text) => text === '' || text.startsWith('/'), 'a JSON pointer, such as /user')

const FORMS: Readonly<Record<keyof LoginOption, Form>> = {
  users: textThat((text) => text.startsWith('/'), 'a path, such as /users'),
  header: TEXT,
  cookie: TEXT,
  query: TEXT,
  field: TEXT,
  does: oneOf([...LOGIN_DEEDS]),
  by: textsBy('fields of users by members of bodies, such as { login: email }', {
    check: (value) => (typeof value === 'string' ? undefined : TEXTS.check(value)),
    schema: { anyOf: [TEXT.schema, TEXTS.schema] },
  }),
  body: POINTER,
  secret: TEXT,
  renews: TEXT,
  token: POINTER,
  refresh: POINTER,
  revokes: FLAG,
  basic: FLAG,
  tokens: textThat((text) => readIdTemplate(text) !== undefined, 'a template, such as {hex 40}'),
  user: POINTER,
  id: TEXT,
  first: {
    check: (value) => (isObject(value) ? undefined : "values by field, such as { role: 'admin' }"),
    schema: { type: 'object' },
  },
  enrols: {
    check: (value) =>
      isObject(value) &&
      Object.values(value).every((each) => typeof each === 'string' && readIdTemplate(each) !== undefined)
        ? undefined
        : "templates by field, such as { id: '{1}' }",
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
  holds: FLAG,
  optional: FLAG,
  owner: TEXT,
  only: {
    check: (value) =>
      isObject(value) && Object.values(value).every((each) => Array.isArray(each))
        ? undefined
        : "lists of values by field, such as { role: ['admin'] }",
    schema: { type: 'object', additionalProperties: { type: 'array' } },
  },
}

/** What a route has to do with users. */
export const LOGIN: Form = formOf(FORMS, 'where users are and what is done with them')
