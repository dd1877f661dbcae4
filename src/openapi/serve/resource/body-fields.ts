import type { Operation } from '../../../engine/operation.ts'
import type { RouteDefinition } from '../../../engine/route.ts'
import { fieldsOf } from '../../../engine/schema/fields.ts'
import { createFold } from '../../../engine/schema/merge.ts'
import { createResolver, type Resolve, type SchemaOrBoolean } from '../../../engine/schema/schema.ts'
import { splitItemPath } from '../../../routing/path-template.ts'
import { markedFields } from './item-model.ts'

/** The fields that a request's body may have, by its JSON model. */
export function bodyFieldsOf(operation: Operation, wrapper: readonly string[]): readonly string[] {
  return [...bodyModelsOf(operation, wrapper).fields.keys()]
}

/** What requests for new items of a collection say of them. @param routes those of the collection and its items */
export function givenIn(routes: readonly RouteDefinition[]): readonly string[] {
  const made = routes.find(({ method, path }) => method === 'POST' && splitItemPath(path) === undefined)
  return made?.operation === undefined ? [] : bodyFieldsOf(made.operation, [])
}

/** Those of them that a request gives: the body's own model may be the one that does not have the server set them. */
export function givenFieldsOf(operation: Operation, wrapper: readonly string[]): readonly string[] {
  const { fields, resolve } = bodyModelsOf(operation, wrapper)
  const readOnly = markedFields(fields, 'readOnly', createFold(resolve))
  return [...fields.keys()].filter((name) => !readOnly.has(name))
}

/** Those of them that no answer shows, unless its own model has them: secrets, and what only requests have. */
export function secretFieldsOf(operation: Operation, wrapper: readonly string[]): readonly string[] {
  const { fields, resolve } = bodyModelsOf(operation, wrapper)
  const fold = createFold(resolve)
  const writeOnly = markedFields(fields, 'writeOnly', fold)
  const isPassword = (schema: SchemaOrBoolean): boolean => {
    const folded = fold(schema)
    return typeof folded !== 'boolean' && folded['format'] === 'password'
  }
  return [...fields].flatMap(([name, schema]) => (writeOnly.has(name) || isPassword(schema) ? [name] : []))
}

function bodyModelsOf(
  { body }: Operation,
  wrapper: readonly string[],
): { readonly fields: ReadonlyMap<string, SchemaOrBoolean>; readonly resolve: Resolve } {
  const model = [...(body?.content.values() ?? [])].find((media) => media.model !== undefined)?.model ?? {}
  const resolve = createResolver(model)
  const fields = fieldsOf(model, resolve)
  const [only, ...others] = fields
  if (only === undefined || others.length > 0 || !wrapper.includes(only[0])) return { fields, resolve }
  const [, inner] = only
  return { fields: typeof inner === 'boolean' ? new Map() : fieldsOf(inner, resolve), resolve }
}
