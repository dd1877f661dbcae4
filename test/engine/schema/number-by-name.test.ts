import { describe, expect, it } from 'vitest'
import { numberByName } from '../../../src/engine/schema/number.ts'

describe('numberByName', () => {
  it.for([
    ['price', 1, 999],
    ['order.lines[].unit_price', undefined, undefined],
    ['order.lines[].price', 1, 999],
    ['ratings[]', 1, 5],
    ['latitude', -90, 90],
    ['userId', 1, 999_999_999],
    ['user_id', 1, 999_999_999],
    ['view_count', 0, 500],
    ['createdAt', 1_577_836_800, 1_767_225_599],
    ['anything', undefined, undefined],
  ] as const)('of %s is %j to %j', ([field, min, max]) => {
    expect(numberByName(field)).toEqual(min === undefined ? undefined : { min, max })
  })
})
