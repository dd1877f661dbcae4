import { describe, expect, it } from 'vitest'
import { readForm, readMultipart } from '../../../src/recording/files/form-value.ts'

describe('readForm', () => {
  it('reads fields by name, and repeated ones as lists', () => {
    expect(readForm('b=1&a=x+y%21&b=2&c')).toEqual({ b: ['1', '2'], a: 'x y!', c: '' })
    expect(Object.keys(readForm('__proto__=1'))).toEqual(['__proto__'])
  })
})

describe('readMultipart', () => {
  const partsOf = (boundary: string): string =>
    [
      'a preamble',
      '\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\nyou\r\n',
      '\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n\0\xff\r\n',
      '\r\nContent-Disposition: form-data; name=note\r\n\r\n\r\n',
      '--\r\n',
    ].join(`--${boundary}`)

  it('reads fields and files by name, whatever the boundary is', () => {
    const wanted = {
      note: ['hello\r\nyou', ''],
      file: { filename: 'a.png', type: 'image/png', content: '\0\xff' },
    }
    expect(readMultipart(partsOf('x1'), 'multipart/form-data; boundary=x1')).toEqual(wanted)
    expect(readMultipart(partsOf('y 2'), 'multipart/form-data; boundary="y 2"')).toEqual(wanted)
  })

  it('reads nothing without a boundary', () => {
    expect(readMultipart(partsOf('x1'), 'multipart/form-data')).toBeUndefined()
  })
})
