import { createRequire } from 'node:module'
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import type { RE2JS } from 're2js'
import { lazy } from './lazy.ts'
import { longestFor } from './patterns/effort.ts'
import { toRe2 } from './patterns/re2-syntax.ts'

/** A regular expression whose search takes time in proportion to the text's length, whatever the text. */
export interface LinearPattern {
  /** Whether a text has a match. */
  test(text: string): boolean
  /** The text with each match that is not empty replaced. */
  replaceAll(text: string, by: (found: string) => string): string
}

// Its tables are large, and few gateways have a pattern of their own.
const re2 = lazy(() => (createRequire(import.meta.url)('re2js') as typeof import('re2js')).RE2JS)

/**
 * Compiles an ECMA-262 pattern with the flag `u`. One that takes few steps for each character of a text stays on V8,
 * which is faster; any other is run on an engine that does not backtrack.
 * @throws Error that says why, for what is not a pattern or cannot be matched in linear time
 */
export function compileLinear(source: string): LinearPattern {
  const pattern = parsePattern(source, 'u')
  visitRegExpAST(pattern, {
    onAssertionEnter(node) {
      if (node.kind === 'lookahead' || node.kind === 'lookbehind') throw cannot(node, 'looks around')
    },
    onBackreferenceEnter(node) {
      throw cannot(node, 'refers back')
    },
  })
  return longestFor(pattern) === Infinity ? onV8(new RegExp(source, 'gu')) : onRe2(compileRe2(pattern))
}

/** What a pattern says. @throws Error for what is not a pattern */
export function parsePattern(source: string, flags: string): AST.Pattern {
  return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, flags.includes('u'))
}

/** A pattern in the syntax of that engine, which is Go's. @throws Error for what is none */
export function compileGo(source: string): RE2JS {
  return re2().compile(source)
}

/** A pattern on the engine that does not backtrack. @throws Error for what that engine cannot take */
export function compileRe2(pattern: AST.Pattern): RE2JS {
  return re2().compile(toRe2(pattern))
}

function onV8(pattern: RegExp): LinearPattern {
  return {
    test: (text) => text.search(pattern) !== -1,
    replaceAll: (text, by) => text.replaceAll(pattern, (found) => (found === '' ? '' : by(found))),
  }
}

function onRe2(pattern: RE2JS): LinearPattern {
  return {
    test: (text) => pattern.test(text),
    replaceAll(text, by) {
      const matcher = pattern.matcher(text)
      const pieces: string[] = []
      let copied = 0
      while (matcher.find()) {
        if (matcher.end() === matcher.start()) continue
        pieces.push(text.slice(copied, matcher.start()), by(text.slice(matcher.start(), matcher.end())))
        copied = matcher.end()
      }
      return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
    },
  }
}

function cannot({ raw }: AST.Node, does: string): Error {
  return new Error(`'${raw}' ${does}, which cannot be matched in linear time. Write a pattern without it`)
}
