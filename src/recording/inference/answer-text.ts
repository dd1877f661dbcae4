import { isObject } from '../../engine/schema/schema.ts'
import { literalPattern } from '../../routing/path-template.ts'

/** What members of errors are called in problem details, JSON:API and their like. */
const OF_ERRORS = ['type', 'title', 'status', 'detail', 'code', 'message', 'instance', 'source']

/** What an answer says, but for the names of what every error has. */
export function textOfAnswer(response: unknown): string {
  return JSON.stringify(withoutNames(response ?? ''))
}

function withoutNames(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutNames)
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value], at) => [
      isOfError(part, name) ? `_${at}` : name,
      withoutNames(value),
    ]),
  )
}

/** Whether a member is what errors have, which have several of these, and no field that is called so, too. */
export function isOfError(part: Readonly<Record<string, unknown>>, name: string): boolean {
  return OF_ERRORS.includes(name) && OF_ERRORS.filter((each) => Object.hasOwn(part, each)).length > 2
}

/** Whether a member has the status of the answer, though a field may be called so, too. */
export function isStatus(name: string, value: unknown): boolean {
  return /^(status(_?code)?|code)$/i.test(name) && typeof value === 'number' && value >= 400 && value < 600
}

/** Whether a text has the name of a field as a word: alone, as the first of `titleMissing`, or as `Title is missing` begins. */
export function speaksOf(text: string, field: string): boolean {
  const name = literalPattern(field)
  const first = `(?<=^|["'.:>] ?)${literalPattern(field.slice(0, 1).toUpperCase() + field.slice(1))}(?= [a-z])`
  return new RegExp(`((?<![A-Za-z0-9])${name}|${first})(?![a-z0-9])`).test(text)
}
