import { OWN_VALUE, placeIn } from './condition.ts'

/** What a value must be in place of what is given as conditions; `undefined` when it is that. */
export function findWhenProblem(value: unknown): string | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (list.length === 0) return CONDITION_FORM
  return list.map(findConditionProblem).find((problem) => problem !== undefined)
}

function findConditionProblem(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return CONDITION_FORM
  const place = placeIn(value)
  if (place === undefined) return CONDITION_FORM
  const { equals } = value as { readonly equals?: unknown }
  const name = (value as Readonly<Record<string, unknown>>)[place]
  if (typeof name !== 'string' || (name === '' && place !== 'pointer'))
    return `a condition whose ${place} is a text`
  const others = Object.keys(value).filter((key) => key !== place && key !== 'equals')
  if (others.length > 0)
    return `a condition of one place, and a list of those that must hold together; this one has ${[place, ...others].join(' and ')}`
  if (place === 'pointer' && name !== '' && !name.startsWith('/'))
    return "a condition whose pointer begins with '/'"
  if (place === 'element' && !/^(\/[^/*]+)*\/([^/*]+|\*)$/.test(name))
    return "a condition whose element is a path such as '/Envelope/Body/*'"
  if (OWN_VALUE.includes(place))
    return 'equals' in value ? `a condition whose ${place} is the value itself, without equals` : undefined
  return equals !== null && typeof equals === 'object'
    ? 'a condition whose equals is a text, a number, true, false or null'
    : undefined
}

/** What a condition looks like, for messages. */
const CONDITION_FORM =
  'a condition such as { header: X-Amz-Target, equals: List }, or a list of those that must hold together'
