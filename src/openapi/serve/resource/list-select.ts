import { createParameterSelect, createUsualOrder } from '../../../collections/list-parameters.ts'
import { createSelect } from '../../../collections/select-items.ts'
import type { OpenApiRoute } from '../choose-response.ts'
import type { Reference } from './references.ts'
import type { Resource } from './resource.ts'
import { withUnshown } from './unshown-parents.ts'

/** What reads the query of a list, and gives what chooses from its items. */
export type SelectOf = ReturnType<typeof createSelect>

/** What reads each query once: it is read for what an answer needs, and again for what it shows. */
export function ofLast(selectOf: SelectOf): SelectOf {
  let last: { readonly input: unknown; readonly search: string; readonly select: ReturnType<SelectOf> }
  return (input, request) => {
    const { search } = request
    if (last?.input !== input || last.search !== search)
      last = { input, search, select: selectOf(input, request) }
    return last.select
  }
}

/**
 * What reads the query of a list: a route's options say it before the names of its parameters.
 * @param references what its items refer to
 * @param inPath the parameters of its path that choose from the list
 */
export function createSelectOf(
  route: OpenApiRoute,
  { shape }: Resource,
  references: readonly Reference[],
  inPath: readonly string[],
): SelectOf {
  const { filterBy, select } = route.options
  if (filterBy !== undefined || select !== undefined) return createSelect(route)
  return createParameterSelect(route.operation, withUnshown(shape, references), inPath)
}

/** The order of a list whose requests say none. */
export type UsualOrder = ReturnType<typeof createUsualOrder>

/** What orders a list whose requests say nothing of its order, once something was written to it. */
export function createOrderOf(route: OpenApiRoute, { shape }: Resource): UsualOrder {
  const { filterBy, select } = route.options
  return filterBy !== undefined || select !== undefined ? undefined : createUsualOrder(route.operation, shape)
}
