import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { onLimit } from '../../../src/engine/limit-notes.ts'
import { createChecker } from '../../../src/engine/schema/checker.ts'
import { compileMatch, regExp } from '../../../src/engine/schema/match-pattern.ts'

const HOSTILE = '^(?=(a+)+$)a+$'
const ENDLESS = `${'a'.repeat(60)}b`

const ended: (() => void)[] = []
afterEach(() => {
  for (const end of ended.splice(0)) end()
})

function notesOf(): string[] {
  const notes: string[] = []
  ended.push(onLimit((note) => notes.push(note)))
  return notes
}

function messageOf(source: string): string {
  try {
    return String(regExp(source))
  } catch (error) {
    return (error as Error).message
  }
}

describe('regExp', () => {
  it('is a Unicode expression where it can be one', () => {
    expect(regExp('^\\p{L}$').test('é')).toBe(true)
    expect(regExp('^\\_\\-$').test('_-')).toBe(true)
    expect(() => regExp('(')).toThrow(SyntaxError)
  })

  it('is none where it is so long that it takes seconds, which is said in a line', () => {
    for (const source of ['a'.repeat(1e6), `(${'a'.repeat(1e4)}`]) {
      const [, length = ''] = /^Invalid.{200,240} of (\d+) characters: [\w ]+$/i.exec(messageOf(source)) ?? []
      expect(Number(length)).toBe(source.length)
    }
  })
})

describe('a pattern of a document', () => {
  it.for([
    ['^[a-z0-9]+(?:-[a-z0-9]+)*$', true],
    ['^https?://.+$', true],
    ['^(?=.*\\d)(?=.*[a-z]).{8,}$', true],
    ['^(?!-)[a-z-]{1,63}(?<!-)$', true],
    ['^[A-Z]{2}\\d{0,5000}$', true],
    ['(?:ab|c){1,3}$', true],
    ['^[^@]+@[^@]+\\.[^@]+$', false],
    ['[a-z]+@', false],
    ['^(a+)+$', false],
    ['^(?:a*)*$', false],
    ['^(?:a?b?)*$', false],
    ['^(?:a|ab?)*$', false],
    ['^(?:a{2,3}){2,30}$', false],
    ['^(?:(?:a|x?)(?:b|y?)){1,40}z$', false],
  ] as const)('%s is %s to be linear on V8', ([source, isLinear]) => {
    expect(compileMatch(source).isLinear).toBe(isLinear)
  })

  const unit = fc.constantFrom(...Array.from('aab-_@.9 \n\u2028é'), '💥')
  const atom = fc.constantFrom(
    ...['a', 'b', '-', '\\.', '.', '[ab]', '[^a]', '[^]', '\\d', '\\w', '\\W', '[\\s\\d]', '\\S', '\\p{L}'],
    ...['\\b', '\\B', '^', '$', '(?=a)', '(?<!b)', '\\u{1f4a5}'],
  )
  const pattern = fc.letrec<{ whole: string; part: string }>((tie) => ({
    whole: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    part: fc.oneof(
      { depthSize: 'small' },
      atom,
      fc
        .tuple(tie('whole'), tie('whole'), fc.constantFrom('', '*', '+', '?', '{1,2}', '{2,}', '*?'))
        .map(([one, other, repeats]) => `(?:${one}|${other})${repeats}`),
      fc.tuple(tie('whole'), fc.constantFrom('*', '+?')).map(([one, repeats]) => `(${one})${repeats}`),
    ),
  })).whole

  it('matches what V8 matches, on whichever engine', () => {
    fc.assert(
      fc.property(
        pattern,
        fc.boolean(),
        fc.array(fc.string({ unit, maxLength: 7 }), { maxLength: 8 }),
        (core, isWhole, texts) => {
          const source = isWhole ? `^(?:${core})$` : core
          const { match } = compileMatch(source)
          const expected = (text: string): boolean => new RegExp(source, 'u').test(text)
          // The same one without the way that short texts have.
          const onLong = compileMatch(`(?:${source}|${'no'.repeat(99)}){1,300}`)
          for (const text of texts) {
            // A busy machine may leave it open.
            for (const found of [match(text), onLong.match(text)])
              expect(found ?? expected(text)).toBe(expected(text))
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  it('takes no more steps than a search that backtracks is said to take at most', () => {
    // What is linear on V8 must be so for whatever text: a longer one is searched in time, or the test hangs.
    fc.assert(
      fc.property(pattern, fc.string({ unit, minLength: 1, maxLength: 4 }), (core, text) => {
        const { isLinear, match } = compileMatch(`^(?:${core})$`)
        if (isLinear) expect(typeof match(`${text.repeat(5000)}!`)).toBe('boolean')
      }),
    )
  })

  it.for([['^(a+)+$'], ['^(?:a|a)*$'], ['^([a-z]+)*[A-Z]$'], ['(.*)*,(.*)*x'], ['^(\\w-?)*$']])(
    '%s is decided, whatever the text',
    ([source = '']) => {
      expect(compileMatch(source).match(`${'a'.repeat(100_000)}!`)).toBe(false)
      expect(createChecker({ pattern: source }).fits(`${'a'.repeat(100_000)}!`)).toBe(false)
    },
  )

  it('is left unchecked where no engine decides it in time, which is said', () => {
    const notes = notesOf()
    expect(compileMatch(HOSTILE).match(ENDLESS)).toBeUndefined()
    expect(compileMatch(HOSTILE).match('b'.repeat(60))).toBe(false)
    expect(compileMatch(HOSTILE).match('a'.repeat(60))).toBe(true)
    expect(compileMatch('^(a+)+\\1$').match('a'.repeat(10_000))).toBe(true)
    expect(notes).toEqual([`the pattern ${HOSTILE} was not checked: it takes over 50 ms`])
  })
})

describe('a checker with a pattern that is not decided in time', () => {
  it('refuses nothing for it', () => {
    expect(createChecker({ pattern: HOSTILE }).check(ENDLESS)).toEqual([])
    expect(createChecker({ not: { pattern: HOSTILE } }).check(ENDLESS)).toEqual([])
    const closed = createChecker({ patternProperties: { [HOSTILE]: true }, additionalProperties: false })
    expect(closed.check({ [ENDLESS]: 1 })).toEqual([])
    const many = createChecker({ items: { pattern: HOSTILE } })
    expect(many.check(Array.from({ length: 40 }, (_, index) => ENDLESS + index))).toEqual([])
  })

  it('refuses what is wrong besides, and says what was not checked', () => {
    const checker = createChecker({
      properties: { a: { pattern: HOSTILE }, b: { type: 'integer' } },
      required: ['c'],
    })
    expect(checker.check({ a: ENDLESS, b: 'x' }).map(({ keyword }) => keyword)).toEqual([
      'required',
      'type',
      'not_checked',
    ])
  })
})
