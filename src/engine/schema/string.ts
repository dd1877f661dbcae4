import { hashText, type Stream } from '../random.ts'
import { compileMatch } from './match-pattern.ts'
import { affordable, affords, MAX_DRAWN, MAX_TEXT, noteCut } from './budget.ts'
import { type Compiler, withWriter, type Generate } from './generate.ts'
import type { Draw } from './words.ts'
import { otherTextsOfFormat, textOfFormat } from './formats.ts'
import { numberOf, schemaOf, textOf } from './keywords.ts'
import { compilePattern, isWithin, type Bounds } from './pattern.ts'
import type { Position } from './position.ts'
import type { Schema } from './schema.ts'
import { textByName, wordsOf } from './text-by-name.ts'
import { textWriter } from './write-text.ts'

type Fits = (text: string) => boolean

/** A text of a schema, of which a very long one has its beginning only. */
export function compileString(schema: Schema, at: Position, compiler: Compiler): Generate {
  const content = schemaOf(schema, 'contentSchema')
  if (content !== undefined && JSON_TYPE.test(textOf(schema, 'contentMediaType') ?? '')) {
    const generate = compiler.compile(content, at)
    return (stream, scope) => JSON.stringify(generate(stream, scope))
  }
  const least = numberOf(schema, 'minLength') ?? 0
  if (least < LONG) return compileText(schema, at, compiler)
  const longest = textOf(schema, 'pattern') === undefined ? MAX_TEXT : MAX_DRAWN
  const length = Math.min(least, longest)
  const generate = compileText({ ...schema, minLength: length }, at, compiler)
  return (stream, scope) => {
    if (length < least) noteCut(scope, at, `${length} of ${least} characters`)
    return affordable(scope, length, 1, at, 'characters') === length ? generate(stream, scope) : ''
  }
}

const JSON_TYPE = /^\w+\/(.+\+)?json$/i

// Others are part of what a field costs.
const LONG = 100

/** A text of its format or pattern, else one its field's name suggests, else words; its length within bounds. */
function compileText(schema: Schema, at: Position, { checker }: Compiler): Generate {
  const bounds: Bounds = {
    least: numberOf(schema, 'minLength') ?? 0,
    most: numberOf(schema, 'maxLength') ?? Infinity,
  }
  const pattern = textOf(schema, 'pattern')
  const name = textOf(schema, 'format') ?? ''
  const format = textOfFormat(name)
  const named = textByName(at)
  const fits: Fits = (text) => checker.fits(text, schema)

  if (pattern !== undefined) {
    const { match } = compileMatch(pattern)
    const fitsPattern: Fits = (text) => isWithin(text, bounds) && match(text) !== false
    const ways = [
      ...(format === undefined ? [] : waysOfFormat(format, pattern, bounds)),
      { draw: named, attempts: format === undefined ? 4 : 0 },
      ...waysOfPattern(pattern, bounds, format === undefined ? 20 : 100),
    ]
    const drawFitting = firstFitting(ways, format === undefined ? fitsPattern : fits, bounds)
    return (stream, scope) => {
      const text = drawFitting(stream, scope) as string
      return text.length < LONG || affords(scope, text.length, at) ? text : ''
    }
  }
  const draw = format ?? named ?? wordsOf
  if (bounds.least === 0 && bounds.most === Infinity)
    return withWriter((stream) => draw(stream), textWriter(draw))
  if (format === undefined) return (stream) => fitLength(draw(stream), bounds, stream)
  const ways = [format, ...otherTextsOfFormat(name)].map((each) => ({ draw: each, attempts: 20 }))
  const drawFitting = firstFitting(ways, fits, bounds)
  return (stream, scope) => {
    const text = format(stream)
    return isWithin(text, bounds) ? text : drawFitting(stream, scope)
  }
}

/** A way to draw texts, and how often to try it. */
interface Way {
  readonly draw: Draw | undefined
  readonly attempts: number
}

// A text may go on after what a pattern without an end wants.
function waysOfPattern(pattern: string, bounds: Bounds, attempts: number): readonly Way[] {
  const draw = drawOf(pattern, bounds)
  const longer = draw && ((stream: Stream) => draw(stream) + lettersOf(stream, stream.integer(1, 3)))
  return [
    { draw: pattern.endsWith('$') ? undefined : longer, attempts: 4 },
    { draw, attempts },
    ...simplerOf(pattern).map((simpler) => ({ draw: drawOf(simpler, bounds, FEW), attempts: 50 })),
  ]
}

// Short texts break fewer rules of what may not follow what.
const FEW = 2

// What is looked for ahead mostly is a text's beginning, or may be; what may not be there mostly is not.
function simplerOf(pattern: string): readonly string[] {
  const plain = pattern.replaceAll(/\(\?<?![^()]*\)|\(\?<=[^()]*\)/g, '')
  const anchored = plain.replace(/^\.\*(?=\(*\^)/, '').replace(/(?<=\$\)*)\.\*$/, '')
  return [...new Set([anchored.replaceAll('(?=', '(?:'), anchored])]
}

// Texts of a format are in small letters, and what a pattern wants after anything at all may follow one.
function waysOfFormat(format: Draw, pattern: string, bounds: Bounds): readonly Way[] {
  const [, after] = /^\^?\.[+*](.+)$/.exec(pattern) ?? []
  const rest = after === undefined ? undefined : drawOf(after, bounds)
  return [
    { draw: format, attempts: 20 },
    { draw: (stream) => format(stream).toUpperCase(), attempts: 4 },
    { draw: rest && ((stream) => format(stream) + rest(stream)), attempts: 20 },
  ]
}

function drawOf(pattern: string, bounds: Bounds, repeats?: number): Draw | undefined {
  try {
    return compilePattern(pattern, bounds, repeats)
  } catch {
    return undefined
  }
}

const RETRY = hashText('another text')

// Each way draws in turn until a text fits, then resizes the last one, which is kept when nothing fits.
function firstFitting(ways: readonly Way[], fits: Fits, bounds: Bounds): Generate {
  const draws = ways.flatMap(({ draw, attempts }) =>
    Array.from({ length: attempts }, () => draw ?? []).flat(),
  )
  return (stream) => {
    let text = ''
    for (const [attempt, draw] of draws.entries()) {
      text = draw(attempt === 0 ? stream : stream.child(RETRY + attempt))
      if (fits(text)) return text
    }
    return resized(text, bounds, stream).find(fits) ?? text
  }
}

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')

// Cuts what is too long at the end; what is too short grows at the front.
function fitLength(text: string, bounds: Bounds, stream: Stream): string {
  if (isWithin(text, bounds)) return text
  const { least, most } = bounds
  // Most texts have no pairs of units, and can be cut anywhere.
  const points = PAIRED.test(text) ? Array.from(text) : text
  if (points.length <= most) return lettersOf(stream, least - points.length) + text
  const cut = typeof points === 'string' ? points.slice(0, most) : points.slice(0, most).join('')
  return cut.trimEnd().padEnd(most, 'a')
}

const PAIRED = /[\ud800-\udfff]/

// A text made to fit in several ways, for formats and patterns that allow one of them.
function resized(text: string, bounds: Bounds, stream: Stream): string[] {
  const missing = Math.max(0, bounds.least - Array.from(text).length)
  const longer = [0, 1, 2, 3].map((more) => lettersOf(stream, missing + more))
  return [fitLength(text, bounds, stream), ...longer.flatMap((letters) => [letters + text, text + letters])]
}

function lettersOf(stream: Stream, length: number): string {
  let letters = ''
  for (let index = 0; index < length; index++) letters += stream.pick(LETTERS) ?? ''
  return letters
}
