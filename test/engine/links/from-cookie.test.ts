import { describe, expect, it } from 'vitest'
import { FromCookie } from '../../../src/engine/links/from-cookie.ts'
import { linkOf } from '../../../src/engine/links/link.ts'
import { fieldOf, linkedText } from './linking.ts'

const read = (cookie: string | string[] | undefined, name = 'sid'): unknown =>
  fieldOf({ type: 'string', ...FromCookie(name) }, {}, { cookie })

describe('FromCookie', () => {
  it.for<[string | string[], string]>([
    ['sid=abc', 'abc'],
    ['a=1; sid=abc; b=2', 'abc'],
    ['a=1;sid=abc', 'abc'],
    ['sid=first; sid=second', 'first'],
    ['SID=no; sid=yes', 'yes'],
    ['sid=', ''],
    ['sid=a=b==', 'a=b=='],
    ['sid="quoted"', 'quoted'],
    ['sid="', '"'],
    ['sid=a%20b%E2%82%AC', 'a b€'],
    ['sid=100%', '100%'],
    [['a=1', 'sid=abc'], 'abc'],
  ])('reads of %j: %s', ([cookie, value]) => {
    expect(read(cookie)).toBe(value)
  })

  it.for(['', 'sid', '=sid', 'Sid=x', 'xsid=x', undefined])('leaves the field generated for %j', (cookie) => {
    expect(fieldOf({ type: 'string', format: 'uuid', ...FromCookie('sid') }, {}, { cookie })).toMatch(
      /^[0-9a-f-]{36}$/,
    )
  })

  it('is written in data as its name', () => {
    expect(fieldOf(linkedText({ fromCookie: 'sid' }), {}, { cookie: 'sid=x' })).toBe('x')
    expect(() => linkOf(linkedText({ fromCookie: {} }))).toThrow('fromCookie takes the name of a cookie')
  })
})
