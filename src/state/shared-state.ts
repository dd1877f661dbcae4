import type { Awaitable } from '../message.ts'
import type { Session } from './session.ts'
import type { Sessions } from './sessions.ts'

/** What an operation of the control plane reads of what gateways share. */
export type SharedPart =
  /** What a session stores. */
  | 'store'
  /** What its journal has, of the session or of those that the request names. */
  | 'journal'
  /** What its chaos did. */
  | 'faults'
  /** What was counted of requests. */
  | 'counts'
  /** Seed, rules, overrides and clock of a session, which every gateway knows. */
  | 'session'
  /** Which sessions there are. */
  | 'sessions'
  /** How all of them come to their answers, which every gateway knows. */
  | 'modes'

/** What it changes. */
export type SharedChange =
  /** Items of a session. */
  | 'store'
  /** What was counted of its requests. */
  | 'counts'
  /** Seed, rules, overrides and clock of a session. */
  | 'session'
  /** Which requests its journal has. */
  | 'journal'
  /** Which sessions there are. */
  | 'sessions'
  /** How all of them come to their answers. */
  | 'modes'
  /** Whether all of them record. */
  | 'recording'

/** What an operation has to have before it runs, and passes on after. */
export interface SharedNeeds {
  readonly reads?: readonly SharedPart[]
  readonly changes?: readonly SharedChange[]
  /** Whether it may begin anew where the server has lost what it held. */
  readonly begins?: boolean
}

/** What an operation works with. */
export interface Seen {
  readonly session: Session
  readonly sessions: Sessions
}

/** Where a change is in force. */
export interface Applied {
  readonly version: number
  readonly gateways: readonly string[]
  /** Those that had not applied it in time: they answer nothing until they have. */
  readonly behind: readonly string[]
}

/** How the shared state is, as this gateway sees it. */
export interface StateHealth {
  readonly gateway: string
  /** What keeps it, such as `Redis 7.0.15`. */
  readonly engine: string
  /** Whether it can be requested. */
  readonly reachable: boolean
  /** Why not, where it cannot. */
  readonly why?: string
  /** The latest change that this gateway has applied. */
  readonly version: number
  readonly gateways: readonly string[]
  /** Whether this gateway has not applied changes that others have. */
  readonly behind: boolean
  /** Why nothing is requested of it, where it has lost what it held. */
  readonly lost?: string | undefined
  /** How many seconds clocks of gateways may be apart. */
  readonly clockErrorSeconds: number
  /** How long the server took to answer this gateway last. */
  readonly roundTripSeconds: number
  readonly journalPending: number
  readonly journalDropped: number
}

/** What this gateway has sent to the server, since it began. */
export interface StateStats {
  /** By script or command. */
  readonly calls: ReadonlyMap<string, number>
  /** By code. */
  readonly errors: ReadonlyMap<string, number>
  /** How often work had to begin again since other gateways were quicker. */
  readonly retries: number
}

/** What all sessions hold. */
export interface StateTotals {
  readonly sessions: number
  /** Those that were stored: a session that is as the app begins has none. */
  readonly items: number
}

/** A setting of the whole gateway that is the same on all. */
export interface SharedSetting {
  export(): string
  /** @throws whatever refuses the setting */
  import(text: string): Awaitable<void>
}

/** What several gateways have in common. */
export interface SharedState {
  /** What this one is called. */
  readonly gateway: string
  readonly sessions: Sessions
  /** Whether journal and log of chaos are those of all gateways. */
  readonly isJournalShared: boolean
  /**
   * Runs work of the control plane: behind what all gateways have noted, one after another where it changes something,
   * and until all have what it changed.
   * @param chosen the key of the session whose journal is read in place of its own, or `*` for all
   */
  run<Answer>(
    needs: SharedNeeds,
    seen: Seen,
    work: (seen: Seen) => Awaitable<Answer>,
    chosen?: string,
  ): Promise<{ readonly answer: Answer; readonly applied?: Applied }>
  /** Has a setting of the gateway follow that of the others. */
  share(name: string, setting: SharedSetting): Promise<void>
  health(): StateHealth
  readonly stats: StateStats
  /** Counts what the server holds. @throws StateUnavailable */
  totals(): Promise<StateTotals>
  close(): Promise<void>
}
