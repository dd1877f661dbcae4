import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyJson } from './any-json.ts'
import { createObservation, mergeObservations, type Observation } from '../../src/shape/observation.ts'
import { observationOf, observe } from '../../src/shape/observe.ts'
import { schemaOf } from '../../src/shape/observed-schema.ts'

const event = fc.oneof(
  fc.record({ type: fc.constant('text'), body: fc.string() }),
  fc.record({ type: fc.constant('point'), at: fc.tuple(fc.integer(), fc.string()) }),
  fc.record({ type: fc.constantFrom('none', 'text'), body: anyJson }, { requiredKeys: ['type'] }),
)
const values = fc.array(fc.oneof(anyJson, event, fc.array(event, { maxLength: 3 })), { maxLength: 12 })

describe('what was seen', () => {
  it('stays small, however many values and names there are', () => {
    const seen = createObservation()
    for (let index = 0; index < 2000; index++) observe(seen, { [`k${index}`]: `v${index}`, fixed: index })
    expect(seen.objects.fields.size).toBe(0)
    expect(seen.objects.entries?.texts.count).toBe(2000)
    expect(seen.objects.entries?.texts.values.kept.size).toBe(12)
  })

  it('is the same of all values as of parts of them, in any order', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        const [one, two, three] = [a, b, c].map(observationOf) as [Observation, Observation, Observation]
        const all = mergeObservations([one, two, three])
        const forms = [
          observationOf([...a, ...b, ...c]),
          mergeObservations([mergeObservations([three, one]), two]),
          mergeObservations([three, mergeObservations([two, one])]),
        ]
        for (const each of forms) {
          expect(plain(each)).toEqual(plain(all))
          expect(sorted(schemaOf(each))).toEqual(sorted(schemaOf(all)))
          expect(sorted(schemaOf(each, 'comparison'))).toEqual(sorted(schemaOf(all, 'comparison')))
        }
      }),
    )
  })

  it('counts as one document what stands in one value, however often', () => {
    const seen = observationOf([[{ a: 1 }, { a: 2 }], [{ a: 3 }]])
    expect(seen.lists.items).toMatchObject({ count: 3, documents: 2 })
  })
})

// Without what only serves counting, and without an order.
function plain(value: unknown): unknown {
  if (value instanceof Map)
    return plain(
      Object.fromEntries([...(value as Map<string, unknown>)].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    )
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([name, part]) => name !== 'last' && part !== undefined)
  return Object.fromEntries(kept.map(([name, part]) => [`.${name}`, plain(part)]))
}

function sorted(schema: unknown): unknown {
  const text = JSON.stringify(schema, (name, value: unknown) =>
    (name === 'required' || name === 'x-sim-usual') && Array.isArray(value) ? value.toSorted() : value,
  )
  return JSON.parse(text) as unknown
}
