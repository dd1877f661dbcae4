import type { StillClock } from '../state/clock.ts'
import type { Credentials } from './auth.ts'
import type { AdapterConfig } from './config.ts'
import type { Failure } from './failure.ts'
import type { FixtureFormat } from './fixture.ts'
import type { IdSource } from './ids.ts'
import type { PageTokens } from './page-tokens.ts'
import type { AdapterAnswer, AdapterRequest, ReplyParts } from './request.ts'

/** A clock that stands still until it is moved. */
export type VirtualClock = Pick<StillClock, 'now' | 'advance' | 'set' | 'onAdvance'>

/** How much of the real operation an operation of an adapter is. */
export type SupportLevel = 'exact' | 'representative' | 'stub' | 'unsupported'

/** The methods that operations have. */
export type OperationMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One operation of the imitated service: what the manifest says of it, and how it is answered. */
export interface Operation<State, Config extends AdapterConfig = AdapterConfig> {
  readonly id: string
  readonly method: OperationMethod
  /** Such as `/api/v2/items/{item}`; a last `{rest*}` takes all segments that are left. */
  readonly path: string
  /** Other paths of the same operation, such as those of an older version. */
  readonly aliases?: readonly string[]
  readonly support: SupportLevel
  readonly family: string
  readonly version: string
  /** The request fields that count, such as `pageSize`. */
  readonly supports?: readonly string[]
  /** Such as `maxPageSize`. */
  readonly limits?: Readonly<Record<string, number>>
  /** The forms that the answer of a success can have. */
  readonly variants?: readonly string[]
  /** The errors that can be answered. */
  readonly errors?: readonly string[]
  /** What it changes; without any, `stateful: false` takes it for one that only reads. */
  readonly sideEffects?: readonly string[]
  /**
   * Whether it changes nothing at all, not even what a later read shows. Where gateways share the state of the adapter,
   * other requests are kept, so that they can be handled again. Default: false.
   */
  readonly onlyReads?: boolean
  /** The tests that prove the level: `test/items.test.ts > pages through items`. */
  readonly tests: readonly string[]
  readonly documentation: string
  readonly verifiedAt?: string
  /** What a token of strict mode must be allowed, all of them. */
  readonly scopes?: readonly string[]
  /** Names what is requested, so that grants of strict mode can be checked before the handler is called. */
  resource?(context: OperationContext<State, Config>): string | undefined
  /** Makes the answer: a JSON value, or what `reply` made. Absent for what is known but not implemented. */
  handle?(context: OperationContext<State, Config>): unknown
}

/** What a handler is given of a request. */
export interface OperationContext<State, Config extends AdapterConfig = AdapterConfig> {
  readonly operation: Operation<State, Config>
  /** Decoded after the path was split, so that a slash may be part of one. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: AdapterRequest['headers']
  readonly bytes: Buffer
  /** The body as JSON; `undefined` when it is empty. */
  body(): unknown
  readonly state: State
  readonly credentials: Credentials
  /** Ends the request as denied unless the credentials are granted a resource. */
  authorize(resource: string): void
  readonly config: Config
  readonly clock: VirtualClock
  readonly ids: IdSource
  /** The page tokens of this operation. */
  readonly pages: PageTokens
  readonly requestId: string
}

/** @deprecated The former name of `OperationContext`. */
export type Visit<State, Config extends AdapterConfig = AdapterConfig> = OperationContext<State, Config>

/** What is known of a request that failed, however early that was. */
export interface FailedRequest {
  readonly method: string
  /** Without the query, as it was sent. */
  readonly path: string
  readonly requestId: string
  /** Absent before one was found. */
  readonly operation: Pick<Operation<unknown>, 'id' | 'family' | 'version' | 'path'> | undefined
  readonly ids: IdSource
  readonly clock: VirtualClock
}

/** What state is made of. */
export interface StateSource<Fixture, Config extends AdapterConfig = AdapterConfig> {
  /** Shared by all states that are made of it: it must be copied before it is changed. */
  readonly fixture: Fixture
  readonly ids: IdSource
  readonly clock: VirtualClock
  readonly config: Config
}

/** An adapter: the operations of a vendor's API, and what they have in common. */
export interface AdapterDefinition<State, Fixture, Config extends AdapterConfig = AdapterConfig> {
  /** The command and package, such as `sim-ontology`. */
  readonly name: string
  readonly title: string
  readonly packageVersion: string
  /** When the documentation was read that the adapter follows, as a date. */
  readonly documentedAt: string
  /** Where that documentation is. */
  readonly source: string
  /** Where the manifest is served. */
  readonly manifestPath: string
  readonly defaultPort: number
  /** The names of environment variables that set the host of `serve` and a token of strict mode. */
  readonly environment: { readonly host: string; readonly token: string }
  readonly requestIdHeader: string
  readonly operations: readonly Operation<State, Config>[]
  readonly fixture: FixtureFormat<Fixture>
  /** Paths of operations that are answered without credentials even in strict mode. */
  readonly openPaths?: readonly string[]
  /** The longest body, in bytes. Default: 16 MiB. */
  readonly bodyLimit?: number
  createState(source: StateSource<Fixture, Config>): State
  /**
   * Gives back what a state holds outside of memory, such as temporary files, when nobody will use it again: after
   * a reset, a restored snapshot or the adapter's end. It must not throw.
   */
  dispose?(state: State): void
  /** Gives every failure of the kit's the form that the imitated service's errors have. */
  toAnswer(failure: Failure, request: FailedRequest): ReplyParts | AdapterAnswer
  /** The state as JSON. Without it and `restoreState` the adapter keeps no snapshots. */
  snapshot?(state: State): unknown
  restoreState?(snapshot: unknown, source: StateSource<Fixture, Config>): State
}
