import { createRequire } from 'node:module'
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import type { RE2JS } from 're2js'
import { lazy } from './lazy.ts'

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
 * Compiles an ECMA-262 pattern with the flag `u`. One whose attempts at each place are few and short stays on V8, which
 * is faster; any other is run on an engine that does not backtrack.
 * @throws Error that says why, for what is not a pattern or cannot be matched in linear time
 */
export function compileLinear(source: string): LinearPattern {
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, true)
  const { ways, length } = effortOf(pattern)
  if (ways * length <= MAX_STEPS) return onV8(new RegExp(source, 'gu'))
  return onRe2(re2().compile(re2().translateRegExp(withWhiteSpace(source, pattern))))
}

function onV8(pattern: RegExp): LinearPattern {
  return {
    test: (text) => text.search(pattern) !== -1,
    replaceAll: (text, by) => text.replaceAll(pattern, (found) => (found === '' ? '' : by(found))),
  }
}

function onRe2(pattern: RE2JS): LinearPattern {
  return {
    test: (text) => pattern.matcher(text).find(),
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

/** What a search may try at one place: in how many ways, and over how many characters. */
interface Effort {
  readonly ways: number
  readonly length: number
}

const MAX_STEPS = 200
const ONE: Effort = { ways: 1, length: 1 }

function effortOf(node: AST.Pattern | AST.Alternative | AST.Element): Effort {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives.map(effortOf).reduce((all, each) => ({
        ways: all.ways + each.ways,
        length: Math.max(all.length, each.length),
      }))
    case 'Alternative':
      return node.elements
        .map(effortOf)
        .reduce((all, each) => ({ ways: all.ways * each.ways, length: all.length + each.length }), ONE)
    case 'Quantifier':
      return repeated(effortOf(node.element), node.min, node.max)
    case 'Assertion':
      if (node.kind === 'lookahead' || node.kind === 'lookbehind') throw cannot(node, 'looks around')
      return ONE
    case 'Backreference':
      throw cannot(node, 'refers back')
    default:
      return ONE
  }
}

function repeated({ ways, length }: Effort, min: number, max: number): Effort {
  // The sum for each number of repeats is at most this, and `Infinity` for what has no end.
  return { ways: (max - min + 1) * ways ** max, length: length * max }
}

function cannot({ raw }: AST.Node, does: string): Error {
  return new Error(`'${raw}' ${does}, which cannot be matched in linear time. Write a pattern without it`)
}

const WHITE_SPACE = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`

// To the other engine, white space and what ends a line are of ASCII only.
function withWhiteSpace(source: string, pattern: AST.Pattern): string {
  const pieces: string[] = []
  let copied = 0
  const replace = ({ start, end }: AST.Node, by: string): void => {
    pieces.push(source.slice(copied, start), by)
    copied = end
  }
  visitRegExpAST(pattern, {
    onCharacterSetEnter(node) {
      const isInClass = node.parent?.type === 'CharacterClass'
      if (node.kind === 'any') replace(node, String.raw`[^\n\r\x{2028}\x{2029}]`)
      else if (node.kind === 'space' && !node.negate)
        replace(node, isInClass ? WHITE_SPACE : `[${WHITE_SPACE}]`)
      else if (node.kind === 'space' && !isInClass) replace(node, `[^${WHITE_SPACE}]`)
    },
  })
  return pieces.join('') + source.slice(copied)
}
