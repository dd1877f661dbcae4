export { createAdapter, type Adapter } from './adapter.ts'
export type { AuthMode, AuthOptions, Credentials, DeclaredToken, DenialQuestion } from './auth.ts'
export type { ClockListener } from '../state/clock.ts'
export { runAdapter, runAdapterAsProcess } from './command/run-adapter.ts'
export type { AdapterConfig, RateLimit } from './config.ts'
export { AdapterContext, createContextClass, type ContextAddress, type ContextClass } from './mock.ts'
export type {
  AdapterDefinition,
  FailedRequest,
  Operation,
  OperationContext,
  OperationMethod,
  StateSource,
  SupportLevel,
  VirtualClock,
  Visit,
} from './definition.ts'
export {
  AdapterFault,
  fail,
  type Denied,
  type Failure,
  type InjectedFailure,
  type PageTokenReason,
} from './failure.ts'
export type { FaultRule, Faults } from './faults.ts'
export type { FixtureFormat, ReportProblem } from './fixture.ts'
export { objectOf, objectsOf } from './fixture.ts'
export { loadFixture, type LoadFixtureOptions } from './fixture.ts'
export { createIdSource, type IdPart, type IdSource } from './ids.ts'
export { createManifest, type Manifest, type ManifestEntry } from './manifest.ts'
export { AdapterMock, createMockClass, type MockClass } from './mock.ts'
export {
  newestFirst,
  oldestFirst,
  Ordered,
  pageAfter,
  pageOf,
  sortedBy,
  type Listing,
  type Page,
  type PageRequest,
  type Place,
  type Sequenced,
  type Slice,
} from './paging.ts'
export type { Consistency, PagePlace, PageTokens, ReadPage } from './page-tokens.ts'
export { reply, type AdapterAnswer, type AdapterRequest, type Reply, type ReplyParts } from './request.ts'
export type { AdapterSnapshot } from './session.ts'
export { FixtureInvalid, OptionInvalid, type FixtureProblem } from '../errors.ts'
export type { Schema } from '../engine/schema/schema.ts'
