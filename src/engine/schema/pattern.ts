import { createRequire } from 'node:module'
import type randexp from 'randexp'
import { lazy } from '../lazy.ts'
import { Stream } from '../random.ts'
import { MAX_DRAWN } from './budget.ts'
import { regExp } from './match-pattern.ts'

/** How long a text may be, in Unicode code points, as JSON Schema counts. */
export interface Bounds {
  readonly least: number
  readonly most: number
}

/** Whether a text's length is within bounds. */
export function isWithin(text: string, { least, most }: Bounds): boolean {
  // A code point is one or two units, so most texts need no counting.
  if (text.length >= least * 2 && text.length <= most) return true
  const length = Array.from(text).length
  return length >= least && length <= most
}

// Its class is the module itself, which its types do not say. Few models have a pattern.
const randExp = lazy(() => createRequire(import.meta.url)('randexp') as typeof randexp.default)
type Drawing = InstanceType<ReturnType<typeof randExp>>

const DEFAULT_REPEATS = 12
const MAX_ATTEMPTS = 10

/**
 * Draws texts that match an ECMA-262 pattern, of a length within bounds where it can.
 * Not every pattern can be drawn from, so the caller tests them.
 * @param repeats how much more often than it must a part repeats at most; by default as often as texts stay short
 * @throws SyntaxError for a pattern that cannot be drawn from at all
 */
export function compilePattern(
  pattern: string,
  bounds: Bounds,
  repeats?: number,
): (stream: Stream) => string {
  const source = regExp(spellOut(pattern)).source
  const drawing = createDrawing(source)
  limitRepeats(drawing, Math.max(bounds.least, Math.min(bounds.most, DEFAULT_REPEATS)))
  if (repeats !== undefined) capRepeats(tokensOf(drawing), Math.max(bounds.least, repeats))
  let sized: Drawing | undefined

  return (stream) => {
    let text = ''
    for (let attempt = 0; attempt < 2 * MAX_ATTEMPTS; attempt++) {
      if (attempt === MAX_ATTEMPTS) sized ??= createSized(source, bounds)
      text = draw(attempt < MAX_ATTEMPTS ? drawing : (sized ?? drawing), stream)
      if (isWithin(text, bounds)) break
    }
    return text
  }
}

function draw(drawing: Drawing, stream: Stream): string {
  drawing.randInt = (from, to) => stream.integer(from, to)
  return drawing.gen()
}

function createDrawing(source: string): Drawing {
  const drawing = new (randExp())(source)
  const expand = drawing._expand.bind(drawing)
  const ascii = drawing.defaultRange
  const known = new WeakMap<object, ReturnType<typeof expand>>()
  drawing._expand = (token) => {
    let range = known.get(token) ?? expand(token)
    if (range.length === 0) {
      // Nothing of ASCII is in this class.
      drawing.defaultRange = ascii.clone().add(0xa1, 0xd7ff)
      range = expand(token)
      drawing.defaultRange = ascii
    }
    known.set(token, range)
    return range
  }
  return drawing
}

/** Lets a drawing repeat that often, or as often as its texts stay short. @throws Error where they never are */
function limitRepeats(drawing: Drawing, wanted: number): void {
  const tokens = tokensOf(drawing)
  let repeats = wanted
  while (repeats > 0 && longestOf(tokens, repeats) > MAX_LENGTH) repeats = Math.floor(repeats / 2)
  if (longestOf(tokens, repeats) > MAX_LENGTH) throw new Error('Texts of this pattern are too long')
  drawing.max = repeats
  if (longestOf(tokens, Infinity) > MAX_LENGTH) capRepeats(tokens, repeats)
}

const MAX_LENGTH = 2 * MAX_DRAWN
const REFERENCE = 6
const LONG_REFERENCE = 1000

// How long a text may be, if nothing repeats more often than it must by more than this.
function longestOf(token: Token, more: number): number {
  const sum = (tokens: readonly Token[]): number =>
    tokens.reduce((length, each) => length + longestOf(each, more), 0)
  const { type, min, max, value, stack, options } = token
  // What a reference repeats may be long itself.
  if (type === REFERENCE) return LONG_REFERENCE
  if (min !== undefined && max !== undefined && typeof value === 'object')
    return Math.min(max, min + more) * longestOf(value, more) || 0
  if (options !== undefined) return options.reduce((longest, each) => Math.max(longest, sum(each)), 0)
  return stack === undefined ? 1 : sum(stack)
}

