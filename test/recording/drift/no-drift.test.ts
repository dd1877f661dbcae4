import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareExchanges } from '../../../src/recording/drift/compare-sample.ts'
import { createComparison } from '../../../src/shape/compare-value.ts'
import { recordedBaseline } from '../../../src/recording/drift/recorded-baseline.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { schemaOfValues } from '../../../src/shape/observed-schema.ts'
import { sample } from '../inference/samples.ts'
import { anyJson } from '../../shape/any-json.ts'

const segment = fc.oneof(
  fc.constantFrom('users', 'orders', 'v1', ''),
  fc.nat().map(String),
  fc.uuid(),
  fc.string({ maxLength: 5 }),
)
const headers = fc.dictionary(fc.constantFrom('x-a', 'x-b', 'date', 'content-language'), fc.string(), {
  maxKeys: 3,
})

const anySample: fc.Arbitrary<Sample> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'),
    segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
    status: fc.constantFrom(200, 200, 200, 201, 204, 304, 404, 500),
    mimeType: fc.constantFrom(
      'application/json',
      'application/json',
      'application/problem+json',
      'text/plain',
      '',
    ),
    query: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(fc.string(), fc.array(fc.string()))),
    responseHeaders: headers,
    response: anyJson,
    body: anyJson,
  })
  .map((answer) => ({ ...sample(0, 'GET /'), ...answer }))

describe('what was recorded', () => {
  it('never drifts from itself', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anySample, { maxLength: 40 }), async (some) => {
        const samples = some.map((each, index) => ({ ...each, index }))
        const { routes } = await compareExchanges(samples, await recordedBaseline(() => samples))
        expect(routes.flatMap(({ drifts }) => drifts)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('never drifts from itself, when one route has many answers of one kind', async () => {
    const answers = fc.array(
      fc.oneof(
        { weight: 3, arbitrary: anyJson },
        { weight: 1, arbitrary: fc.constantFrom({}, 'a://[#', 'a@b.-c', '2026-01-01T23:59:60Z') },
      ),
      { minLength: 12, maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(answers, async (values) => {
        const samples = values.map((response, index) =>
          sample(index, `GET /a/${index}`, { response, body: response }),
        )
        const { routes } = await compareExchanges(samples, await recordedBaseline(() => samples))
        expect(routes.flatMap(({ drifts }) => drifts)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('never drifts from the model that was inferred from it', () => {
    fc.assert(
      fc.property(fc.array(anyJson, { minLength: 1, maxLength: 30 }), (values) => {
        const compare = createComparison(schemaOfValues(values))
        for (const value of values) expect([value, compare(value)]).toEqual([value, []])
      }),
      { numRuns: 300 },
    )
  })
})
