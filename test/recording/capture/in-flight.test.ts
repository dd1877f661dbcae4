import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { UnderWay } from '../../../src/recording/capture/in-flight.ts'

it('holds those that have begun and not ended, as a set does', () => {
  const turns = fc.array(fc.tuple(fc.boolean(), fc.nat(5)))
  fc.assert(
    fc.property(turns, (asked) => {
      const members = Array.from({ length: 6 }, (_, name) => ({ name, place: -1 }))
      const [underWay, model] = [
        new UnderWay<(typeof members)[number]>(),
        new Set<(typeof members)[number]>(),
      ]
      for (const [begins, index] of asked) {
        const member = members[index] as (typeof members)[number]
        if (!begins) expect(underWay.delete(member)).toBe(model.delete(member))
        else if (!model.has(member)) {
          underWay.add(member)
          model.add(member)
        }
        expect(new Set(underWay.all())).toEqual(model)
        expect(members.every((each) => each.place >= 0 === model.has(each))).toBe(true)
      }
    }),
  )
})
