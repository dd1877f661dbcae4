import type {
  AdapterConfig,
  Credentials,
  IdSource,
  ReportProblem,
  VirtualClock,
  Visit,
} from 'sim-gateway/adapter'
import type { Agenda } from './lifecycle/agenda.ts'
import type { Drives } from './lifecycle/drive.ts'

/** A fixture file as read: each part knows its own keys. */
export type WorkspaceFixture = { readonly version: 1 } & Readonly<Record<string, unknown>>

/** How the workspace behaves, besides what every adapter lets one choose. */
export interface WorkspaceConfig extends AdapterConfig {
  /** What moves resources from state to state; goes before the fixture's `lifecycle`. */
  readonly lifecycle?: Drives
}

/** What every part of the state is made with. */
export interface Tools {
  readonly ids: IdSource
  readonly clock: VirtualClock
  readonly config: WorkspaceConfig
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

/** A set of objects that permissions may be asked about. */
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

/** What other parts ask of permissions; only strict mode enforces anything. */
export interface AccessControl {
  /** A new object belongs to `userName`; `entries` come from its create request. */
  own(object: ObjectRef, userName: string, entries?: readonly AccessEntry[]): void
  forget(object: ObjectRef): void
  allows(visit: AccessVisit, object: ObjectRef, level: string): boolean
  /** Throws PERMISSION_DENIED when `allows` says no. */
  require(visit: AccessVisit, object: ObjectRef, level: string): void
}

/** The share of a visit that access is decided by. */
export type AccessVisit = Pick<Visit<{ readonly scim: Directory }>, 'credentials' | 'config' | 'state'>
