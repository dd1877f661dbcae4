import { isObject, type Schema } from '../engine/schema/schema.ts'
import type { RouteDefinition } from '../engine/route.ts'
import type { Components } from './components.ts'
import { JSON_TYPE, type RequestBody } from './document.ts'
import type { InputModel } from './input-fields.ts'

/** The body of an operation that takes one: its input model without what the path gives. */
export function requestBodyOf(
  { method, parameters }: RouteDefinition,
  input: InputModel | undefined,
  components: Components,
): RequestBody | undefined {
  if (method === 'GET' || input === undefined) return undefined
  const bound = parameters.filter((name) => input.declared.has(name))
  if (input.fields.size === bound.length && !takesUnnamedFields(input.flat)) return undefined
  const model = bound.length === 0 ? input.model : withoutFields(input.flat, bound)
  // The gateway takes an empty DELETE, and an empty request where no field is declared for all requests.
  const required = method !== 'DELETE' && input.declared.size > bound.length
  return {
    ...(required && { required }),
    content: { [JSON_TYPE]: { schema: components.use(model, input.scope) } },
  }
}

function takesUnnamedFields(model: Schema): boolean {
  const entries = ['additionalProperties', 'patternProperties', 'unevaluatedProperties']
  return entries.some((keyword) => isObject(model[keyword]) || model[keyword] === true)
}

function withoutFields({ properties, required, title, ...others }: Schema, names: readonly string[]): Schema {
  const remains = ([name]: readonly [string, unknown]): boolean => !names.includes(name)
  return {
    ...others,
    // Another model than the whole one, so that both can be in one document under plain names.
    ...(typeof title === 'string' && { title: `${title}Body` }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).filter(remains)),
    }),
    ...(Array.isArray(required) && { required: required.filter((name) => !names.includes(String(name))) }),
  }
}
