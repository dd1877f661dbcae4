import { isDeepStrictEqual } from 'node:util'
import type { CallModel } from '../../engine/call-model.ts'
import { readFixture } from '../../engine/fixtures/json-fixtures.ts'
import type { KnownAnswer } from '../../engine/known-answer.ts'
import type { ErrorCase, ScenarioStep } from '../../engine/error-case.ts'
import { PageTable } from '../../engine/fixtures/page-table.ts'
import { checkSchema, createChecker } from '../../engine/schema/checker.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { createBodyContent } from '../../http/body-content.ts'
import type { HttpRequest } from '../../message.ts'
import { compileWhen, fitsAll, placeIn, type CompiledCondition } from '../../routing/condition.ts'
import { readWhen } from './read-when.ts'
import { isOfForm, placeBelow, readItems, type Check, type DataPlace, type Form } from './read-entries.ts'

/** Anything, since a detail or body is any JSON value. */
export const anything: Check = () => undefined

/** A check for a status within bounds. */
export function statusFrom(least: number): Check {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= 599
      ? undefined
      : `a status from ${least} to 599`
}

const STEP: Form = { required: { status: statusFrom(200) }, optional: { detail: anything, body: anything } }

/** Reads the steps of a scenario: `[{ status: 503, detail: busy }, { status: 200 }]`. */
export function readScenario(value: unknown, place: DataPlace): readonly ScenarioStep[] | undefined {
  return readItems(value, place, (step, at) =>
    isOfForm(step, STEP, at) ? (step as unknown as ScenarioStep) : undefined,
  )
}

const text: Check = (value) => (typeof value === 'string' ? undefined : 'the name of an input field')
const status: Check = (value) =>
  statusFrom(200)(value) ??
  (value === 422 ? 'any status but 422, which is kept for invalid input' : undefined)
const schema: Check = (value) => (isObject(value) ? undefined : 'a JSON Schema')

const aText: Check = (each) => (typeof each === 'string' ? undefined : 'a text')
const CASE: Form = {
  required: { when: anything, status },
  optional: { detail: anything, body: anything, text: aText, type: aText },
}
const EQUALS: Form = { required: { field: text, equals: anything }, optional: {} }
const FITS: Form = { required: { fits: schema }, optional: {} }

type Predicate = ErrorCase['when']

/**
 * Reads mapped errors: `[{ when: { field: name, equals: nobody }, status: 404, detail: … }]`. In place of one field's
 * value, `when: { fits: <JSON Schema> }` is true of an input that fits it, and the conditions that distinguish routes are
 * true of a request: `when: { header: X-Test, equals: fail }`.
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
  if (Array.isArray(value) || (isObject(value) && placeIn(value) !== undefined)) {
    const when = readWhen(value, place)
    const conditions = when && compileWhen(when)
    return conditions && ((_input: unknown, request: HttpRequest) => fitsRequest(conditions, request))
  }
  if (!isOfForm(value, EQUALS, place)) return undefined
  const { field, equals } = value as { field: string; equals: unknown }
  return (input: Readonly<Record<string, unknown>>) =>
    Object.hasOwn(input, field) && isSame(input[field], equals)
}

function fitsRequest(conditions: readonly CompiledCondition[], request: HttpRequest): boolean {
  const { headers, search, body } = request
  return fitsAll(conditions, { headers, search, content: createBodyContent(body) })
}

// Path parameters without a model are texts: 7 in a file is the 7 of a path.
function isSame(value: unknown, wanted: unknown): boolean {
  return isDeepStrictEqual(value, wanted) || (typeof wanted === 'number' && String(wanted) === value)
}

function readFits({ fits }: Record<string, unknown>, place: DataPlace): Predicate | undefined {
  const model = fits as Record<string, unknown>
  const [violation] = checkSchema(model)
  if (violation !== undefined) {
    place.report(['fits', ...violation.path.map(String)], violation.message)
    return undefined
  }
  const checker = createChecker(model)
  return (input: unknown) => checker.fits(input)
}

const pages: Check = (value) =>
  isObject(value) && Object.values(value).every((page) => Array.isArray(page) && page.every(isObject))
    ? undefined
    : 'lists of objects by page token'
const texts: Check = (value) =>
  isObject(value) && Object.values(value).every((each) => typeof each === 'string')
    ? undefined
    : 'page tokens by page token'

const FORM: Form = { required: { pages }, optional: { next_tokens: texts, token_field: text } }

/** Reads a page table: `{ pages: { '': […], two: […] }, next_tokens: { '': two }, token_field: page_token }`. */
export function readPageTable(value: unknown, place: DataPlace): PageTable | undefined {
  if (!isOfForm(value, FORM, place)) return undefined
  const { pages: rows, next_tokens: nextTokens, token_field: tokenField } = value
  try {
    return new PageTable({ pages: rows, nextTokens, tokenField } as ConstructorParameters<
      typeof PageTable
    >[0])
  } catch (error) {
    place.report([], (error as Error).message.replace('PageTable: ', '').replace('nextTokens', 'next_tokens'))
    return undefined
  }
}

