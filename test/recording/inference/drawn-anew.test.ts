import { expect, it } from 'vitest'
import { contentStream } from '../../../src/engine/random.ts'
import { ALPHABETS } from '../../../src/collections/id-template.ts'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { type Entry, samplesOf } from './samples.ts'

const RUNS = 25

/** What is inferred of one session, whose server draws its ids and codes anew, with these left out. */
function inferredOf(seed: number): string {
  const stream = contentStream(seed, '')
  const drawn: string[] = []
  const draw = (length: number): string => {
    const signs = Array.from({ length }, () => ALPHABETS.mixed[stream.integer(0, 61)]).join('')
    drawn.push(signs)
    return signs
  }
  const made = ['ann', 'bob', 'cleo'].map((name) => ({ id: `cus_${draw(14)}`, code: draw(7), name }))
  const plan = { id: `plan_${draw(14)}`, amount: 900 }
  const item = { id: `si_${draw(14)}`, quantity: 2, plan: plan.id }
  const answers: readonly Entry[] = [
    ...made.map((response): Entry => [
      'POST /customers',
      { status: 201, body: { name: response.name }, response },
    ]),
    ...made.map((response): Entry => [`GET /customers/${response.id}`, { response }]),
    ['GET /customers', { response: { data: made } }],
    ['POST /plans', { status: 201, body: { amount: 900 }, response: plan }],
    ['GET /items', { response: { data: [item] } }],
    [`GET /items/${item.id}`, { response: item }],
  ]
  const text = JSON.stringify(toRouteFile(inferRoutes(samplesOf(...answers))).document)
  return drawn.reduce((rest, signs) => rest.replaceAll(signs, '…'), text)
}

it('infers the same, whatever ids and codes a server happens to draw', () => {
  const all = Array.from({ length: RUNS }, (_, seed) => inferredOf(seed))
  expect(all[0]).toContain('GET /items/{id}')
  expect(new Set(all).size).toBe(1)
})
