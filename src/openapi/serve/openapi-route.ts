import type { RouteDefinition } from '../../engine/route.ts'
import type { Operation } from '../../engine/operation.ts'

/** A route that an OpenAPI description declares. */
export interface OpenApiRoute extends RouteDefinition {
  readonly operation: Operation
}
