import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGlob, createTextGlob } from '../../src/routing/glob.ts'

describe('a glob', () => {
  it.for([
    ['/users', '/users', true],
    ['/users', '/users/', false],
    ['/users/*', '/users/7', true],
    ['/users/*', '/users/7/posts', false],
    ['/users/*', '/users', false],
    ['/users/**', '/users/7/posts', true],
    ['/users/**', '/users', true],
    ['/users/**', '/usersx', false],
    ['/**/posts', '/posts', true],
    ['/**/posts', '/a/b/posts', true],
    ['/**/posts', '/a/b/posts/1', false],
    ['**', '/anything/at/all', true],
    ['/a/**/b/**/c', '/a/x/b/b/y/c', true],
    ['/a/**/b/**/c', '/a/x/c', false],
    ['/*.json', '/a.json', true],
    ['/*.json', '/.json', true],
    ['/*.json', '/a.jsonx', false],
    ['/v?/x', '/v1/x', true],
    ['/v?/x', '/v/x', false],
    ['/a*b*c', '/aXbYbZc', true],
    ['/a*b*c', '/aXc', false],
    ['/{users,orgs}/*', '/orgs/1', true],
    ['/{users,orgs}/*', '/posts/1', false],
    ['/{a,b}/{c,d}', '/b/d', true],
    ['/(a+)+', '/aaa', false],
    ['/a.c', '/abc', false],
    ['/a**', '/abc', true],
    ['', '', true],
    ['', '/', false],
  ] as const)('%j on %j: %s', ([pattern, path, expected]) => {
    expect(createGlob(pattern)(path)).toBe(expected)
  })

  it('is what a regular expression made of it says', () => {
    const part = fc.constantFrom('a', 'b', '*', '?', 'ab')
    const segment = fc.oneof(
      fc.array(part, { maxLength: 4 }).map((parts) => parts.join('')),
      fc.constant('**'),
    )
    const globs = fc.array(segment, { minLength: 1, maxLength: 4 })
    const paths = fc.array(fc.constantFrom('', 'a', 'b', 'ab', 'ba', 'aab'), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(globs, paths, (glob, path) => {
        const naive = (wanted: readonly string[], given: readonly string[]): boolean => {
          const [first, ...rest] = wanted
          if (first === undefined) return given.length === 0
          if (first === '**')
            return given.some((_each, at) => naive(rest, given.slice(at))) || naive(rest, [])
          const expression = new RegExp(`^${first.replaceAll('*', '.*').replaceAll('?', '.')}$`)
          return given.length > 0 && expression.test(given[0] ?? '') && naive(rest, given.slice(1))
        }
        expect(createGlob(glob.join('/'))(path.join('/'))).toBe(naive(glob, path))
      }),
      { numRuns: 2000 },
    )
  })

  it('is soon done with a long path that nearly fits', () => {
    const path = `/${'a/'.repeat(8000)}!`
    expect(createGlob('/**/a/**/a/**/a/**/b')(path)).toBe(false)
    expect(createGlob('/*a*a*a*a*b')(`/${'a'.repeat(16_000)}`)).toBe(false)
    expect(createGlob('{a,b}'.repeat(50))('a'.repeat(50))).toBe(false)
  })
})

describe('a glob of a text', () => {
  it.for([
    ['*', '', true],
    ['*', 'text/html; q=1', true],
    ['text/*', 'text/html', true],
    ['*/*', 'text/html', true],
    ['**', 'a/b', true],
    ['a?c', 'a/c', true],
    ['{text/html,application/*}', 'application/json', true],
    ['text', 'text/html', false],
    ['(a+)+', 'aaa', false],
  ] as const)('%j on %j: %s', ([pattern, text, expected]) => {
    expect(createTextGlob(pattern)(text)).toBe(expected)
  })

  it('is soon done with a long text that nearly fits', () => {
    expect(createTextGlob('*a*/*a*/*a*b')('a/'.repeat(8000))).toBe(false)
  })
})
