/** What a command serves: its targets, and how they are loaded. */
export interface GatewaySource {
  readonly apps: readonly SourceApp[]
  /** Of this package. */
  readonly version: string
  /** The directory that the command runs in. */
  readonly directory: string
  /** Whose pages may read answers. */
  readonly cors?: unknown
  /** Whether the apps were joined, and answer with the seed of the gateway where a session has another. */
  readonly isJoined: boolean
  /** What policies do where a route does not say otherwise, as JSON data. */
  readonly defaults: Readonly<Record<string, unknown>>
}

/** One target of a command. */
export interface SourceApp {
  /** As the command names it, such as `app.ts:api`. */
  readonly target: string
  /** The files that it was read from, the target itself first. */
  readonly files: () => readonly string[]
  /** What it is served with in place of its own options. */
  readonly options: Readonly<Record<string, unknown>>
}
