import randexp from 'randexp'
import type { Stream } from '../random.ts'
import { regExp } from './checker.ts'

/** How long a text may be, in Unicode code points, as JSON Schema counts. */
export interface Bounds {
  readonly least: number
  readonly most: number
}

// The package is CommonJS and its class is the module itself, which its types do not say.
const RandExp = randexp as unknown as typeof randexp.default
const USUAL_REPEATS = 12

/** Draws texts that match an ECMA-262 pattern; not every pattern can be drawn from, so the caller tests them. */
export function compilePattern(pattern: string, { least, most }: Bounds): (stream: Stream) => string {
  const drawing = new RandExp(regExp(spellOutClasses(pattern)).source)
  drawing.max = Math.max(least, Math.min(most, USUAL_REPEATS))
  return (stream) => {
    drawing.randInt = (from, to) => stream.integer(from, to)
    return drawing.gen()
  }
}

// The drawing library does not know Unicode classes; their best known members stand for them.
function spellOutClasses(pattern: string): string {
  return pattern.replace(/\\p\{(\w+)(?:=\w+)?\}/g, (whole, name: string) => CLASSES[name] ?? whole)
}

const CLASSES: Readonly<Record<string, string>> = {
  L: '[A-Za-z]',
  Letter: '[A-Za-z]',
  Alphabetic: '[A-Za-z]',
  Ll: '[a-z]',
  Lu: '[A-Z]',
  N: '\\d',
  Nd: '\\d',
}
