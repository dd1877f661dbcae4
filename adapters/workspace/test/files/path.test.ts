import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathOf, segmentsOf } from '../../src/files/read.ts'

describe('paths', () => {
  it.for([
    { path: '/', segments: [] },
    { path: '/a', segments: ['a'] },
    { path: '//a///b/', segments: ['a', 'b'] },
    { path: 'dbfs:/a', segments: ['a'] },
    { path: '/dbfs:/a', segments: ['dbfs:', 'a'] },
    { path: '/...', segments: ['...'] },
  ])('reads $path', ({ path, segments }) => {
    expect(segmentsOf(path, 'dbfs:')).toEqual(segments)
  })

  it('gives back the segments that a path is made of', () => {
    const segment = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((text) => !text.includes('/') && text !== '.' && text !== '..')
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
        expect(segmentsOf(pathOf(segments))).toEqual(segments)
      }),
    )
  })

  it.for(['', 'a', 'dbfs:/a', '../a', '/a/..', '/.', `/${'a'.repeat(4096)}`])('refuses %j', (path) => {
    expect(() => segmentsOf(path)).toThrow('answered 400')
  })
})
