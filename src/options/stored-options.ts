import { readIdTemplate } from '../collections/id-template.ts'
import { DEEDS, type ItemOption, type PageTokenForm } from '../engine/route-options.ts'
import { isObject } from '../engine/schema/schema.ts'
import { EMBEDS } from './embeds-option.ts'
import { formOf, oneOf } from './forms.ts'
import { MADE_FORMS, PATH } from './made-items-options.ts'
import { FLAG, TEXTS, textThat, whole, type Form } from '../pipeline/option.ts'

const OFFSET = whole()
const STATUS = whole(200, 599, 'a status')

const POINTER = textThat((text) => text.startsWith('/'), 'a JSON pointer, such as /data')

function isRepeat([pointer, text]: readonly [string, unknown]): boolean {
  return pointer.startsWith('/') && typeof text === 'string' && /\{(?:id|index)\}/.test(text)
}

const ITEM_FORMS: Readonly<Record<keyof ItemOption, Form>> = {
  ...MADE_FORMS,
  at: PATH,
  parent: PATH,
  needs: {
    check: (value) =>
      isObject(value) &&
      Object.values(value).every((each) => typeof each === 'string' && each.startsWith('/'))
        ? undefined
        : "paths of items by the fields that name them, such as { team_id: '/teams/{id}' }",
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
  holders: {
    check: (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([at, pointer]) => at.startsWith('/') && (pointer === '' || POINTER.check(pointer) === undefined),
      )
        ? undefined
        : "pointers to the id by the paths of items, such as { '/books/{id}': '/author_id' }",
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
  version: {
    check: (value) =>
      isObject(value) &&
      POINTER.check(value['at']) === undefined &&
      /^\d+$/.test(String(value['first'])) &&
      FLAG.check(value['refuses'] ?? false) === undefined
        ? undefined
        : 'a pointer and the first number, such as { at: /version, first: 1, refuses: true }',
    schema: {
      type: 'object',
      required: ['at', 'first'],
      additionalProperties: false,
      properties: { at: POINTER.schema, first: { type: ['integer', 'string'] }, refuses: FLAG.schema },
    },
  },
  of: PATH,
  only: FLAG,
  otherwise: {
    check: (value) => (isObject(value) ? undefined : 'an item'),
    schema: { type: 'object' },
  },
  first: FLAG,
  answer: POINTER,
  body: POINTER,
  beside: POINTER,
  id: POINTER,
  also: POINTER,
  ids: textThat(
    (text) => text === 'sent' || readIdTemplate(text) !== undefined,
    "'sent' or a template of ids, such as 'ord_{000061}', 'user-{hex 8}' or '{red|blue}-{1}'",
  ),
  does: oneOf(DEEDS),
  sets: {
    check: (value) => (isObject(value) ? undefined : 'values by the names of fields'),
    schema: { type: 'object' },
  },
  begins: {
    check: (value) => (isObject(value) ? undefined : 'values by the names of fields'),
    schema: { type: 'object' },
  },
  touches: {
    check: (value) =>
      isObject(value) && Object.values(value).every((each) => isObject(each))
        ? undefined
        : 'JSON Schemas by the names of fields',
    schema: { type: 'object', additionalProperties: { type: 'object' } },
  },
  adds: {
    check: (value) =>
      isObject(value) && Object.values(value).every((each) => ['number', 'string'].includes(typeof each))
        ? undefined
        : "numbers or members of bodies by the names of fields, such as { likes: 1, stock: '-quantity' }",
    schema: { type: 'object', additionalProperties: { type: ['number', 'string'] } },
  },
  least: {
    check: (value) =>
      isObject(value) && Object.values(value).every((each) => typeof each === 'number')
        ? undefined
        : 'numbers by the names of fields, such as { stock: 0 }',
    schema: { type: 'object', additionalProperties: { type: 'number' } },
  },
  once: FLAG,
  lists: FLAG,
  from: {
    check: (value) =>
      isObject(value) && Object.values(value).every((each) => Array.isArray(each))
        ? undefined
        : "lists of values by field, such as { state: ['open'] }",
    schema: { type: 'object', additionalProperties: { type: 'array' } },
  },
  shown: FLAG,
  stores: { check: (value) => (isObject(value) ? undefined : 'a JSON Schema'), schema: { type: 'object' } },
  merges: TEXTS,
  completes: {
    check: (value) =>
      isObject(value) && Object.values(value).every((each) => isObject(each))
        ? undefined
        : 'members and their values by the names of lists, such as { lines: { discount: 0 } }',
    schema: { type: 'object', additionalProperties: { type: 'object' } },
  },
  drops: TEXTS,
  unique: TEXTS,
  repeats: {
    check: (value) =>
      isObject(value) && Object.entries(value).every(isRepeat)
        ? undefined
        : "texts with {id} by JSON pointers, such as { '/meta/href': '/users/{id}' }",
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
  again: STATUS,
  includes: {
    check: (value) =>
      isObject(value) &&
      ['parameter', 'to'].every((name) => typeof value[name] === 'string') &&
      isObject(value['at'])
        ? undefined
        : "where what items refer to is, such as { parameter: 'include', to: '/included', at: { people: '/people/{id}' } }",
    schema: {
      type: 'object',
      required: ['parameter', 'to', 'at'],
      additionalProperties: false,
      properties: {
        parameter: { type: 'string' },
        to: { type: 'string' },
        from: { type: 'string' },
        at: { type: 'object', additionalProperties: { type: 'string' } },
        always: { type: 'boolean' },
      },
    },
  },
  embeds: EMBEDS,
  part: POINTER,
  counts: textThat(
    (text) => text === '' || text.startsWith('/'),
    'a JSON pointer, such as /count, or an empty text',
  ),
  absent: {
    check: (value) =>
      isObject(value) &&
      Object.keys(value).every((name) => name === 'status' || name === 'body') &&
      (value['status'] === undefined || STATUS.check(value['status']) === undefined)
        ? undefined
        : 'an answer, such as { status: 200, body: {} }',
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { status: STATUS.schema, body: {} },
    },
  },
  finds: oneOf(['first']),
}

const PAGE_TOKEN_FORMS: Readonly<Record<keyof PageTokenForm, Form>> = {
  text: textThat((text) => /\{(offset|page|id)\}/.test(text), 'a text with {offset}, {page} or {id}'),
  encoding: oneOf(['base64', 'base64url']),
  known: {
    check: (value) =>
      isObject(value) && Object.values(value).every((each) => OFFSET.check(each) === undefined)
        ? undefined
        : 'offsets by token',
    schema: { type: 'object', additionalProperties: OFFSET.schema },
  },
}

/** Where a stored item is. */
export const ITEM: Form = formOf(ITEM_FORMS, 'where the stored item is and what is done with it')

/** How the tokens of pages are written. */
export const PAGE_TOKENS: Form = formOf(PAGE_TOKEN_FORMS, 'how tokens of pages are written')
