import { sessionPrefix } from './keys.ts'

/** The names of one session's keys. The braces keep them all on one shard. */
export class SessionKeys {
  readonly prefix: string
  /** The session's own hash. */
  readonly session: string
  /** The collections that something is stored in. */
  readonly known: string
  /** The collections whose first items were taken away; `*` for all. */
  readonly cleared: string
  /** The collections that ordinals were taken of before something was stored. */
  readonly touched: string

  /** @param namespace as `namespaceOf` has it, such as `sim:{shop}` */
  constructor(namespace: string, key: string) {
    this.prefix = `${sessionPrefix(namespace, key)}:`
    this.session = `${this.prefix}s`
    this.known = `${this.prefix}c`
    this.cleared = `${this.prefix}g`
    this.touched = `${this.prefix}u`
  }

  items(path: string): string {
    return `${this.prefix}i:${path}`
  }

  order(path: string): string {
    return `${this.prefix}o:${path}`
  }

  meta(path: string): string {
    return `${this.prefix}m:${path}`
  }

  /** Ordinals that were given back. */
  given(path: string): string {
    return `${this.prefix}f:${path}`
  }
}
