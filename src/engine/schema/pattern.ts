import { createRequire } from 'node:module'
import type randexp from 'randexp'
import { lazy } from '../lazy.ts'
import { Stream } from '../random.ts'
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
 * @throws SyntaxError for a pattern that cannot be drawn from at all
 */
export function compilePattern(pattern: string, bounds: Bounds): (stream: Stream) => string {
  const source = regExp(spellOut(pattern)).source
  const drawing = createDrawing(source)
  drawing.max = Math.max(bounds.least, Math.min(bounds.most, DEFAULT_REPEATS))
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

/** A drawing whose repetitions all repeat equally often: as often as it takes for the least length. */
function createSized(source: string, { least }: Bounds): Drawing {
  const repeating = (repeats: number): Drawing => {
    const drawing = createDrawing(source)
    fixRepeats((drawing as unknown as { tokens: Token }).tokens, repeats)
    return drawing
  }
  let [low, high] = [0, least]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (draw(repeating(middle), new Stream(0, 0)).length < least) low = middle + 1
    else high = middle
  }
  return repeating(low)
}

/** What the drawing library parses a pattern into, as far as it matters here. */
interface Token {
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
  const parts = [token.value, ...(token.stack ?? []), ...(token.options ?? []).flat()]
  for (const part of parts) if (typeof part === 'object') fixRepeats(part, repeats)
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
    if (/^\\[xu][\da-f]/i.test(token)) return token.slice(0, 2) + token.slice(2).toUpperCase()
    return reference === undefined ? token : `\\${groups.indexOf(reference) + 1}`
  })
}

const TOKEN = /\\p\{(?:\w+=)?(\w+)\}|\\k<(\w+)>|\\x[\da-f]{2}|\\u[\da-f]{4}|\\.|\(\?<(\w+)>|\((?!\?)|[[\]]/gis

const CLASSES: ReadonlyMap<string, string> = new Map([
  ...['L', 'Letter', 'Alphabetic', 'Alpha'].map((name) => [name, 'A-Za-z'] as const),
  ...['Ll', 'Lowercase', 'Lowercase_Letter'].map((name) => [name, 'a-z'] as const),
  ...['Lu', 'Uppercase', 'Uppercase_Letter'].map((name) => [name, 'A-Z'] as const),
  ...['N', 'Nd', 'Number', 'Decimal_Number'].map((name) => [name, '0-9'] as const),
  ...['P', 'Punctuation'].map((name) => [name, '!.,;:?'] as const),
  ...['Zs', 'Space_Separator', 'White_Space'].map((name) => [name, ' '] as const),
  ['Latin', 'A-Za-z'],
])
