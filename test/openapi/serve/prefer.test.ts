import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appliedText, otherPreferences, readPreferences } from '../../../src/openapi/serve/prefer.ts'

describe('readPreferences', () => {
  it.for([
    ['code=404', { code: '404' }],
    ['code=404, example=rex', { code: '404', example: 'rex' }],
    ['code=404; example=rex', { code: '404', example: 'rex' }],
    ['CODE = 404 ;; ,Example = "a \\"b\\", c"', { code: '404', example: 'a "b", c' }],
    ['code=404, code=500', { code: '404' }],
    ['dynamic=true', { dynamic: true }],
    ['dynamic', { dynamic: true }],
    ['dynamic=False', { dynamic: false }],
    ['respond-async; wait=10, foo="code=500", code=200', { code: '200' }],
    ['code=404 or so, example=rex', { example: 'rex' }],
    ['code=', {}],
    ['"code=404"', {}],
    ['', {}],
  ] as const)('reads %s', ([text, preferences]) => {
    expect(readPreferences({ prefer: text })).toEqual(preferences)
  })

  it('reads several headers, and none', () => {
    expect(readPreferences({ prefer: ['code=404', 'example=rex'] })).toEqual({ code: '404', example: 'rex' })
    expect(readPreferences({})).toEqual({})
  })

  it('reads back what it says was applied, whatever the example is called', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (example) => {
        expect(readPreferences({ prefer: appliedText({ code: '404', example }) })).toEqual({
          code: '404',
          example,
        })
      }),
    )
  })

  it('ends on every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '\\', ';', ',', '=', ' ', 'a') }), (prefer) => {
        expect(readPreferences({ prefer })).toEqual({})
      }),
    )
  })
})

describe('otherPreferences', () => {
  it.for([
    ['respond-async', 'respond-async'],
    ['dynamic=true', undefined],
    ['code=404; return=minimal, Example="a, b"', 'return=minimal'],
    ['wait=10, dynamic, foo="code=500"', 'wait=10, foo="code=500"'],
    ['', ''],
  ] as const)('of %s are %s', ([text, others]) => {
    expect(otherPreferences(text)).toBe(others)
  })
})

describe('appliedText', () => {
  it('is nothing where nothing was', () => {
    expect(appliedText({})).toBeUndefined()
    expect(appliedText({ dynamic: true, code: undefined })).toBe('dynamic=true')
  })
})
