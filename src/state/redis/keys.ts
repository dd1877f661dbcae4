import type { StateOptions } from '../state-options.ts'

/** The names of what all sessions of a shared state have in common; braces keep them on one shard. */
export interface CommonKeys {
  readonly version: string
  readonly log: string
  readonly gateways: string
  readonly lost: string
  readonly lock: string
  readonly fence: string
  readonly fences: string
  readonly sessions: string
  /** What those who watch a session are to hear. */
  readonly events: string
  /** Fingerprints by what they are of. */
  readonly app: string
  /** The lease of who ends sessions. */
  readonly janitor: string
  /** The parts of a session that all gateways know; `*` for those of the gateway itself. */
  parts(session: string): string
  inbox(instance: string): string
}

/** The name of what all sessions of a shared state have in common; its braces keep it on one shard. */
export function namespaceOf({ name = 'sim' }: Pick<StateOptions, 'name'>): string {
  return `sim:{${name}}`
}

/** @param namespace as `namespaceOf` has it, such as `sim:{shop}` */
export function commonKeys(namespace: string): CommonKeys {
  return {
    version: `${namespace}:v`,
    log: `${namespace}:log`,
    gateways: `${namespace}:gw`,
    lost: `${namespace}:gone`,
    lock: `${namespace}:lock`,
    fence: `${namespace}:fence`,
    fences: `${namespace}:fences`,
    sessions: `${namespace}:sessions`,
    events: `${namespace}:events`,
    app: `${namespace}:app`,
    janitor: `${namespace}:janitor`,
    parts: (session) => `${namespace}:s:${session}`,
    inbox: (instance) => `${namespace}:in:${instance}`,
  }
}

/** What the keys of one session begin with: `sim:{shop/cart}`. */
export function sessionPrefix(namespace: string, session: string): string {
  return `${namespace.slice(0, -1)}/${session}}`
}
