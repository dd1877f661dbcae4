import { expect, it } from 'vitest'
import { attachLinks } from '../../../src/recording/inference/attach-links.ts'

const text = { type: 'string' }
const object = (properties: object): Record<string, unknown> => ({ type: 'object', properties })
const array = (items: object): Record<string, unknown> => ({ type: 'array', items })
const link = { fromInput: 'x' }
const linked = { ...text, 'x-sim-link': link }

it('puts links on fields, in objects and in lists', () => {
  const model = object({ a: text, b: object({ c: text }), d: array(object({ e: text })) })
  const links = ['a', 'b.c', 'd[].e'].map((field) => ({ field, link }))
  expect(attachLinks(model, links)).toEqual(
    object({ a: linked, b: object({ c: linked }), d: array(object({ e: linked })) }),
  )
  expect(model['properties']).toMatchObject({ a: text })
})

it('finds the items of a list at the root', () => {
  expect(attachLinks(array(object({ a: text })), [{ field: '[].a', link }])).toEqual(
    array(object({ a: linked })),
  )
})

it('leaves a model alone that does not have the field', () => {
  const model = object({ a: text })
  expect(
    attachLinks(model, [
      { field: 'b.c', link },
      { field: 'toString', link },
    ]),
  ).toEqual(model)
})
