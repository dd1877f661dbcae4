import { readFormula } from '../collections/computed-members.ts'
import { readIdTemplate } from '../collections/id-template.ts'
import type { ItemOption } from '../engine/route-options.ts'
import { isObject } from '../engine/schema/schema.ts'
import { oneOf } from './forms.ts'
import { TEXT, TEXTS, textThat, type Form } from '../pipeline/option.ts'

export const PATH = textThat((text) => text.startsWith('/'), 'a path, such as /snapshots')

type Name = 'refers' | 'numbers' | 'affects' | 'computes' | 'entry' | 'idempotent'

/** What items are made of besides what is sent, and what else their making does. */
export const MADE_FORMS: Readonly<Record<Name & keyof ItemOption, Form>> = {
  refers: {
    check: (value) =>
      isObject(value) &&
      Object.values(value).every(
        (each) =>
          isObject(each) &&
          (isObject(each['copies'])
            ? PATH.check(each['at']) === undefined
            : typeof each['to'] === 'string' && Array.isArray(each['values'])),
      )
        ? undefined
        : "members by the fields that say their ids, such as { status_id: { to: 'status', values: [{ id: 1 }] } }",
    schema: { type: 'object' },
  },
  numbers: {
    check: (value) =>
      isObject(value) &&
      Object.values(value).every(
        (each) => Number.isInteger(each) || (typeof each === 'string' && readIdTemplate(each) !== undefined),
      )
        ? undefined
        : "whole numbers or templates by the names of fields, such as { code: 'INV-{0001}' }",
    schema: { type: 'object', additionalProperties: { type: ['integer', 'string'] } },
  },
  affects: {
    check: (value) =>
      isObject(value) &&
      Object.entries(value).every(([at, each]) => PATH.check(at) === undefined && isObject(each))
        ? undefined
        : "what is needed and made of items by their paths, such as { '/carts/{id}': { sets: { status: 'paid' } } }",
    schema: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          from: { type: 'object', additionalProperties: { type: 'array' } },
          filled: TEXTS.schema,
          sets: { type: 'object' },
        },
      },
    },
  },
  computes: {
    check: (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([pointer, text]) =>
          /^\/[^/]+(?:\/-\/[^/]+)?$/.test(pointer) &&
          typeof text === 'string' &&
          readFormula(text) !== undefined,
      )
        ? undefined
        : "formulas by JSON pointers, such as { '/lines/-/amount': 'price * quantity', '/total': 'sum(lines.amount)' }",
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
  entry: {
    check: (value) =>
      isObject(value) &&
      typeof value['list'] === 'string' &&
      Object.entries(value).every(([name, each]) =>
        name === 'refuses'
          ? typeof each === 'boolean'
          : name === 'same' || name === 'begins'
            ? isObject(each)
            : TEXT.check(each) === undefined,
      )
        ? undefined
        : "where the entry is, such as { list: '/lines', by: 'line', key: '/id' }",
    schema: {
      type: 'object',
      required: ['list'],
      additionalProperties: false,
      properties: {
        ...Object.fromEntries(
          ['list', 'body', 'index', 'by', 'key', 'ids'].map((name) => [name, TEXT.schema]),
        ),
        value: oneOf(['text', 'number']).schema,
        refuses: { type: 'boolean' },
        same: {
          type: 'object',
          required: ['by', 'adds'],
          additionalProperties: false,
          properties: { by: TEXT.schema, adds: TEXT.schema },
        },
        begins: { type: 'object' },
      },
    },
  },
  idempotent: {
    check: (value) =>
      isObject(value) &&
      /^[a-z\d-]+$/.test(String(value['header'])) &&
      (value['headers'] === undefined || isObject(value['headers']))
        ? undefined
        : "the header of requests, in lower case, such as { header: 'idempotency-key' }",
    schema: {
      type: 'object',
      required: ['header'],
      additionalProperties: false,
      properties: {
        header: { type: 'string' },
        headers: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
  },
}
