import { OptionInvalid, SimError } from '../errors.ts'
import type { AdapterConfig } from './config.ts'
import type { Session, SessionOptions } from './session.ts'

/** What an adapter can be brought back to. It is JSON. */
export interface AdapterSnapshot {
  readonly adapter: string
  readonly packageVersion: string
  /** The virtual clock, in milliseconds since 1970. */
  readonly now: number
  /** How many requests there have been, for their ids. */
  readonly requests: number
  readonly state: unknown
}

/** Takes and restores snapshots. */
export interface Snapshots<State> {
  take(session: Session<State>): AdapterSnapshot
  restore(session: Session<State>, snapshot: unknown): void
}

/** The snapshots of an adapter; both fail with OptionInvalid where the definition says not how. */
export function createSnapshots<State, Fixture, Config extends AdapterConfig>({
  definition,
  config,
  ids,
  fixture,
}: SessionOptions<State, Fixture, Config>): Snapshots<State> {
  const { name, packageVersion } = definition
  return {
    take({ state, clock, requests }) {
      if (definition.snapshot === undefined) throw keepsNone(name)
      const kept = definition.snapshot(state)
      return { adapter: name, packageVersion, now: clock.now(), requests: requests.count, state: kept }
    },
    restore(session, snapshot) {
      const { restoreState } = definition
      if (restoreState === undefined) throw keepsNone(name)
      if (!isSnapshotOf(name, snapshot)) throw new OptionInvalid(`This is no snapshot of ${name}`)
      try {
        session.setState(({ clock }) => {
          clock.set(snapshot.now)
          return restoreState.call(definition, snapshot.state, { fixture: fixture(), ids, clock, config })
        })
      } catch (cause) {
        if (SimError.is(cause)) throw cause
        throw new OptionInvalid(`This snapshot of ${name} cannot be restored: its state is damaged`, {
          cause,
        })
      }
      session.requests.count = snapshot.requests
    },
  }
}

function keepsNone(name: string): OptionInvalid {
  return new OptionInvalid(`${name} keeps no snapshots: its definition has no snapshot and restoreState`)
}

function isSnapshotOf(name: string, value: unknown): value is AdapterSnapshot {
  const { adapter, now, requests } = (value ?? {}) as Partial<AdapterSnapshot>
  return adapter === name && typeof now === 'number' && Number.isSafeInteger(requests)
}
