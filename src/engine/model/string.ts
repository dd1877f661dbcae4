import { hashText, type Stream } from '../random.ts'
import { regExp } from './checker.ts'
import type { Compiler, Position } from './compiler.ts'
import { textOfFormat } from './formats.ts'
import type { Generate } from './generate.ts'
import { compilePattern, type Bounds } from './pattern.ts'
import { textByName, wordsOf } from './realism.ts'
import type { Schema } from './schema.ts'

type Draw = (stream: Stream) => string

/** A text of its format or pattern, else one its field's name suggests, else words; its length within bounds. */
export function compileString(schema: Schema, at: Position, compiler: Compiler): Generate {
  const least = typeof schema['minLength'] === 'number' ? schema['minLength'] : 0
  const most = typeof schema['maxLength'] === 'number' ? schema['maxLength'] : Infinity
  const pattern = typeof schema['pattern'] === 'string' ? schema['pattern'] : undefined
  const format = typeof schema['format'] === 'string' ? textOfFormat(schema['format']) : undefined
  const named = textByName(at)
  const bounds: Bounds = { least, most: Math.max(least, most) }

  if (pattern !== undefined) {
    const draws = [format, named, compilePattern(pattern, bounds)].filter((draw) => draw !== undefined)
    const expression = regExp(pattern)
    const asked = format === undefined ? { pattern, minLength: least } : { ...schema }
    const fits = (text: string): boolean =>
      expression.test(text) &&
      isWithin(text, bounds) &&
      (format === undefined || compiler.checker.fits(text, asked))
    return firstFitting(draws, fits)
  }
  if (format !== undefined) return firstFitting([format], (text) => isWithin(text, bounds), bounds)
  const draw = named ?? wordsOf
  return (stream) => {
    const text = draw(stream)
    return isWithin(text, bounds) ? text : fitLength(text, bounds, stream)
  }
}

function isWithin(text: string, { least, most }: Bounds): boolean {
  if (text.length >= least * 2 && text.length <= most) return true
  const length = Array.from(text).length
  return length >= least && length <= most
}

const ATTEMPTS_EACH = 20
const RETRY = hashText('another text')

// Draws by each way in turn until a text fits; the last text when none does.
function firstFitting(draws: readonly Draw[], fits: (text: string) => boolean, bounds?: Bounds): Generate {
  return (stream) => {
    let text = ''
    for (const [way, draw] of draws.entries()) {
      for (let attempt = 0; attempt < ATTEMPTS_EACH; attempt++) {
        text = draw(attempt === 0 && way === 0 ? stream : stream.child(RETRY + way * ATTEMPTS_EACH + attempt))
        if (fits(text)) return text
      }
    }
    return bounds === undefined ? text : fitLength(text, bounds, stream)
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('')

// Cuts at the end; what is too short grows at the front, where the formats that allow growth take letters.
function fitLength(text: string, { least, most }: Bounds, stream: Stream): string {
  let points = Array.from(text)
  if (points.length > most) points = Array.from(points.slice(0, most).join('').trimEnd().padEnd(most, 'a'))
  const padding = Array.from({ length: Math.max(0, least - points.length) }, () => stream.pick(LETTERS))
  return [...padding, ...points].join('')
}
