import type { CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { RefusalForm, Service } from './service.ts'

/** Why a request is refused. */
export type Reason = keyof typeof USUAL

const USUAL = {
  resource: { status: 404, message: 'There is no resource {path}' },
  entity: { status: 404, message: 'There is no entity {set}{predicate}' },
  exists: { status: 409, message: 'There is an entity {set}{predicate} already' },
  option: { status: 400, message: 'The value of {option} cannot be read' },
  name: { status: 400, message: 'There is no property {property}' },
  body: { status: 400, message: 'The body cannot be read' },
  required: { status: 400, message: 'The property {property} is missing' },
  unknown: { status: 400, message: 'There is no property {property}' },
  type: { status: 400, message: 'The value of {property} is of another type' },
  changed: { status: 412, message: 'The entity {set}{predicate} has changed' },
  unconditional: { status: 428, message: 'The request needs an If-Match' },
  method: { status: 405, message: 'The method {method} is not allowed' },
} as const

/** A request that the service refuses. */
export class Refusal extends Error {
  readonly reason: Reason
  readonly values: Readonly<Record<string, string>>

  constructor(reason: Reason, values: Readonly<Record<string, string>> = {}) {
    super(reason)
    this.reason = reason
    this.values = values
  }
}

/** What is answered to a refused request. */
export function refused(
  { reason, values }: Refusal,
  { refusals, style }: Pick<Service, 'refusals' | 'style'>,
): CallOutcome {
  const { status, message } = USUAL[reason]
  const form = refusals[reason] ?? { status, body: { error: { code: String(status), message } } }
  return {
    status: form.status,
    error: filled(form.body, values),
    headers: { 'content-type': 'application/json', ...style.headers[''], ...form.headers },
    reason: { template: reason, values },
  }
}

/** The answer to a refused request with `{…}` in place of what was refused. */
export function refusalForm(
  { status = 400, error, headers = {} }: CallOutcome,
  values: Readonly<Record<string, string>>,
): RefusalForm {
  const longest = Object.entries(values)
    .filter(([, value]) => value !== '')
    .toSorted(([, a], [, b]) => b.length - a.length)
  const open = (text: string): string =>
    longest.reduce((found, [name, value]) => replaceWord(found, value, `{${name}}`), text)
  return { status, body: changeTexts(error, open), headers }
}

function filled(body: unknown, values: Readonly<Record<string, string>>): unknown {
  return changeTexts(body, (text) =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
  )
}

function replaceWord(text: string, word: string, other: string): string {
  return text
    .split(word)
    .reduce((before, after) =>
      /[A-Za-z\d]$/.test(before) || /^[A-Za-z\d]/.test(after) || /\{\w*$/.test(before)
        ? `${before}${word}${after}`
        : `${before}${other}${after}`,
    )
}

function changeTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => changeTexts(each, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changeTexts(part, change)]))
}
