import { describe, expect, it } from 'vitest'
import { changeHeaders } from '../../../src/upstream/targets/header-changes.ts'

const flat = ['Accept', 'a', 'X-Old', '1', 'x-old', '2']

describe('changeHeaders', () => {
  it('leaves order and spelling of what it does not touch', () => {
    expect(changeHeaders(flat, {})).toEqual(flat)
  })

  it('removes, sets and adds, in this order, by names of any case', () => {
    const changes = { remove: ['ACCEPT'], set: { 'X-OLD': '3' }, add: { 'x-old': '4' } }
    expect(changeHeaders(flat, changes)).toEqual(['X-OLD', '3', 'x-old', '4'])
  })
})
