import { describe, expect, it } from 'vitest'
import '../../../src/engine/links/built-in.ts'
import { linkOf } from '../../../src/engine/links/link.ts'
import { linkedText } from './linking.ts'

describe('the built-in links', () => {
  it.for<[string, unknown]>([
    ['fromInput', 'name'],
    ['dateRangeFrom', ['start', 'end']],
    ['whenInput', { field: 'a', equals: 1, then: { fromInput: 'name' } }],
    ['computedFrom', { fields: ['a'], template: '{a}' }],
    ['fromHeader', 'x-tenant'],
    ['fromCookie', 'sid'],
    ['fromJsonFixture', { path: 'a.json', pointer: '/a' }],
    ['fromNestedFixture', { path: 'a.json', pointer: '/a', where: { id: 'id' } }],
  ])('are known to data: %s', ([name, data]) => {
    expect(linkOf(linkedText({ [name]: data }))?.name).toBe(name)
  })
})
