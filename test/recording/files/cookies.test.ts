import { describe, expect, it } from 'vitest'
import { readCookies, readSetCookie } from '../../../src/recording/files/cookies.ts'

describe('readCookies', () => {
  it('splits names from values at the first equals sign', () => {
    expect(readCookies('a=1; b=x=y; ;nameless')).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: 'x=y' },
      { name: '', value: 'nameless' },
    ])
  })
})

describe('readSetCookie', () => {
  it('reads the attributes that HAR knows', () => {
    expect(
      readSetCookie(
        'a=1; Path=/x; Domain=example.com; expires=Thu, 01 Jan 1970 00:00:01 GMT; HttpOnly; secure; SameSite=Lax',
      ),
    ).toEqual({
      name: 'a',
      value: '1',
      path: '/x',
      domain: 'example.com',
      expires: '1970-01-01T00:00:01.000Z',
      httpOnly: true,
      secure: true,
    })
  })

  it('leaves out what cannot be read', () => {
    expect(readSetCookie('a=; expires=never')).toEqual({ name: 'a', value: '' })
  })
})
