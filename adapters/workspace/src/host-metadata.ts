import type { Operation } from 'sim-gateway/adapter'
import { originOf } from './origin.ts'
import type { WorkspaceConfig } from './part.ts'

/** Where clients look first, without credentials. */
export const HOST_METADATA_PATH = '/.well-known/databricks-config'

/** What a workspace says of itself to clients that come for the first time. */
export const hostMetadata: Operation<
  { readonly workspaceId: number; readonly cloud: string },
  WorkspaceConfig
> = {
  id: 'host.metadata',
  method: 'GET',
  path: HOST_METADATA_PATH,
  support: 'exact',
  family: 'Host metadata',
  version: '1',
  documentation: 'https://docs.databricks.com/api/workspace/introduction',
  tests: ['test/python-replay.test.ts > answers the discovery request without credentials'],
  handle(visit) {
    const { state } = visit
    return {
      oidc_endpoint: `${originOf(visit)}/oidc`,
      workspace_id: String(state.workspaceId),
      cloud: state.cloud.toUpperCase(),
    }
  },
}
