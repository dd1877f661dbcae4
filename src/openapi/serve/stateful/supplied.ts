import { fieldsOf } from '../../../engine/schema/fields.ts'
import { createResolver, isObject } from '../../../engine/schema/schema.ts'
import type { ItemRequest } from '../../../collections/item-operations.ts'
import type { Item } from '../../../state/store.ts'
import type { Operation } from '../../../engine/operation.ts'

/** The fields that a request's body gives an item. A body that wraps them, as `{ pet: {…} }`, is opened. */
export function suppliedFields(
  { call, input, match }: ItemRequest,
  operation: Operation,
  wrapper: readonly string[],
): Item {
  const sent = isObject(call.body) ? call.body : {}
  const read = valuesOf(sent, input, operation, match.params)
  return unwrapped(read, wrapper)
}

/** As `suppliedFields`, with the defaults of the body's model. */
export function suppliedWithDefaults(
  { call, input, match }: ItemRequest,
  operation: Operation,
  wrapper: readonly string[],
): Item {
  const parameters = parameterNames(operation, match.params)
  const own = Object.entries(input).filter(([name]) => !parameters.has(name))
  const sent = isObject(call.body) ? call.body : {}
  return unwrapped({ ...Object.fromEntries(own), ...valuesOf(sent, input, operation, match.params) }, wrapper)
}

function parameterNames(
  { parameters }: Operation,
  params: Readonly<Record<string, string>>,
): ReadonlySet<string> {
  return new Set([...parameters.map(({ name }) => name), ...Object.keys(params)])
}

// The input has the body's values as their model reads them, but a parameter of the same name takes their place.
function valuesOf(
  sent: Item,
  input: Item,
  operation: Operation,
  params: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const parameters = parameterNames(operation, params)
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      parameters.has(name) || !Object.hasOwn(input, name) ? value : input[name],
    ]),
  )
}

function unwrapped(fields: Item, wrapper: readonly string[]): Item {
  const [only, ...others] = Object.entries(fields)
  if (only === undefined || others.length > 0) return fields
  const [name, value] = only
  return wrapper.includes(name) && isObject(value) ? value : fields
}

/** The fields that a request's body may have, by its JSON model. */
export function bodyFieldsOf({ body }: Operation, wrapper: readonly string[]): readonly string[] {
  const model = [...(body?.content.values() ?? [])].find((media) => media.model !== undefined)?.model
  if (model === undefined) return []
  const resolve = createResolver(model)
  const fields = fieldsOf(model, resolve)
  const [only, ...others] = fields
  if (only === undefined || others.length > 0 || !wrapper.includes(only[0])) return [...fields.keys()]
  const [, inner] = only
  return typeof inner === 'boolean' ? [] : [...fieldsOf(inner, resolve).keys()]
}
