import { isObject, type SchemaOrBoolean, typesOf } from '../engine/schema/schema.ts'

/** What a change does to clients: `breaking` fails those that relied on the old, a `warning` may, `additive` does not. */
export type Severity = (typeof SEVERITIES)[number]

/** From the least to the worst. */
export const SEVERITIES = ['additive', 'warning', 'breaking'] as const

/** How an exchange differs from what is known of its route, and how bad that is. */
const SEVERITY_OF = {
  'field added': 'additive',
  'field removed': 'breaking',
  'type changed': 'breaking',
  'newly null': 'breaking',
  'new enum value': 'warning',
  'constraint broken': 'warning',
  'value changed': 'warning',
  'status not declared': 'breaking',
  'status changed': 'breaking',
  'content type changed': 'breaking',
  'header added': 'additive',
  'header removed': 'warning',
  'header changed': 'warning',
  'path not declared': 'warning',
} as const

export type Change = keyof typeof SEVERITY_OF

/** Where in an exchange: the last two are parts of the request, `header` and `body` of the answer. */
type Part = 'path' | 'status' | 'header' | 'body' | 'query' | 'request-body'

/** One difference. */
export interface Finding {
  readonly change: Change
  readonly severity: Severity
  readonly part: Part
  /**
   * JSON pointer (RFC 6901) into the part: fields of a body, names of headers and of the query. `-` stands for any item
   * of a list, `*` for any entry of a map. Empty for the whole.
   */
  readonly pointer: string
  readonly expected: string
  readonly actual: string
}

/** A finding in a body, with the severity of its change. */
export function finding(
  change: Change,
  pointer: string,
  expected: string,
  actual: string,
  part: Part = 'body',
): Finding {
  return { change, severity: SEVERITY_OF[change], part, pointer, expected, actual }
}

/** A finding of a body as one of a request: what clients send otherwise, and was accepted, breaks none of them. */
export function inRequest(found: Finding, part: 'query' | 'request-body'): Finding {
  return { ...found, part, severity: found.severity === 'breaking' ? 'warning' : found.severity }
}

/** Whether one severity is as bad as another, or worse. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least)
}

const WEIGHTS = { breaking: 100, warning: 10, additive: 1 }
/** A constant, such as that of a discriminator, distinguishes forms better than their fields do. */
const OF_ANOTHER_KIND = 10_000

/**
 * Of what differs from each of several forms, that of the form that was meant: one of the same type, and among those
 * the one that differs least.
 */
export function nearestForm(
  all: readonly (readonly Finding[])[],
  value: unknown,
  pointer: string,
): readonly Finding[] {
  const isOther = (found: readonly Finding[]): boolean =>
    found.some((each) => each.pointer === pointer && isOfType(each))
  if (value === null && all.every(isOther)) return [finding('newly null', pointer, 'a value', 'null')]
  const alike = all.filter((found) => !isOther(found))
  const candidates = (alike.length > 0 ? alike : all).toSorted((a, b) => weightOf(a) - weightOf(b))
  const [nearest = []] = candidates
  // Of a form that nobody knows, nothing else is known either.
  const unknown = nearest.filter(isConstant)
  return unknown.length > 0 ? unknown : nearest
}

function isOfType({ change }: Finding): boolean {
  return change === 'type changed' || change === 'newly null'
}

function weightOf(findings: readonly Finding[]): number {
  const weights = findings.map((found) => (isConstant(found) ? OF_ANOTHER_KIND : WEIGHTS[found.severity]))
  return weights.reduce((sum, weight) => sum + weight, 0)
}

function isConstant({ change, expected }: Finding): boolean {
  return change === 'new enum value' && !expected.includes(', ')
}

const MAX_VALUES = 8

/** The type of a value, as JSON Schema calls it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

/** What a schema is about, in a word or two. */
export function nameOfSchema(schema: SchemaOrBoolean | undefined): string {
  return (isObject(schema) && typesOf(schema).join(' or ')) || 'a value'
}

/** Some values as JSON. */
export function shownAll(values: readonly unknown[]): string {
  return values.slice(0, MAX_VALUES).map(shown).join(', ') + (values.length > MAX_VALUES ? ', …' : '')
}

const MAX_LETTERS = 80

/** A value as JSON, cut short. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text
}
