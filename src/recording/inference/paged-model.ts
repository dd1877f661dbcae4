import { requiredOf } from '../../engine/schema/keywords.ts'
import { isObject, propertiesOf, type Schema } from '../../engine/schema/schema.ts'
import type { PageField } from '../../collections/paging/page-fields.ts'
import { changePart } from './model-fields.ts'
import type { Paging } from './paging.ts'
import type { Sample } from './sample.ts'

const NEIGHBOURS = new Set(['next', 'previous', 'first', 'last'])
/** How a URL begins that is relative to the server. */
const RELATIVE = /^\/(?!\/)/

/**
 * The model of a paged answer. What speaks of pages is not bounded by the pages that were seen.
 * @param answered shows whether a list that would be empty is left out
 */
export function pagedModel(
  model: Schema,
  { fields, field, parameters, empty, ends, others }: Paging,
  answered: readonly Sample[] = [],
): Schema {
  const lists = answered.flatMap(({ response }) => (isObject(response) ? [response[field ?? '']] : []))
  const leavesOut =
    lists.includes(undefined) && !lists.some((list) => Array.isArray(list) && list.length === 0)
  // Requests that cannot say how long a page is get pages of one length.
  const most =
    parameters.size === undefined && parameters.style !== 'limit' ? { maxItems: parameters.usualSize } : {}
  const list = (part: Schema): Schema => {
    const { minItems: _minItems, ...rest } = part
    return { ...rest, ...(leavesOut && { minItems: 1 }), ...most }
  }
  const opened = fields.reduce(
    (whole, each) =>
      changePart(whole, each.path, (part) => {
        const values = others.get(each)
        return values === undefined ? open(part, each, empty.has(each)) : { ...part, enum: values }
      }),
    changePart(model, field === undefined ? [] : [field], list),
  )
  return [...ends].reduce(
    (whole, { path }) =>
      changePart(whole, path.slice(0, -1), (part) => ({
        ...part,
        required: [...new Set([...requiredOf(part), ...path.slice(-1)])],
      })),
    opened,
  )
}

/** The model of a paged route's input: what a request that does not say gets. */
export function pagedInput(input: Schema | undefined, { parameters, totalBy }: Paging): Schema | undefined {
  const { at, size, style, firstPage, firstOffset, usualSize } = parameters
  const named = [size, at].filter((name) => name !== undefined)
  if (!isObject(input?.['properties']) && named.length === 0) return input
  const given = propertiesOf(input ?? {})
  // Those that answers name were not sent by anyone.
  const unsent = named.filter((name) => !given.some(([each]) => each === name))
  const properties = [...given, ...unsent.map((name) => [name, true] as const)].map(([name, model]) => {
    // Answers may say how many are given at most.
    const { maximum } = isObject(model) ? model : {}
    const most = typeof maximum === 'number' && maximum >= usualSize ? { maximum } : {}
    if (name === size) return [name, { type: 'integer', minimum: 0, ...most, default: usualSize }]
    if (name === totalBy) return [name, { type: 'boolean' }]
    if (name !== at) return [name, model]
    if (style === 'cursor' || style === 'after') return [name, { type: 'string' }]
    const first = style === 'page' ? firstPage : firstOffset
    return [name, { type: 'integer', minimum: first, default: first }]
  })
  const { required: _required, ...rest } = input ?? { type: 'object' }
  const required = requiredOf(input ?? {}).filter((name) => name !== at && name !== size)
  return {
    ...rest,
    properties: Object.fromEntries(properties) as Schema,
    ...(required.length > 0 && { required }),
  }
}

// A neighbour that was left out, or an empty text, where there is none is so again; else it is null.
function open(part: Schema, { fact, required }: PageField, isEmpty: boolean): Schema {
  const { enum: _enum, maximum: _maximum, minLength: _minLength, ...rest } = part
  const seen = [part['const'], part['enum'], part['examples']].flat().filter((each) => each !== undefined)
  const isRelative = seen.length > 0 && seen.every((each) => typeof each === 'string' && RELATIVE.test(each))
  const relative = isRelative ? { pattern: RELATIVE.source } : {}
  if (fact === 'self') {
    const { const: _const, ...own } = rest
    return { ...own, ...relative }
  }
  if (!NEIGHBOURS.has(fact)) return { ...rest, ...(rest['minimum'] !== undefined && { minimum: 0 }) }
  const types = [rest['type']].flat()
  const format = isRelative
    ? { ...relative, format: 'uri-reference' }
    : rest['format'] === 'uri'
      ? { format: 'uri' }
      : {}
  if (!required || isEmpty || rest['anyOf'] !== undefined || types.includes('null'))
    return { ...rest, ...(isRelative && format) }
  return { type: [...(types as string[]), 'null'], ...format }
}