const objects: Check = (value) =>
  isObject(value) && Object.values(value).every(isObject) ? undefined : 'objects by name'
const headers: Check = (each) =>
  isObject(each) && Object.values(each).every((one) => [one].flat().every((item) => typeof item === 'string'))
    ? undefined
    : 'texts by name'
const WRITTEN = { body: anything, text: aText, base64: aText }
const REQUEST: Form = {
  required: { url: aText },
  optional: { method: aText, type: aText, headers, user: anything, stored: anything, ...WRITTEN },
}
const KNOWN: Form = {
  required: { when: anything, status: statusFrom(200) },
  optional: { after: aText, headers, ...WRITTEN },
}

/**
 * Reads answers to single requests: `[{ when: { url: /users?page=2 }, status: 200, body: […] }]`, or `{ path }` of a JSON
 * file that has them.
 */
export function readKnownAnswers(value: unknown, place: DataPlace): readonly KnownAnswer[] | undefined {
  if (!isObject(value) || !('path' in value)) return readItems(value, place, readKnownAnswer)
  if (!isOfForm(value, { required: { path: aText }, optional: {} }, place)) return undefined
  const { path } = value as { path: string }
  const given = place.answers?.get(path)
  if (given !== undefined) return given
  const found = readFixture({ path, base: place.directory })
  if (!('miss' in found))
    return readItems(found.value, { ...place, report: ofFile(path, place) }, readKnownAnswer)
  place.report(['path'], found.miss)
  return undefined
}

/** Reads what calls do: `{ path }` of a JSON file that has it. */
export function readCallModel(value: unknown, place: DataPlace): CallModel | undefined {
  if (!isOfForm(value, { required: { path: aText }, optional: {} }, place)) return undefined
  const { path } = value as { path: string }
  const found = readFixture({ path, base: place.directory })
  if ('miss' in found) {
    place.report(['path'], found.miss)
    return undefined
  }
  const form: Form = {
    required: { protocol: aText, contentType: aText, types: objects, calls: objects },
    optional: {
      ...{ headers, envelope: anything, omitsEmpty: anything, unknown: anything },
      learned: (each) => (isObject(each) ? undefined : 'an object'),
    },
  }
  return isOfForm(found.value, form, { ...place, report: ofFile(path, place) })
    ? (found.value as unknown as CallModel)
    : undefined
}

function ofFile(path: string, { report }: DataPlace): DataPlace['report'] {
  return (keys, message) => report([], `${path}: ${[...keys, message].join(': ')}`)
}

function readKnownAnswer(value: unknown, place: DataPlace): KnownAnswer | undefined {
  if (!isOfForm(value, KNOWN, place)) return undefined
  return isOfForm(value['when'], REQUEST, placeBelow(place, 'when'))
    ? (value as unknown as KnownAnswer)
    : undefined
}
