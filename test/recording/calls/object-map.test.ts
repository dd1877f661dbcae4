import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ObjectMap } from '../../../src/recording/calls/object-map.ts'

const id = fc.constantFrom('a', 'b', 'c', 'd')
const step = fc.oneof(fc.record({ set: id, to: fc.nat() }), fc.record({ remove: id }))

it('is as it was before, in the same order, once what was done is undone', () => {
  fc.assert(
    fc.property(fc.array(step), fc.array(step), (before, later) => {
      const objects = new ObjectMap<number>()
      const run = (each: (typeof before)[number]): unknown =>
        'set' in each ? objects.set(each.set, each.to) : objects.delete(each.remove)
      for (const each of before) run(each)
      const entries = [...objects]
      objects.begin()
      for (const each of later) run(each)
      objects.undo()
      expect([...objects]).toEqual(entries)
    }),
  )
})
