/** Where several gateways keep what they share. */
export interface StateOptions {
  /** `redis://`, `rediss://`, `unix:/path`, `redis+sentinel://` or `redis+cluster://`. It may hold a password. */
  readonly url: string
  /** What the gateways have in common. Default: `sim`. */
  readonly name?: string | undefined
  /** This gateway's name. Default: host, process and four letters. */
  readonly gateway?: string | undefined
  /** How many replicas have each write before it is answered. Default: 0. */
  readonly replicas?: number | undefined
  /** Default: `shared`. */
  readonly journal?: 'shared' | 'off' | undefined
  /** Where other gateways reach this one, as a base URL. */
  readonly peer?: string | undefined
  /** Begins again when the server has lost what it held. Default: requests are answered 503. */
  readonly lost?: 'begin' | undefined
  /** Goes on with the state of another version of the app. Default: that is refused. */
  readonly app?: 'adopt' | undefined
}

/** Where state is shared, by a gateway that has a name. */
export type NamedState = StateOptions & { readonly gateway: string }
