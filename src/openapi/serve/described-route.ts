import type { Route } from '../../engine/route.ts'
import type { Operation } from './operation.ts'

/** A route that an API description declares. */
export interface DescribedRoute extends Route {
  readonly operation: Operation
}
