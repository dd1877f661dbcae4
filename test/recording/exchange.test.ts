import { describe, expect, expectTypeOf, it } from 'vitest'
import { redact } from './samples.ts'
import type { Recordable } from '../../src/recording/capture/exchange-text.ts'
import {
  type Exchange,
  inlineBytes,
  isBase64,
  type Redacted,
  toInline,
  withoutText,
} from '../../src/recording/exchange.ts'

describe('exchange', () => {
  it('lets only redacted exchanges be written', () => {
    expectTypeOf(redact).returns.toEqualTypeOf<Redacted<Exchange>>()
    expectTypeOf<string>().not.toExtend<Recordable>()
    expectTypeOf<Exchange>().not.toExtend<Recordable>()
    expectTypeOf<Redacted<Exchange>>().toExtend<Recordable>()
    expectTypeOf<Exchange>().not.toExtend<Redacted<Exchange>>()
    expectTypeOf<Redacted<Exchange>>().toExtend<Exchange>()
  })
})

describe('inline body', () => {
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
})
