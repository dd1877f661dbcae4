import { expect, it } from 'vitest'
import type { Echo } from '../../../src/recording/inference/echo-links.ts'
import { openOutput, textInput } from '../../../src/recording/inference/open-fields.ts'

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
