import { isJson, type Json } from './json.ts'

/** The keywords of a schema whose value is what it must be, which many descriptions get wrong: others say nothing. */
export function wellFormed(schema: Json): Json {
  const entries = Object.entries(schema).filter(
    ([word, value]) => KEPT.test(word) || FORMS.get(word)?.(value) === true,
  )
  return Object.fromEntries(
    entries.map(([word, value]) => [word, word === 'pattern' ? withoutSlashes(String(value)) : value]),
  )
}

// No text fits `/^a$/`, since nothing lies before its beginning; that its author writes patterns of JavaScript is clear.
function withoutSlashes(pattern: string): string {
  const [, own, flags = ''] = /^(?:\.\*)?\/(\^.*\$)\/(?:\.\*|([gimu]*))$/s.exec(pattern) ?? []
  return own === undefined ? pattern : flags.includes('i') ? caseless(own) : own
}

// Letters in both cases; these patterns have no more than ranges, classes and single letters.
function caseless(pattern: string): string {
  const classes = pattern.split(/(\[[^\]]*\])/)
  return classes
    .map((part, index) => {
      if (index % 2 === 1)
        return part.replaceAll(/[a-zA-Z]-[a-zA-Z]|\\.|[a-zA-Z]/g, (each) =>
          each.startsWith('\\') ? each : each.toLowerCase() + each.toUpperCase(),
        )
      return part.replaceAll(/\\.|[a-zA-Z]/g, (each) =>
        each.startsWith('\\') ? each : `[${each.toLowerCase()}${each.toUpperCase()}]`,
      )
    })
    .join('')
}

type Form = (value: unknown) => boolean
const isSchema: Form = (value) => isJson(value) || typeof value === 'boolean'
const isCount: Form = (value) => Number.isInteger(value) && Number(value) >= 0
const isNumber: Form = (value) => typeof value === 'number'
const isText: Form = (value) => typeof value === 'string'
const isFlag: Form = (value) => typeof value === 'boolean'
const isTexts: Form = (value) => Array.isArray(value) && value.every(isText)
const isSchemas: Form = (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema)
const TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'file'])
const isType: Form = (value) =>
  Array.isArray(value) ? value.every((each) => TYPES.has(each)) : TYPES.has(value)

const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['type', isType],
  ['required', isTexts],
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', (value) => isNumber(value) || isFlag(value)],
  ['exclusiveMaximum', (value) => isNumber(value) || isFlag(value)],
  ['multipleOf', (value) => isNumber(value) && Number(value) > 0],
  ['pattern', (value) => isText(value) && isPattern(String(value))],
  ['format', isText],
  ['uniqueItems', isFlag],
  ['items', (value) => isSchema(value) || isSchemas(value)],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (word): [string, Form] => [word, isCount],
  ),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((word): [string, Form] => [word, isSchemas]),
  ...['not', 'if', 'then', 'else', 'contains', 'additionalProperties', 'propertyNames'].map(
    (word): [string, Form] => [word, isSchema],
  ),
  ...['properties', 'patternProperties', 'dependentSchemas'].map((word): [string, Form] => [word, isJson]),
])

// Keywords of any form. What else stands in a schema are notes and extensions, which some validators look into.
const KEPT =
  /^(const|default|example|examples|nullable|x-nullable|readOnly|writeOnly|discriminator|dependentRequired|minContains|maxContains|unevaluated\w+|collectionFormat|xml|externalDocs|\$comment|title|description)$/

function isPattern(text: string): boolean {
  try {
    regExp(text)
    return true
  } catch {
    return false
  }
}

/** A pattern with the flag `u`, as JSON Schema has it, or without, as many descriptions do. @throws SyntaxError */
export function regExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}

/** A schema for who knows only expressions with the flag `u`: the patterns that have no such form are left out. */
export function withUnicodePatterns<Part>(schema: Part): Part {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'pattern' && typeof value === 'string') return unicodePattern(value)
    if (key !== 'patternProperties' || !isJson(value)) return value
    const entries = Object.entries(value).map(([pattern, part]) => [unicodePattern(pattern), part] as const)
    return Object.fromEntries(entries.filter(([pattern]) => pattern !== undefined))
  })
  return JSON.parse(text) as Part
}

// Many escape what needs no escape.
function unicodePattern(pattern: string): string | undefined {
  for (const form of [pattern, unescaped(pattern)]) {
    try {
      return new RegExp(form, 'u').source === '' ? undefined : form
    } catch {
      continue
    }
  }
  return undefined
}

// Within a class a dash stays escaped; beyond one it stands for itself.
function unescaped(pattern: string): string {
  let inClass = false
  return pattern.replaceAll(/\\.|[[\]]/gs, (token) => {
    if (token === '[') inClass = true
    else if (token === ']') inClass = false
    if (token === '\\-') return inClass ? token : '-'
    return /^\\[^\w\s^$\\.*+?()[\]{}|/]$|^\\_$/.test(token) ? token.slice(1) : token
  })
}
