import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { graphql } from '../../../src/recording/protocols/graphql.ts'
import { samplesOf } from '../inference/samples.ts'

type Called = readonly [query: string, variables: object, answer: object]

/** Exchanges with a server of GraphQL. */
const recordedOf = (...all: readonly Called[]): ReturnType<typeof samplesOf> =>
  samplesOf(
    ...all.map(([query, variables, response]): [string, object] => [
      'POST /',
      { body: { query, variables }, response },
    ]),
  )

/** What is answered as a recording of calls shows it. */
function serverOf(...recorded: readonly Called[]): (query: string, variables?: object) => unknown {
  const model = inferCalls(recordedOf(...recorded), graphql)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  return (query, variables = {}) =>
    answerCalls(model, all, { headers: {}, query: {}, body: { query, variables } }, { seed: '', now: 0 })
      ?.body
}

const PEN =
  'query($id: ID!, $whole: Boolean = false) { pen(id: $id) { id color ...more @include(if: $whole) } } fragment more on Pen { color width ink { name } }'
const pen = (id: string, color: string, more: object = {}): object => ({
  data: { pen: { id, color, ...more } },
})
const pens: readonly Called[] = [
  [PEN, { id: '1' }, pen('1', 'red')],
  [PEN, { id: '2', whole: true }, pen('2', 'blue', { width: 3, ink: { name: 'sepia' } })],
  [PEN, { id: '1', whole: true }, pen('1', 'red', { width: 5, ink: { name: 'sumi' } })],
]

it('selects what directives include, once', () => {
  const answer = serverOf(...pens)
  expect(answer(PEN, { id: '2' })).toEqual(pen('2', 'blue'))
  expect(answer(PEN, { id: '2', whole: true })).toEqual(
    pen('2', 'blue', { width: 3, ink: { name: 'sepia' } }),
  )
  expect(answer('{ pen(id: 1) { ink @skip(if: true) { name } id color } }')).toEqual(pen('1', 'red'))
})

it('answers selections that were not recorded by a route of their own, which fails as the server did', () => {
  const lists: Called = ['{ pens { id } }', {}, { data: { pens: [{ id: '1' }, { id: '2' }] } }]
  const restIn = (...all: readonly Called[]): unknown =>
    inferRoutes(recordedOf(...all)).routes.find(({ when }) => when === undefined)
  expect(restIn(...pens, lists)).toMatchObject({ status: 400, calls: { calls: { pen: { does: 'read' } } } })
  const message = 'Cannot query field "size" on type "Pen".'
  const wrong: Called = ['{ pens { size } }', {}, { errors: [{ message }] }]
  expect(restIn(...pens, lists, wrong)).toMatchObject({ samples: [{ response: wrong[2] }] })
})
