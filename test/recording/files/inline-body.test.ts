import { expect, it } from 'vitest'
import { inlineBytes, isBase64, toInline, withoutText } from '../../../src/recording/files/inline-body.ts'

it('keeps valid UTF-8 as text, byte order mark included', () => {
  expect(toInline(Buffer.from('\uFEFFcaf\u00e9'))).toEqual({ text: '\uFEFFcaf\u00e9', isBase64: false })
})

it('keeps other bytes as base64', () => {
  expect(toInline(Buffer.from([0xff, 0]))).toEqual({ text: '/wA=', isBase64: true })
})

it('reads bytes back by either marker', () => {
  const bytes = Buffer.from([0xff, 0])

  expect(inlineBytes({ mimeType: '', size: 2, text: '/wA=', encoding: 'base64' })).toEqual(bytes)
  expect(inlineBytes({ mimeType: '', text: '/wA=', _encoding: 'base64' })).toEqual(bytes)
  expect(inlineBytes({ mimeType: '', text: '/wA=' })).toEqual(Buffer.from('/wA='))
  expect(inlineBytes({ mimeType: '' })).toBeUndefined()
  expect(isBase64({ mimeType: '' })).toBe(false)
})

it('takes the text and its marker off', () => {
  expect(withoutText({ mimeType: 'a/b', size: 2, text: '/wA=', encoding: 'base64' })).toEqual({
    mimeType: 'a/b',
    size: 2,
  })
  expect(withoutText({ mimeType: 'a/b', text: '/wA=', _encoding: 'base64' })).toEqual({ mimeType: 'a/b' })
})
