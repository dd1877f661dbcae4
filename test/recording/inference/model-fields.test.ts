import { describe, expect, it } from 'vitest'
import type { Echo } from '../../../src/recording/inference/links.ts'
import { attachLinks, openOutput, openTo, textInput } from '../../../src/recording/inference/model-fields.ts'

describe('attach links', () => {
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
})

it('takes anything in lists of which some input says nothing', () => {
  const list = (items: unknown) => ({ type: 'object', properties: { tags: { type: 'array', items } } })
  const model = list({ type: 'object', properties: { name: { type: 'string' } } })
  expect(openTo(model, [list(true)])).toEqual(list(true))
  expect(openTo(model, [list({ type: 'object' })])).toEqual(model)
})

describe('open fields', () => {
  const echo = (field: string, name: string, place: Echo['source']['in'] = 'query'): Echo => ({
    field,
    source: { in: place, name },
    exchanges: 3,
    values: 2,
  })
  const object = (properties: object): Record<string, unknown> => ({ type: 'object', properties })

  it('does not bound what repeats by what was seen', () => {
    const model = object({
      a: { type: 'string', enum: ['x'] },
      n: { type: 'integer', maximum: 5 },
      b: { enum: [1] },
    })
    const opened = openOutput(model, [echo('[].a', 'q'), echo('[].n', 'n', 'header')], undefined, '[].')
    expect(opened).toEqual(object({ a: { type: 'string' }, n: { type: 'integer' }, b: { enum: [1] } }))
  })

  it('keeps a format that the request must have', () => {
    const model = object({ a: { type: 'string', format: 'date' }, b: { type: 'string', format: 'uuid' } })
    const input = object({ day: { type: 'string', format: 'date' }, b: { type: 'string' } })
    expect(openOutput(model, [echo('a', 'day', 'path'), echo('b', 'b')], input, '')).toEqual(
      object({ a: { type: 'string', format: 'date' }, b: { type: 'string' } }),
    )
  })

  it('asks for a text where answers repeat it as one', () => {
    const input = object({ q: { type: 'integer' }, n: { type: 'integer' } })
    const model = object({ query: { type: ['string', 'null'] }, n: { type: 'integer' } })
    expect(textInput(input, [echo('query', 'q'), echo('n', 'n')], model, '')).toEqual(
      object({ q: { type: 'string' }, n: { type: 'integer' } }),
    )
  })

  it('takes what requests send under names that are data, and in place of what was only ever null', () => {
    const text = { type: 'string' }
    const orNone = { type: ['string', 'null'] }
    const dictionary = { type: 'object', additionalProperties: { type: 'string', format: 'date' } }
    const sent = [object({ tags: object({ red: orNone }), note: true, of: dictionary })]
    const model = object({
      tags: { type: 'object', additionalProperties: text },
      note: { type: 'null', examples: [null] },
      of: object({ a: { type: 'string', format: 'time' } }),
      free: { type: 'null' },
    })
    expect(openTo(model, sent)).toEqual(
      object({
        tags: { type: 'object', additionalProperties: orNone },
        note: { examples: [null] },
        of: object({ a: text }),
        free: { type: 'null' },
      }),
    )
  })
  it('keeps a format or pattern only where the inputs have the same', () => {
    const [text, made, hashed] = [
      { type: 'string' },
      { type: 'string', pattern: '^ch_[0-9a-f]{20}$' },
      { type: 'string', format: 'uuid' },
    ]
    const model = object({ a: made, b: hashed, c: made, d: hashed })
    expect(openTo(model, [object({ a: made, b: hashed, c: text, d: text })])).toEqual(
      object({ a: made, b: hashed, c: text, d: text }),
    )
  })
})
