import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { graphql } from '../../../src/recording/protocols/graphql.ts'
import { samplesOf } from '../inference/samples.ts'

export type Called = readonly [query: string, variables: object, answer: object]

/** Exchanges with a server of GraphQL. */
export const recordedOf = (...all: readonly Called[]): ReturnType<typeof samplesOf> =>
  samplesOf(
    ...all.map(([query, variables, response]): [string, object] => [
      'POST /',
      { body: { query, variables }, response },
    ]),
  )

/** What is answered as a recording of calls shows it. */
export function serverOf(...recorded: readonly Called[]): (query: string, variables?: object) => unknown {
  const model = inferCalls(recordedOf(...recorded), graphql)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  return (query, variables = {}) =>
    answerCalls(model, all, { headers: {}, query: {}, body: { query, variables } }, { seed: '', now: 0 })
      ?.body
}
