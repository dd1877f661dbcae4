import { LINK, propertiesOf, isObject, type Schema } from '../../engine/schema/schema.ts'
import { memberAt } from '../../engine/schema/member.ts'
import type { InferredRoute } from './infer-route.ts'
import { idIn, type ItemPlace } from './item-place.ts'
import { attachLinks, changePart } from './model-fields.ts'
import { type Sample, valuesInPath } from './sample.ts'
import { computedPart, findTemplate, type Template } from './templates.ts'

/** So many different values are not repeated by chance, or one that is long and no plain word. */
const MIN_VALUES = 2
const LONG = /^(?=.*\d)[\w-]{8,}$/
const MAX_DEPTH = 4

/** A model whose texts repeat parts of the request's path, such as its own address, where all answers did. */
export function withComposed(model: Schema, { path, samples, status }: InferredRoute): Schema {
  const answered = samples.filter((sample) => sample.status === status && isObject(sample.response))
  const rows = answered.map((sample) => ({ sample, beside: valuesInPath(path, sample) }))
  const fields = textsIn(answered[0]?.response, [])
  const links = fields.flatMap((field) => {
    const values = rows.flatMap(({ sample, beside }) => {
      const value = ownText(memberAt(sample.response, field), sample)
      return value === undefined ? [] : [{ value, beside }]
    })
    const template = findTemplate(values)
    if (template === undefined || !isSure(template, values)) return []
    const { [LINK]: link } = computedPart(template, {}, template.fields)
    return [{ field: field.join('.'), link: link as Readonly<Record<string, unknown>> }]
  })
  return attachLinks(model, links)
}

/** The model of an answer around an item, whose texts repeat the item's id where all answers did. */
export function withEnvelope(model: Schema, { samples, status }: InferredRoute, place: ItemPlace): Schema {
  const [holder, ...deeper] = place.answer
  if (holder === undefined || deeper.length > 0) return model
  const name = [holder, ...place.id].join('.')
  const rows = samples.flatMap((sample) => {
    const { response } = sample
    const id = sample.status === status && isObject(response) ? idIn(response[holder], place) : undefined
    return id === undefined ? [] : [{ sample, response: response as Readonly<Record<string, unknown>>, id }]
  })
  return propertiesOf(model).reduce((linked, [member]) => {
    if (member === holder) return linked
    const values = rows.flatMap(({ sample, response, id }) => {
      const value = ownText(response[member], sample)
      return value === undefined ? [] : [{ value, beside: { [name]: id } }]
    })
    const template = findTemplate(values)
    if (template === undefined || !isSure(template, values)) return linked
    return changePart(linked, [member], (part) => computedPart({ ...template, fields: [holder] }, part))
  }, model)
}

function isSure(
  { fields }: Template,
  values: readonly { readonly beside: Readonly<Record<string, string>> }[],
): boolean {
  return fields.every((name) => {
    const seen = new Set(values.map(({ beside }) => beside[name] ?? ''))
    return seen.size >= MIN_VALUES || [...seen].every((value) => LONG.test(value))
  })
}

// The address that was requested may have its query, too, which is none of what it is about.
function ownText(value: unknown, sample: Sample): unknown {
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, ownText(part, sample)]))
  if (typeof value !== 'string' || Object.keys(sample.query).length === 0) return value
  return /^(?:\w+:\/)?\//.test(value) ? value.replace(/\?.*$/s, '') : value
}

function textsIn(value: unknown, above: readonly string[]): readonly (readonly string[])[] {
  if (typeof value === 'string') return [above]
  if (!isObject(value) || above.length >= MAX_DEPTH) return []
  return Object.entries(value).flatMap(([name, part]) => textsIn(part, [...above, name]))
}
