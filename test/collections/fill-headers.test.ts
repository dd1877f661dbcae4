import { describe, expect, it } from 'vitest'
import { createHeaderFiller } from '../../src/collections/fill-headers.ts'

const body = { id: 'a b', owner: { id: 7 }, tags: ['x'] }
const fill = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  createHeaderFiller(headers)({ id: 'no', tenant: 't1' }, { body })

describe('a header filler', () => {
  it('takes names from the answer, then from the input', () => {
    expect(fill({ a: '{tenant}-{owner.id}', b: '{id}' })).toEqual({ a: 't1-7', b: 'a b' })
  })

  it('leaves out a header with a name that nothing has a value for', () => {
    expect(fill({ a: '{tags}', b: '{other}', c: 'plain' })).toEqual({ c: 'plain' })
  })

  it('encodes what is a part of an address', () => {
    expect(fill({ location: '/users/{id}', 'content-location': '{id}' })).toEqual({
      location: '/users/a%20b',
      'content-location': 'a b',
    })
  })

  it('leaves what may stand in a segment as it is', () => {
    const mail = createHeaderFiller({ location: '/bans/{id}' })({}, { body: { id: 'ann@mail.test:1' } })
    expect(mail).toEqual({ location: '/bans/ann@mail.test:1' })
  })

  it('takes braces that hold no name as they are', () => {
    expect(fill({ a: '{"b":1} {}' })).toEqual({ a: '{"b":1} {}' })
  })

  it('has no headers where none are declared', () => {
    expect(createHeaderFiller(undefined)({}, { body: undefined })).toEqual({})
  })
})
