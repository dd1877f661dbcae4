import { remembered } from '../../engine/lazy.ts'
import { createResolver, isObject, propertiesOf, type Schema } from '../../engine/schema/schema.ts'
import { outputKind } from '../../engine/output.ts'

/** A schema and where its references are looked up. */
export interface Located {
  readonly schema: Schema
  readonly scope: Scope
}

/** Where references are looked up. The same reference or part gets the same object. */
export interface Scope {
  /** What a `$ref` names. @throws ModelInvalid when it is not there */
  find(reference: string): Located
  /** A part of this scope's schema. One with an `$id` is a scope of its own, and so is the item of a list. */
  at(part: Schema): Located
}

/** The scope of a whole model; `outer` has what is not in the model. */
export function createScope(root: Schema, outer?: Scope): Scope {
  const resolve = createResolver(root)
  const item = outer === undefined ? itemOf(root) : undefined
  const scope: Scope = {
    find: remembered((reference) => {
      try {
        return scope.at(resolve(reference))
      } catch (error) {
        if (outer === undefined) throw error
        return outer.find(reference)
      }
    }),
    at: remembered((part) => {
      const isScope = part !== root && (typeof part['$id'] === 'string' || part === item)
      return isScope ? createScope(part, scope).at(part) : { schema: part, scope }
    }),
  }
  return scope
}

// The model a user gave to `list`, `PaginatedResponse` or `PageSlice` was written without knowing of them.
function itemOf(root: Schema): Schema | undefined {
  const kind = outputKind(root)
  if (kind === 'single' || kind === 'paged') return undefined
  const holder = kind === 'list' ? root : new Map(propertiesOf(root)).get('items')
  return isObject(holder) && isObject(holder['items']) ? holder['items'] : undefined
}
