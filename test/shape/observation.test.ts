import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyJson } from './any-json.ts'
import { expectedModel } from '../../src/shape/expected-model.ts'
import {
  createObservations,
  joinObservations,
  noteValue,
  observationsOf,
} from '../../src/shape/observation.ts'
import { schemaOf } from '../../src/shape/observed-schema.ts'

describe('what was seen', () => {
  it('stays small, however many values and names there are', () => {
    const values = Array.from({ length: 2000 }, (_, index) => ({ [`k${index}`]: `v${index}`, fixed: index }))
    const seen = createObservations()
    for (const value of values) noteValue(seen, value, 300)
    expect(seen.fields.size).toBe(0)
    expect(seen.entries?.texts).toMatchObject({ count: 2000 })
    expect(seen.entries?.texts.values.size).toBe(9)
  })

  it('is the same in one place as joined from two', () => {
    fc.assert(
      fc.property(fc.array(anyJson), fc.array(anyJson), (some, others) => {
        const joined = joinObservations([observationsOf(some), observationsOf(others)])
        const together = observationsOf([...some, ...others])
        expect(expectedModel(joined)).toEqual(expectedModel(together))
        expect(schemaOf(joined)).toEqual(schemaOf(together))
      }),
    )
  })
})
