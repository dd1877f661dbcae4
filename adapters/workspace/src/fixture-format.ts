import type { FixtureFormat } from 'sim-gateway/adapter'
import { checkClusters, clustersFixtureSchema } from './clusters/index.ts'
import { dbfsPart } from './dbfs/index.ts'
import { checkJobs, jobsFixtureSchema } from './jobs/index.ts'
import { checkLibraries, librariesFixtureSchema } from './libraries/index.ts'
import { drivesSchema } from './lifecycle/drive.ts'
import type { Part, Restorable, WorkspaceFixture } from './part.ts'
import { permissionsPart } from './permissions/index.ts'
import { checkRuns, runsFixtureSchema } from './runs/index.ts'
import { scimPart } from './scim/index.ts'
import { secretsPart } from './secrets/index.ts'
import { statementsPart } from './sql/index.ts'
import { warehousesPart } from './warehouses/index.ts'
import { filesPart } from './workspace-files/index.ts'

type Share = Pick<Part<Restorable>, 'fixtureSchema' | 'check'>

const SHARES: readonly Share[] = [
  { fixtureSchema: clustersFixtureSchema, check: checkClusters },
  { fixtureSchema: librariesFixtureSchema, check: checkLibraries },
  { fixtureSchema: jobsFixtureSchema, check: checkJobs },
  { fixtureSchema: runsFixtureSchema, check: checkRuns },
  warehousesPart,
  statementsPart,
  secretsPart,
  dbfsPart,
  filesPart,
  permissionsPart,
  scimPart,
]

/** What fixtures of workspaces are. */
export const fixtureFormat: FixtureFormat<WorkspaceFixture> = {
  version: 1,
  schema: {
    type: 'object',
    required: ['version'],
    properties: {
      version: { const: 1 },
      workspace: {
        type: 'object',
        properties: {
          id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
          cloud: { enum: ['aws', 'azure', 'gcp'] },
        },
      },
      lifecycle: drivesSchema,
      ...Object.fromEntries(SHARES.flatMap(({ fixtureSchema }) => Object.entries(fixtureSchema))),
    },
  },
  starter: new URL('../fixtures/workspace.yaml', import.meta.url),
  check(fixture, report) {
    for (const share of SHARES) share.check?.(fixture, report)
  },
}
