import { invalidArgument } from '../errors.ts'
import { type Operator, someValue, textField, textOperand } from './operator.ts'
import { createRegex } from './regex/match.ts'
import { PatternInvalid } from './regex/parse.ts'
import { createWildcard } from './wildcard.ts'

const compileRegex = (pattern: string): ((text: string) => boolean) => {
  try {
    return createRegex(pattern)
  } catch (error) {
    if (error instanceof PatternInvalid)
      throw invalidArgument(`the regular expression is malformed: ${error.message}`)
    throw error
  }
}

const byPattern =
  (compile: (pattern: string) => (text: string) => boolean): Operator =>
  (clause, context) => {
    const field = textField(clause, context)
    const test = compile(textOperand(clause, field))
    return someValue(field, (value) => test(String(value)))
  }

/** The clauses that hold the whole text against a pattern. */
export const PATTERNS: Readonly<Record<'wildcard' | 'regex', Operator>> = {
  wildcard: byPattern(createWildcard),
  regex: byPattern(compileRegex),
}
