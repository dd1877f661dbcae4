import type { Operation, OperationContext, OperationMethod } from 'sim-gateway/adapter'
import type { WorkspaceMockConfig } from './part.ts'
import type { WorkspaceState } from './state.ts'

const DOCUMENTATION = 'https://docs.databricks.com/api/workspace'

/** An operation of the workspace. */
export type WorkspaceOperation = Operation<WorkspaceState, WorkspaceMockConfig>
/** What an operation of the workspace is given of a request. */
export type WorkspaceContext = OperationContext<WorkspaceState, WorkspaceMockConfig>

type Common = Pick<Operation<unknown>, 'family' | 'version'> &
  Partial<Pick<Operation<unknown>, 'support' | 'variants' | 'errors' | 'tests'>>

/** What the operations of a family have in common. */
export interface Family extends Common {
  /** What their ids begin with. */
  readonly id: string
  /** What their paths begin with. */
  readonly base: string
  /** What the paths begin with that they have besides. */
  readonly alias?: string
  /** How true they are below those, as a variant of each. */
  readonly aliasVariant?: string
  /** Where they are documented. Default: under what their ids begin with. */
  readonly page?: string
}

/** A method, and the rest of a path. */
type Route = OperationMethod | `${OperationMethod} /${string}`
type Rest = Partial<Omit<WorkspaceOperation, 'id' | 'method' | 'path'>>

/** Makes the operations of a family: of `name`, `route` and what is special about each. They are `exact` by default. */
export function operationsOf({
  id,
  base,
  alias,
  aliasVariant,
  page = id,
  ...common
}: Family): (name: string, route: Route, rest: Rest) => WorkspaceOperation {
  return (name, route, rest) => {
    const [method, path = ''] = route.split(' ') as [OperationMethod, string?]
    return {
      support: 'exact',
      tests: [],
      documentation: `${DOCUMENTATION}/${page}/${name.toLowerCase()}`,
      ...(alias !== undefined && { aliases: [alias + path] }),
      ...common,
      ...rest,
      ...(aliasVariant !== undefined && { variants: [...(rest.variants ?? []), aliasVariant] }),
      id: `${id}.${name}`,
      method,
      path: base + path,
    }
  }
}
