import { isDeepStrictEqual } from 'node:util'
import type { ErrorCase } from '../../engine/error-case.ts'
import { checkSchema, createChecker } from '../../engine/schema/checker.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { placeBelow, type DataPlace } from './data-place.ts'
import { isOfForm, readItems, type Check, type Form } from './read-entries.ts'
import { anything, statusFrom } from './read-scenario.ts'

const text: Check = (value) => (typeof value === 'string' ? undefined : 'the name of an input field')
const status: Check = (value) =>
  statusFrom(200)(value) ??
  (value === 422 ? 'any status but 422, which is kept for invalid input' : undefined)
const schema: Check = (value) => (isObject(value) ? undefined : 'a JSON Schema')

const CASE: Form = { required: { when: anything, status }, optional: { detail: anything, body: anything } }
const EQUALS: Form = { required: { field: text, equals: anything }, optional: {} }
const FITS: Form = { required: { fits: schema }, optional: {} }

type Predicate = ErrorCase['when']

/**
 * Reads mapped errors: `[{ when: { field: name, equals: nobody }, status: 404, detail: … }]`. In place of one field's
 * value, `when: { fits: <JSON Schema> }` is true of an input that fits it.
 */
export function readErrorCases(value: unknown, place: DataPlace): readonly ErrorCase[] | undefined {
  return readItems(value, place, (each, at) => {
    const isCase = isOfForm(each, CASE, at)
    const when =
      isObject(each) && 'when' in each ? readPredicate(each['when'], placeBelow(at, 'when')) : undefined
    return isCase && when !== undefined ? ({ ...each, when } as unknown as ErrorCase) : undefined
  })
}

function readPredicate(value: unknown, place: DataPlace): Predicate | undefined {
  if (isObject(value) && 'fits' in value)
    return isOfForm(value, FITS, place) ? readFits(value, place) : undefined
  if (!isOfForm(value, EQUALS, place)) return undefined
  const { field, equals } = value as { field: string; equals: unknown }
  return (input: Readonly<Record<string, unknown>>) =>
    Object.hasOwn(input, field) && isSame(input[field], equals)
}

// Path parameters without a model are texts: 7 in a file is the 7 of a path.
function isSame(value: unknown, wanted: unknown): boolean {
  return isDeepStrictEqual(value, wanted) || (typeof wanted === 'number' && String(wanted) === value)
}

function readFits({ fits }: Record<string, unknown>, place: DataPlace): Predicate | undefined {
  const model = fits as Record<string, unknown>
  const [violation] = checkSchema(model)
  if (violation !== undefined) {
    place.tell(['fits', ...violation.path.map(String)], violation.message)
    return undefined
  }
  const checker = createChecker(model)
  return (input: unknown) => checker.fits(input)
}
