import type { AdapterDefinition } from 'sim-gateway/adapter'
import type { OntologyMockConfig } from './config.ts'
import { checkFixture } from './fixture/check.ts'
import type { Fixture } from './fixture/fixture.ts'
import { FIXTURE_SCHEMA } from './fixture/schema.ts'
import { ACTION_OPERATIONS } from './operations/action-types.ts'
import { INTERFACE_OPERATIONS } from './operations/interfaces.ts'
import { OBJECT_SET_OPERATIONS } from './operations/object-sets.ts'
import { OBJECT_TYPE_OPERATIONS } from './operations/object-types.ts'
import { OBJECT_OPERATIONS } from './operations/objects.ts'
import { ONTOLOGY_OPERATIONS, VALUE_TYPE_OPERATIONS } from './operations/ontologies.ts'
import { QUERY_OPERATIONS } from './operations/query-types.ts'
import { createState, type OntologyState, restoreSnapshot, takeSnapshot } from './state.ts'
import { toAnswer } from './to-answer.ts'

/** The ontology adapter: what the kit needs to serve it, and the gateway to mount it. */
export const adapter: AdapterDefinition<OntologyState, Fixture, OntologyMockConfig> = {
  name: 'sim-ontology',
  title: "an ontology service's public API v2",
  packageVersion: '0.1.3',
  documentedAt: '2026-08-18',
  source: 'https://www.palantir.com/docs/foundry/api/v2',
  manifestPath: '/.well-known/ontology-mock-compatibility.json',
  defaultPort: 8765,
  environment: { host: 'SIM_ONTOLOGY_HOST', token: 'SIM_ONTOLOGY_TOKEN' },
  requestIdHeader: 'X-Request-Id',
  operations: [
    ...ONTOLOGY_OPERATIONS,
    ...OBJECT_TYPE_OPERATIONS,
    ...OBJECT_OPERATIONS,
    ...ACTION_OPERATIONS,
    ...QUERY_OPERATIONS,
    ...OBJECT_SET_OPERATIONS,
    ...INTERFACE_OPERATIONS,
    ...VALUE_TYPE_OPERATIONS,
  ],
  fixture: {
    version: 1,
    schema: FIXTURE_SCHEMA,
    check: checkFixture,
    starter: new URL('../fixtures/starter.yaml', import.meta.url),
  },
  createState,
  toAnswer,
  snapshot: takeSnapshot,
  restoreState: restoreSnapshot,
}
