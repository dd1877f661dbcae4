import { describe, expect, it } from 'vitest'
import { lastName, plainName } from '../../../src/engine/schema/position.ts'

describe('lastName', () => {
  it('is the name of the field itself', () => {
    expect(['a', 'a.b_c', 'a.b[]', 'a[].b[0][]', ''].map(lastName)).toEqual(['a', 'b_c', 'b', 'b', ''])
  })
})

describe('plainName', () => {
  it('is the same for all spellings', () => {
    expect(new Set(['firstName', 'first_name', 'First-Name', 'user.firstName'].map(plainName))).toEqual(
      new Set(['firstname']),
    )
  })

  it('is in the singular for the items of a list', () => {
    const names = ['tags[]', 'cities[]', 'addresses[]', 'boxes[]', 'branches[]', 'status[]', 'data[]', 'news']
    expect(names.map(plainName)).toEqual(['tag', 'city', 'address', 'box', 'branch', 'statu', 'data', 'news'])
  })
})
