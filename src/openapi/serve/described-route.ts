import type { RouteDefinition } from '../../engine/route.ts'
import type { Operation } from '../../engine/operation.ts'

/** A route that an API description declares. */
export interface DescribedRoute extends RouteDefinition {
  readonly operation: Operation
}
