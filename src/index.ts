export { SimAPI } from './api.ts'
export type { SeedFixture } from './collections/seed.ts'
export type { SimOptions } from './options/app-options.ts'
export type { Answer, HttpRequest, HttpResponse } from './message.ts'
/** @deprecated the former name of `HttpRequest` */
export type { HttpRequest as Call } from './message.ts'
export type { AppEngine as Engine } from './simulation/engine.ts'
export { ErrorCase, ScenarioStep } from './engine/error-case.ts'
export { ComputedFrom } from './engine/links/computed-from.ts'
export { DateRangeFrom } from './engine/links/date-range-from.ts'
export { FromCookie } from './engine/links/from-cookie.ts'
export { FromFaker } from './engine/links/from-faker.ts'
export { FromItem } from './engine/links/from-item.ts'
export { FromUser } from './engine/links/from-user.ts'
export { FromHeader } from './engine/links/from-header.ts'
export { FromJsonFixture, type JsonFixtureOptions } from './engine/links/from-json-fixture.ts'
export { FromNestedFixture, type NestedFixtureOptions } from './engine/links/from-nested-fixture.ts'
export { FromInput } from './engine/links/from-input.ts'
export {
  defineLink,
  KEEP,
  registerLink,
  type Link,
  type LinkContext,
  type LinkDefinition,
  type LinkFunction,
} from './engine/links/link.ts'
export { WhenInput } from './engine/links/when-input.ts'
export { list } from './engine/schema/list.ts'
export { Paged, PageParams, PageSlice, PaginatedResponse } from './engine/schema/list.ts'
export { PageTable, type PageTableOptions } from './engine/fixtures/page-table.ts'
export type { Model } from './engine/schema/schema.ts'
export type { RouteOptions } from './engine/route-options.ts'
export type { RouteDefinition } from './engine/route.ts'
/** @deprecated the former name of `RouteDefinition` */
export type { RouteDefinition as Route } from './engine/route.ts'
export type { AdapterMount } from './modes/adapter-mounts.ts'
export type { ChaosOptions, ChaosRule } from './engine/chaos-rule.ts'
export { createGateway, type GatewayOptions } from './gateway.ts'
export { runRepro, type ReproResult } from './loaders/run-repro.ts'
export type { Exchange } from './pipeline/exchange.ts'
export type { AfterStep, Plugin, Step, Steps } from './pipeline/route.ts'
export type { Handler, Policies } from './pipeline/route.ts'
export type { Session } from './state/session.ts'
export {
  AppInvalid,
  AuthorityUnusable,
  BodyNotKept,
  BodyTooLarge,
  ChaosInvalid,
  ConfigInvalid,
  ControlRefused,
  DescriptionInvalid,
  DriftFound,
  DuplicateRoute,
  ExampleNotDeclared,
  ExportIncomplete,
  FileNotWritten,
  FixtureInvalid,
  FixtureMiss,
  Forbidden,
  InputInvalid,
  ItemExists,
  ItemInUse,
  ItemNotFound,
  ItemStale,
  LinkMismatch,
  LinksInvalid,
  LoginFailed,
  MediaTypeUnsupported,
  MethodNotAllowed,
  ModelInvalid,
  ModelNotGenerable,
  NotAcceptable,
  NotListening,
  NotRecorded,
  OptionInvalid,
  OverrideNotFound,
  PageNotBuilt,
  PageTokenInvalid,
  PeerUntrusted,
  PreconditionFailed,
  ProxyAuthRequired,
  RateLimited,
  RecordingUnusable,
  ReproFailed,
  RequestElsewhere,
  RequestMalformed,
  RequestMisdirected,
  RequestNotKept,
  RequestNotRebuilt,
  RequestViolatesContract,
  ResponseInvalid,
  ResponseNotDeclared,
  ResponseViolatesContract,
  RouteFileInvalid,
  RouteNotFound,
  RunUnreadable,
  ScopeMissing,
  SecretsFound,
  SeedInvalid,
  SessionKeyInvalid,
  SessionNotFound,
  SimError,
  SimulatedFailure,
  SnapshotInvalid,
  StateBehind,
  StateContended,
  StateElsewhere,
  StateFull,
  StateLost,
  StatePartial,
  StateUnavailable,
  StateUncertain,
  StateUnusable,
  StoreAbsent,
  StoreFull,
  TargetInvalid,
  TargetMissing,
  TargetRefused,
  UpstreamLoop,
  TokenUnknown,
  TooManyOpenFiles,
  Unauthorized,
  UpstreamBodyTimeout,
  UpstreamCertificateExpired,
  UpstreamCertificateMismatched,
  UpstreamConnectTimeout,
  UpstreamCut,
  UpstreamHeaderTooLarge,
  UpstreamMalformed,
  UpstreamNameUnknown,
  UpstreamOffline,
  UpstreamProxyRefused,
  UpstreamReset,
  UpstreamTimeout,
  UpstreamTlsFailed,
  UpstreamUnreachable,
  UpstreamUntrusted,
  UsageInvalid,
  VerificationFailed,
  WorkerEnded,
  WorldUnreadable,
} from './errors.ts'
