import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeSql } from '../../src/sql/request.ts'

describe('normalized SQL', () => {
  it.for([
    { text: 'SELECT  1', normalized: 'select 1' },
    { text: '\n select\t1 ;; ', normalized: 'select 1' },
    { text: 'SELECT \'A  B\' , "C--D", `E/*F*/`', normalized: 'select \'A  B\' , "C--D", `E/*F*/`' },
    { text: 'select/* one */1 -- two\n+ 3', normalized: 'select 1 + 3' },
    { text: '-- only a comment', normalized: '' },
    { text: '/* not closed', normalized: '' },
    { text: "select 'It''s \\' ok' FROM T", normalized: "select 'It''s \\' ok' from t" },
    { text: "select 'open AND so on", normalized: "select 'open AND so on" },
    { text: 'SELECT a-1, B/2', normalized: 'select a-1, b/2' },
  ])('of $text is $normalized', ({ text, normalized }) => {
    expect(normalizeSql(text)).toBe(normalized)
  })

  it('stays as it is when it is normalized again', () => {
    const piece = fc.constantFrom(
      'SELECT',
      ' ',
      '\n',
      '--c\n',
      '/* x */',
      "'A b'",
      '`Q`',
      ';',
      '-',
      '/',
      '*',
      '"z"',
      "'",
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const once = normalizeSql(pieces.join(''))
        expect(normalizeSql(once)).toBe(once)
      }),
    )
  })

  it('takes time in proportion to its length', () => {
    for (const text of [
      '-'.repeat(3e6),
      '/'.repeat(3e6),
      "'".repeat(3e6),
      '/*'.repeat(1e6),
      ' ;'.repeat(1e6),
    ])
      expect(normalizeSql(text).length).toBeLessThanOrEqual(text.length)
  })
})
