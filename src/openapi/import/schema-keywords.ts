import { fakerProblemOf } from '../../engine/links/from-faker.ts'
import { regExp } from '../../engine/schema/match-pattern.ts'
import { SUBSCHEMAS } from '../../engine/schema/keywords.ts'
import { isObject, LINK } from '../../engine/schema/schema.ts'

/** What a keyword of a schema holds. */
export interface Keyword {
  /** `one` schema, a list of `many`, several `named` ones, or `plain` data. */
  readonly holds: 'one' | 'many' | 'named' | 'plain'
  /** Says what the value must be, or nothing when it is that. */
  check(value: unknown): string | undefined
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

function keyword(holds: Keyword['holds'], fits: (value: unknown) => boolean, wanted: string): Keyword {
  return { holds, check: (value) => (fits(value) ? undefined : wanted) }
}
const isSchema = (value: unknown): boolean => isObject(value) || typeof value === 'boolean'
const isText = (value: unknown): boolean => typeof value === 'string'
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isType = (value: unknown): boolean => typeof value === 'string' && TYPES.has(value)

const one = keyword('one', isSchema, 'a schema')
const many = keyword('many', (value) => Array.isArray(value) && value.length > 0, 'a list of schemas')
const named = keyword('named', isObject, 'schemas by name')
const any: Keyword = { holds: 'plain', check: () => undefined }
const text = keyword('plain', isText, 'a text')
const flag = keyword('plain', (value) => typeof value === 'boolean', 'true or false')
const number = keyword('plain', isNumber, 'a number')
const count = keyword('plain', isCount, 'a whole number, 0 or more')
const bound = keyword('plain', (value) => isNumber(value) || typeof value === 'boolean', 'a number')
const names = keyword('plain', isTexts, 'a list of texts')
const list = keyword('plain', (value) => Array.isArray(value) && value.length > 0, 'a list of values')
const object = keyword('plain', isObject, 'an object')

/** The keyword of other mock servers that names a function of faker. */
export const FAKER = 'x-faker'

const HOLDING = { one, list: many, named }

/** The keywords that a model is made of: those of JSON Schema 2020-12 and of OpenAPI's older dialects. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  [
    'type',
    keyword('plain', (value) => isType(value) || (Array.isArray(value) && value.every(isType)), TYPE_NAMES()),
  ],
  ...[...SUBSCHEMAS]
    .filter(([name]) => name !== 'dependencies')
    .map(([name, held]) => [name, HOLDING[held]] as const),
  ['items', keyword('one', (value) => isSchema(value) || Array.isArray(value), 'a schema')],
  ...['minimum', 'maximum'].map(entry(number)),
  ...['exclusiveMinimum', 'exclusiveMaximum'].map(entry(bound)),
  ['multipleOf', keyword('plain', (value) => isNumber(value) && (value as number) > 0, 'a number above 0')],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(entry(count)),
  ...['minContains', 'maxContains'].map(entry(count)),
  [
    'pattern',
    { holds: 'plain', check: (value) => (typeof value === 'string' ? findPatternProblem(value) : 'a text') },
  ],
  ['required', names],
  ['enum', list],
  ...['const', 'default', 'example'].map(entry(any)),
  ['examples', keyword('plain', (value) => Array.isArray(value) || isObject(value), 'a list of values')],
  ...['format', 'title', 'description', 'contentEncoding', 'contentMediaType', '$comment'].map(entry(text)),
  ...['nullable', 'readOnly', 'writeOnly', 'uniqueItems', 'deprecated'].map(entry(flag)),
  ...['dependentRequired', 'discriminator', 'xml', LINK].map(entry(object)),
  [FAKER, { holds: 'plain', check: findFakerMistake }],
])

function entry(kind: Keyword): (name: string) => [string, Keyword] {
  return (name) => [name, kind]
}

function TYPE_NAMES(): string {
  return `one of ${[...TYPES].join(', ')}, or a list of them`
}

function findPatternProblem(pattern: string): string | undefined {
  try {
    regExp(pattern)
    return undefined
  } catch {
    return 'a regular expression of ECMA-262'
  }
}

function findFakerMistake(value: unknown): string | undefined {
  const problem = fakerProblemOf(value)
  return problem && `a function of faker (${problem})`
}
