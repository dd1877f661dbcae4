import { LRUCache } from 'lru-cache'
import { noteLimit } from '../limit-notes.ts'
import { lazy, remembered } from '../lazy.ts'
import { compileRe2, parsePattern } from '../linear-pattern.ts'
import { longestFor } from '../patterns/effort.ts'
import { LIMIT_MS, matchApart } from '../patterns/match-apart.ts'

/** A `pattern` of a document. */
export interface Pattern {
  readonly expression: RegExp
  /** Whether a search on V8 takes few steps for each character of any text. */
  readonly isLinear: boolean
  /** Whether a text matches; `undefined` where that was not found out in time. */
  match(this: void, text: string): boolean | undefined
}

/**
 * Compiles a pattern of a document, whose search never takes long: on V8 where that is sure to take few steps, else on an
 * engine that does not backtrack, and what that cannot take, such as look-around, within a limit of time.
 * @throws SyntaxError for what is not a pattern
 */
export const compileMatch = remembered<string, Pattern>(compile, new LRUCache({ max: 10_000 }))

/** Whether a text matches a pattern; not where that was not found out in time. */
export function matches(source: string, text: string): boolean {
  return compileMatch(source).match(text) ?? false
}

/** JSON Schema wants Unicode expressions; many documents hold ones that only work without. */
export function regExp(pattern: string): RegExp {
  if (pattern.length > MAX_LENGTH) throw invalid(pattern, `longer than ${MAX_LENGTH} characters`)
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return withoutUnicode(pattern)
  }
}

function withoutUnicode(pattern: string): RegExp {
  try {
    return new RegExp(pattern)
  } catch (error) {
    if (pattern.length <= MAX_SHOWN) throw error
    throw invalid(pattern, (error as Error).message.slice(-MAX_SHOWN).replace(/^.*\/[a-z]*: /s, ''))
  }
}

/** What is longer takes seconds to read. */
const MAX_LENGTH = 65_536
const MAX_SHOWN = 200

function invalid(pattern: string, reason: string): SyntaxError {
  const shown = pattern.slice(0, MAX_SHOWN)
  return new SyntaxError(`Invalid regular expression: /${shown}…/ of ${pattern.length} characters: ${reason}`)
}

function compile(source: string): Pattern {
  const expression = regExp(source)
  const longest = longestOf(expression)
  const isLinear = longest === Infinity
  const searchApart = lazy(() => searcherOf(expression))
  return {
    expression,
    isLinear,
    match: (text) => (text.length <= longest ? expression.test(text) : searchApart()(text)),
  }
}

const MAX_ANALYSED = 5000

function longestOf({ source, flags }: RegExp): number {
  if (source.length > MAX_ANALYSED) return 0
  try {
    return longestFor(parsePattern(source, flags))
  } catch {
    return 0
  }
}

const MAX_STATES = 20_000_000
const PAIRED = /[\ud800-\udfff]/

function searcherOf(expression: RegExp): Pattern['match'] {
  const { source, unicode } = expression
  const apart: Pattern['match'] = (text) => {
    const found = matchApart(expression, text)
    if (found === undefined)
      noteLimit(`the pattern ${shown(source)} was not checked: it takes over ${LIMIT_MS} ms`)
    return found
  }
  try {
    const linear = compileRe2(parsePattern(source, expression.flags))
    const longest = MAX_STATES / linear.programSize()
    // Without the flag `u`, half of a pair is a character.
    const takes = (text: string): boolean => text.length <= longest && (unicode || !PAIRED.test(text))
    return (text) => (takes(text) ? linear.test(text) : apart(text))
  } catch {
    return apart
  }
}

/** A pattern as messages have it. */
export function shown(source: string): string {
  return source.length > 80 ? `${source.slice(0, 80)}…` : source
}
