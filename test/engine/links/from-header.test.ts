import { describe, expect, it } from 'vitest'
import { FromHeader } from '../../../src/engine/links/from-header.ts'
import { linkOf } from '../../../src/engine/links/link.ts'
import { fieldOf, linkedText } from './linking.ts'

const field = { type: 'string', format: 'uuid' }
const id = '6f1c1f0e-0f5e-4b8e-9a53-0b6f9f4f7c11'

describe('FromHeader', () => {
  it('binds a header whatever the case of its name, the first where it came several times', () => {
    expect(fieldOf({ ...field, ...FromHeader('X-Tenant') }, {}, { 'x-tenant': id })).toBe(id)
    expect(fieldOf({ ...field, ...FromHeader('x-tenant') }, {}, { 'x-tenant': [id, 'other'] })).toBe(id)
    expect(fieldOf({ type: 'string', ...FromHeader('x-tenant') }, {}, { 'x-tenant': '' })).toBe('')
  })

  it('reads a header as the number its field wants', () => {
    expect(fieldOf({ type: 'integer', ...FromHeader('x-count') }, {}, { 'x-count': '12' })).toBe(12)
  })

  it('leaves the field generated where the header is missing', () => {
    for (const name of ['x-tenant', 'constructor']) {
      expect(fieldOf({ ...field, ...FromHeader(name) })).toMatch(/^[0-9a-f-]{36}$/)
    }
    expect(fieldOf({ ...field, ...FromHeader('x-tenant') }, {}, { 'x-tenant': [] })).toMatch(
      /^[0-9a-f-]{36}$/,
    )
  })

  it('is written in data as its name', () => {
    expect(fieldOf(linkedText({ fromHeader: 'X-Tenant' }), {}, { 'x-tenant': 'acme' })).toBe('acme')
    expect(() => linkOf(linkedText({ fromHeader: ['a'] }))).toThrow('fromHeader takes the name of a header')
  })
})
