import type { FormatName } from 'ajv-formats'
import { formats } from './create-ajv.ts'
import type { Compiler } from './generate.ts'
import { numberOf, textOf } from './keywords.ts'
import { compileMatch } from './match-pattern.ts'
import { isOfType, typesOf, type Schema } from './schema.ts'

/**
 * Tests values without parts, such as texts and numbers. Most schemas of these say little, and a validator for each
 * would take longer to compile than all else; what says more is left to one.
 */
export function createPlainTest(
  schema: Schema,
  { fold, checker }: Pick<Compiler, 'fold' | 'checker'>,
): (value: unknown) => boolean {
  const folded = fold(schema)
  if (typeof folded === 'boolean') return () => folded
  if (!Object.keys(folded).every((keyword) => SIMPLE.has(keyword) || SILENT.has(keyword)))
    return (value) => checker.fits(value, schema)
  const types = typesOf(folded)
  const isWithin = createRangeTest(folded)
  const isText = createTextTest(folded)
  const allowed = Array.isArray(folded['enum']) ? new Set<unknown>(folded['enum']) : undefined
  return (value) =>
    (types.length === 0 || types.some((type) => isOfType(value, type))) &&
    (allowed === undefined || allowed.has(value)) &&
    (typeof value !== 'number' || isWithin(value)) &&
    (typeof value !== 'string' || isText(value))
}

const SIMPLE = new Set([
  ...['type', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
  ...['pattern', 'format', 'properties', 'required', 'items', 'minItems', 'maxItems', 'additionalProperties'],
])
const SILENT = new Set([
  ...[
    'title',
    'description',
    'default',
    'examples',
    'readOnly',
    'writeOnly',
    'xml',
    'x-sim-said',
    'x-sim-link',
  ],
  ...['contentEncoding', 'contentMediaType', '$defs', 'uniqueItems', 'deprecated'],
])

function createRangeTest(schema: Schema): (value: number) => boolean {
  const least = numberOf(schema, 'minimum') ?? -Infinity
  const most = numberOf(schema, 'maximum') ?? Infinity
  const above = numberOf(schema, 'exclusiveMinimum') ?? -Infinity
  const below = numberOf(schema, 'exclusiveMaximum') ?? Infinity
  const fitsFormat = numberFormat(textOf(schema, 'format'))
  return (value) =>
    value >= least && value <= most && value > above && value < below && (fitsFormat?.(value) ?? true)
}

function numberFormat(name = ''): ((value: number) => boolean) | undefined {
  const format = formatOf(name)
  return isOfNumbers(format) ? (format as unknown as NumberFormat).validate : undefined
}

function createTextTest(schema: Schema): (value: string) => boolean {
  const least = numberOf(schema, 'minLength') ?? 0
  const most = numberOf(schema, 'maxLength') ?? Infinity
  const pattern = textOf(schema, 'pattern')
  const format = formatOf(textOf(schema, 'format') ?? '')
  const isBounded = least > 0 || most < Infinity
  const hasLength = (text: string): boolean => {
    const { length } = isBounded ? Array.from(text) : text
    return length >= least && length <= most
  }
  return (text) =>
    hasLength(text) &&
    (pattern === undefined || compileMatch(pattern).match(text) !== false) &&
    (format === undefined || isOfFormat(text, format))
}

function isOfFormat(text: string, format: Format): boolean {
  if (format === true || isOfNumbers(format)) return true
  const test = typeof format === 'object' && !(format instanceof RegExp) ? format.validate : format
  return test instanceof RegExp ? test.test(text) : (test?.(text) ?? true)
}

interface NumberFormat {
  readonly validate: (value: number) => boolean
}
type Test = RegExp | ((text: string) => boolean)
type Format = true | Test | { readonly type?: string; readonly validate?: Test }

function isOfNumbers(format: Format | undefined): boolean {
  return typeof format === 'object' && 'type' in format && format.type === 'number'
}

/** A format as the validator has it, which takes texts of others as they are. */
function formatOf(name: string): Format | undefined {
  if (name === '') return undefined
  try {
    return formats().default.get(name as FormatName) as Format
  } catch {
    return undefined
  }
}