function capRepeats(token: Token, more: number): void {
  if (token.min !== undefined && token.max !== undefined)
    token.max = Math.min(token.max, token.min + Math.max(more, 1))
  for (const part of partsOf(token)) capRepeats(part, more)
}

function partsOf({ value, stack, options }: Token): readonly Token[] {
  return [value, ...(stack ?? []), ...(options ?? []).flat()].filter((part) => typeof part === 'object')
}

/** A drawing whose repetitions all repeat equally often: as often as it takes for the least length. */
function createSized(source: string, { least }: Bounds): Drawing | undefined {
  const repeating = (repeats: number): Drawing => {
    const drawing = createDrawing(source)
    fixRepeats(tokensOf(drawing), repeats)
    return drawing
  }
  const reaches = (drawing: Drawing): boolean =>
    longestOf(tokensOf(drawing), 0) > MAX_LENGTH || draw(drawing, new Stream(0, 0)).length >= least
  let [low, high] = [0, least]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (reaches(repeating(middle))) high = middle
    else low = middle + 1
  }
  const sized = repeating(low)
  return longestOf(tokensOf(sized), 0) > MAX_LENGTH ? undefined : sized
}

function tokensOf(drawing: Drawing): Token {
  return (drawing as unknown as { tokens: Token }).tokens
}

/** What the drawing library parses a pattern into, as far as it matters here. */
interface Token {
  readonly type: number
  min?: number
  max?: number
  readonly value?: Token
  readonly stack?: readonly Token[]
  readonly options?: readonly (readonly Token[])[]
}

function fixRepeats(token: Token, repeats: number): void {
  if (token.min !== undefined && token.max !== undefined) {
    token.min = Math.max(token.min, Math.min(token.max, repeats))
    token.max = token.min
  }
  for (const part of partsOf(token)) fixRepeats(part, repeats)
}

// What the drawing library does not know, as it knows it: named groups, Unicode classes, small hexadecimal digits.
function spellOut(pattern: string): string {
  const groups: (string | undefined)[] = []
  let inClass = false
  return pattern.replace(TOKEN, (token: string, unicode?: string, reference?: string, group?: string) => {
    if (token === '[' || token === ']') inClass = token === '['
    if (token.startsWith('(') && !inClass) {
      groups.push(group)
      return '('
    }
    const members = CLASSES.get(unicode ?? '')
    if (members !== undefined) return inClass ? members : `[${members}]`
    if (/^\\c./i.test(token)) return `\\c${token.slice(2).toUpperCase()}`
    if (/^\\[xu][\da-f]/i.test(token)) return token.slice(0, 2) + token.slice(2).toUpperCase()
    return reference === undefined ? token : `\\${groups.indexOf(reference) + 1}`
  })
}

const TOKEN =
  /\\p\{(?:\w+=)?(\w+)\}|\\k<(\w+)>|\\c[a-z]|\\x[\da-f]{2}|\\u[\da-f]{4}|\\.|\(\?<(\w+)>|\((?!\?)|[[\]]/gis

const CLASSES: ReadonlyMap<string, string> = new Map([
  ...['L', 'Letter', 'Alphabetic', 'Alpha'].map((name) => [name, 'A-Za-z'] as const),
  ...['Ll', 'Lowercase', 'Lowercase_Letter'].map((name) => [name, 'a-z'] as const),
  ...['Lu', 'Uppercase', 'Uppercase_Letter'].map((name) => [name, 'A-Z'] as const),
  ...['N', 'Nd', 'Number', 'Decimal_Number'].map((name) => [name, '0-9'] as const),
  ...['P', 'Punctuation'].map((name) => [name, '!.,;:?'] as const),
  ...['Zs', 'Space_Separator', 'White_Space'].map((name) => [name, ' '] as const),
  ['Latin', 'A-Za-z'],
])
