import type { AdapterDefinition, Operation } from 'sim-gateway/adapter'
import { withAccess } from './access.ts'
import { clustersOperations } from './clusters/write-operations.ts'
import { dbfsOperations } from './dbfs/operations.ts'
import { HOST_METADATA_PATH, hostMetadata } from './host.ts'
import { jobsOperations } from './jobs/operations.ts'
import { librariesOperations } from './libraries/operations.ts'
import type { WorkspaceFixture, WorkspaceMockConfig } from './part.ts'
import { permissionsOperations } from './permissions/operations.ts'
import { runsOperations } from './runs/control-operations.ts'
import { scimOperations } from './scim.ts'
import { secretsOperations } from './secrets/operations.ts'
import { EXTERNAL_LINK_PATH, statementsOperations } from './sql/operations.ts'
import {
  createState,
  disposeState,
  fixtureFormat,
  restoreState,
  snapshotState,
  type WorkspaceState,
} from './state.ts'
import { toAnswer } from './to-answer.ts'
import { unsupportedOperations } from './unsupported.ts'
import { warehousesOperations } from './warehouses/operations.ts'
import { filesOperations } from './workspace-files/operations.ts'

const OPEN_PATHS = [HOST_METADATA_PATH, EXTERNAL_LINK_PATH]
const MEBIBYTE = 1024 * 1024

const operations: readonly Operation<WorkspaceState, WorkspaceMockConfig>[] = [
  hostMetadata,
  ...clustersOperations,
  ...librariesOperations,
  ...jobsOperations,
  ...runsOperations,
  ...warehousesOperations,
  ...statementsOperations,
  ...secretsOperations,
  ...dbfsOperations,
  ...filesOperations,
  ...permissionsOperations,
  ...scimOperations,
  ...unsupportedOperations,
]

export const adapter: AdapterDefinition<WorkspaceState, WorkspaceFixture, WorkspaceMockConfig> = {
  name: 'sim-workspace',
  title: "a data workspace's public REST API",
  packageVersion: '0.1.2',
  documentedAt: '2026-08-19',
  source: 'https://docs.databricks.com/api/workspace/introduction',
  manifestPath: '/.well-known/sim-workspace-compat.json',
  defaultPort: 8766,
  environment: { host: 'SIM_WORKSPACE_HOST', token: 'SIM_WORKSPACE_TOKEN' },
  requestIdHeader: 'x-request-id',
  // A statement of 16 MiB, or an import of 10 MB as base64, with space for the rest of the request.
  bodyLimit: 24 * MEBIBYTE,
  openPaths: OPEN_PATHS,
  operations: operations.map((operation) => withAccess(operation, OPEN_PATHS)),
  fixture: fixtureFormat,
  createState,
  dispose: disposeState,
  snapshot: snapshotState,
  restoreState,
  toAnswer,
}
