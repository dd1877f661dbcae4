import type { AdapterConfig, Credentials, IdSource, ReportProblem, VirtualClock } from 'sim-gateway/adapter'
import type { Agenda, Drives } from './agenda.ts'
import type { StatementCallback } from './sql/result.ts'

/** A fixture file as read: each part knows its own keys. */
export type WorkspaceFixture = { readonly version: 1 } & Readonly<Record<string, unknown>>

/** How a workspace behaves, besides what every adapter lets one choose. */
export interface WorkspaceMockConfig extends AdapterConfig {
  /** What moves resources from state to state; goes before the fixture's `lifecycle`. */
  readonly lifecycle?: Drives
  /** What the `callback` of the fixture's statements may name; no other code is ever run for them. */
  readonly statementCallbacks?: Readonly<Record<string, StatementCallback>>
}

/** What every part of the state is made with. */
export interface Tools {
  readonly ids: IdSource
  readonly clock: VirtualClock
  readonly config: WorkspaceMockConfig
  /** When each resource takes its next step, and what makes it do so. */
  readonly agenda: Agenda
  /** The number of the workspace, answered as `X-Databricks-Org-Id`. */
  readonly workspaceId: number
  /** Who acts where credentials name nobody, and who owns what a fixture declares without an owner. */
  readonly defaultUser: string
}

/** State that can be written out as JSON and be taken back. */
export interface Restorable {
  snapshot(): unknown
  restore(snapshot: unknown): void
}

/** One part of the workspace: its keys of the fixture, and the state made from them. */
export interface Part<PartState extends Restorable> {
  /** JSON Schema of each top-level fixture key that this part owns. */
  readonly fixtureSchema: Readonly<Record<string, object>>
  /** Rules that a schema cannot say, such as references and duplicates. */
  check?(fixture: WorkspaceFixture, report: ReportProblem): void
  create(fixture: WorkspaceFixture, tools: Tools): PartState
}

/** What permissions are about, e.g. `{ type: 'clusters', id: '0101-000000-abcdefgh' }`. */
export interface ObjectRef {
  readonly type: string
  readonly id: string
}

/** A set of objects that permissions may be requested for. */
export interface ObjectSource {
  hasObject(id: string): boolean
}

/** Who calls: the user of the credentials, or the default one. */
export interface Caller {
  readonly userName: string
  readonly groups: readonly string[]
}

/** Names the caller of a request; the SCIM part answers it. */
export interface Directory {
  callerOf(credentials: Credentials): Caller
}

/** One line of an access control list as a client sends it. */
export interface AccessEntry {
  readonly user_name?: string
  readonly group_name?: string
  readonly service_principal_name?: string
  readonly permission_level?: string
}

/** Whether permissions are enforced: where only declared tokens are let in. */
export function isStrict({ auth }: Pick<AdapterConfig, 'auth'>): boolean {
  return (typeof auth === 'object' ? auth.mode : auth) === 'strict'
}
