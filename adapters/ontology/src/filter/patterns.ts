import { RE2JS, RE2JSException } from 're2js'
import { invalidArgument } from '../errors.ts'
import { type Operator, someValue, textField, textOperand } from './operator.ts'

/** What is wrong with a regular expression. */
export class PatternInvalid extends Error {
  override readonly name = 'PatternInvalid'
}

const REPEATS = /^(?:[?+*]|\{\d+(?:,\d*)?\})/

/**
 * A pattern in the notation of RE2. In patterns `^` and `$` are letters, quotes take what is between them
 * literally, and what repeats can be repeated.
 */
const translate = (pattern: string): string => {
  const characters = Array.from(pattern)
  let at = 0

  const next = (): string => {
    const character = characters[at++]
    if (character === undefined) throw new PatternInvalid('the pattern ends too early')
    return character
  }
  const letter = (character: string): string => (character === '-' ? '\\-' : RE2JS.quote(character))
  const escaped = (character: string): string =>
    'dDsSwW'.includes(character) ? `\\${character}` : letter(character)

  const bracket = (): string => {
    const isNegated = characters[at] === '^'
    if (isNegated) at++
    let members = ''
    while (characters[at] !== ']' || members === '') {
      const first = next()
      const isRange = first !== '-' && characters[at] === '-' && characters[at + 1] !== ']'
      if (first === '\\') members += escaped(next())
      else if (!isRange || characters[at + 1] === undefined) members += letter(first)
      else {
        at++
        members += `${letter(first)}-${letter(next())}`
      }
    }
    at++
    return `[${isNegated ? '^' : ''}${members}]`
  }
  const quoted = (): string => {
    let text = ''
    for (let character = next(); character !== '"'; character = next()) text += character
    return RE2JS.quote(text)
  }
  const group = (): string => {
    const inner = sequence()
    if (next() !== ')') throw new PatternInvalid('a group is not closed')
    return inner
  }
  const atom = (): string => {
    const character = next()
    if (character === '.') return '.'
    if (character === '(') return group()
    if (character === '[') return bracket()
    if (character === '"') return quoted()
    if (character === '\\') return escaped(next())
    if ('?+*{'.includes(character)) throw new PatternInvalid(`nothing stands before "${character}"`)
    return letter(character)
  }
  const repeated = (): string => {
    let part = `(?:${atom()})`
    for (;;) {
      const [sign] = REPEATS.exec(characters.slice(at, at + 12).join('')) ?? []
      if (sign === undefined) return part
      at += sign.length
      part = `(?:${part}${sign})`
    }
  }
  const sequence = (): string => {
    let parts = ''
    while (at < characters.length && characters[at] !== ')')
      parts += characters[at] === '|' ? next() : repeated()
    return parts
  }
  const whole = sequence()
  if (at < characters.length) throw new PatternInvalid('a group is closed that was not opened')
  return whole
}

type Test = (text: string) => boolean

const compile = (source: string): Test => {
  try {
    const expression = RE2JS.compile(source, RE2JS.DOTALL)
    return (text) => expression.matches(text)
  } catch (error) {
    if (error instanceof RE2JSException) throw new PatternInvalid(error.message, { cause: error })
    throw error
  }
}

/** A test by a regular expression, which must fit the whole text; its work grows with the text's length alone. */
export const createRegex = (pattern: string): Test => compile(translate(pattern))

/** A test by a pattern in which `*` stands for any characters and `?` for one. Letters match in either case. */
export const createWildcard = (pattern: string): Test => {
  const parts = Array.from(pattern.toLowerCase(), (sign) =>
    sign === '*' ? '.*' : sign === '?' ? '.' : RE2JS.quote(sign),
  )
  const test = compile(parts.join(''))
  return (text) => test(text.toLowerCase())
}

const byPattern =
  (create: (pattern: string) => Test): Operator =>
  (clause, context) => {
    const field = textField(clause, context)
    try {
      const test = create(textOperand(clause, field))
      return someValue(field, (value) => test(String(value)))
    } catch (error) {
      if (!(error instanceof PatternInvalid)) throw error
      throw invalidArgument(`the regular expression is malformed: ${error.message}`)
    }
  }

/** The clauses that hold the whole text against a pattern. */
export const PATTERNS: Readonly<Record<string, Operator>> = {
  wildcard: byPattern(createWildcard),
  regex: byPattern(createRegex),
}
