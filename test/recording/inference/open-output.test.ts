import { expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { withOpenOutput } from '../../../src/recording/inference/open-output.ts'
import { samplesOf } from './samples.ts'

it('has none of the bounds that values of another request may lie outside of', () => {
  const answers = Array.from({ length: 12 }, (_, at) => ({ price: `${at}.50`, day: `2026-01-${10 + at}` }))
  const { routes } = inferRoutes(
    samplesOf(...answers.map((response) => ['POST /quote', { response }] as const)),
  )
  const [model, opened] = routes.flatMap((route) =>
    [route, withOpenOutput(route)].map(({ output }) => output?.model),
  )
  expect(model).toMatchObject({
    properties: { price: { pattern: expect.any(String) as string }, day: { format: 'date' } },
  })
  expect(Object.keys(opened?.['properties'] ?? {})).toEqual(['price', 'day'])
  expect(JSON.stringify(opened)).not.toMatch(/pattern|format/)
})
