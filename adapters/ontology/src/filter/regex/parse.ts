/** A test of one character. */
export type CharacterTest = (character: string) => boolean

/** The parts a pattern is made of. */
export type Node =
  | { readonly kind: 'one'; readonly test: CharacterTest }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'either'; readonly choices: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly least: number; readonly most: number }

/** What is wrong with a pattern. */
export class PatternInvalid extends Error {
  override readonly name = 'PatternInvalid'
}

const MOST_REPEATS = 1000

const CLASSES: Readonly<Record<string, RegExp>> = {
  d: /\d/,
  D: /\D/,
  s: /\s/,
  S: /\S/,
  w: /\w/,
  W: /\W/,
}

const literal = (wanted: string): Node => ({ kind: 'one', test: (character) => character === wanted })

/** Reads a pattern. `^` and `$` are ordinary characters: a pattern fits the whole text anyway. */
export const parsePattern = (pattern: string): Node => {
  const characters = Array.from(pattern)
  let at = 0

  const fail = (reason: string): never => {
    throw new PatternInvalid(`${reason} at character ${at + 1}`)
  }
  const next = (): string => characters[at++] ?? fail('the pattern ends too early')

  const escaped = (): CharacterTest => {
    const character = next()
    const group = CLASSES[character]
    return group === undefined ? (given) => given === character : (given) => group.test(given)
  }

  const bracket = (): Node => {
    const isNegated = characters[at] === '^'
    if (isNegated) at++
    const tests: CharacterTest[] = []
    while (characters[at] !== ']' || tests.length === 0) {
      const first = next()
      if (first === '\\') {
        tests.push(escaped())
        continue
      }
      const isRange = characters[at] === '-' && characters[at + 1] !== undefined && characters[at + 1] !== ']'
      if (!isRange || first === '-') tests.push((given) => given === first)
      else {
        at++
        const last = next()
        if (last < first) fail('a range goes backwards')
        tests.push((given) => given >= first && given <= last)
      }
    }
    at++
    return { kind: 'one', test: (given) => tests.some((test) => test(given)) !== isNegated }
  }

  const quoted = (): Node => {
    const parts: Node[] = []
    for (let character = next(); character !== '"'; character = next()) parts.push(literal(character))
    return { kind: 'sequence', parts }
  }

  const group = (): Node => {
    const inner = either()
    if (characters[at] !== ')') fail('a group is not closed')
    at++
    return inner
  }

  const atom = (): Node => {
    const character = next()
    if (character === '.') return { kind: 'one', test: () => true }
    if (character === '(') return group()
    if (character === '[') return bracket()
    if (character === '"') return quoted()
    if (character === '\\') return { kind: 'one', test: escaped() }
    if ('?+*{'.includes(character)) fail(`nothing stands before "${character}"`)
    return literal(character)
  }

  const bounds = (): readonly [number, number] => {
    const rest = characters.slice(at).join('')
    const found = /^(\d+)(,(\d*))?\}/.exec(rest)
    if (found === null) return fail('a repetition is written {n}, {n,} or {n,m}')
    at += found[0].length
    const least = Number(found[1])
    const most = found[2] === undefined ? least : found[3] === '' ? Infinity : Number(found[3])
    if (most < least || least > MOST_REPEATS || (most !== Infinity && most > MOST_REPEATS)) {
      fail(`a repetition counts upwards, to ${MOST_REPEATS} at most`)
    }
    return [least, most]
  }

  const repeated = (): Node => {
    let part = atom()
    for (;;) {
      const sign = characters[at]
      if (sign === undefined || !'?+*{'.includes(sign)) return part
      at++
      const [least, most] =
        sign === '?' ? [0, 1] : sign === '+' ? [1, Infinity] : sign === '*' ? [0, Infinity] : bounds()
      part = { kind: 'repeat', part, least, most }
    }
  }

  const sequence = (): Node => {
    const parts: Node[] = []
    while (at < characters.length && characters[at] !== '|' && characters[at] !== ')') parts.push(repeated())
    return { kind: 'sequence', parts }
  }

  const either = (): Node => {
    const choices = [sequence()]
    while (characters[at] === '|') {
      at++
      choices.push(sequence())
    }
    return { kind: 'either', choices }
  }

  const whole = either()
  if (at < characters.length) fail('a group is closed that was not opened')
  return whole
}
