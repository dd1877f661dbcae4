import type { OwnedState } from './world.ts'

/** How long a gateway takes another for the holder of a world without asking again. */
export const HOLDER_KNOWN_MS = 200

/** A world that this gateway holds. */
export interface HeldWorld {
  readonly world: OwnedState
  /** Whether it still counts as held. */
  readonly isOpen: boolean
  /** When it was last used, as `performance.now()` has it. */
  readonly usedAt: number
  /**
   * Runs what changes the world or reads it, and has kept what was noted of it before it answers, whatever comes of it.
   * @throws StateElsewhere where another gateway has it meanwhile, StateUnavailable, StateUncertain, StateFull
   */
  run<Result>(work: () => Result | Promise<Result>): Promise<Result>
  /** Has what is under way end, and gives it up so that others can go on at once. */
  giveUp(): Promise<void>
  /** Gives it up as it is: what was not kept is lost. */
  end(): void
}

/** The gateway that holds a world. */
export interface Holder {
  /** One process of a gateway. */
  readonly id: string
  readonly gateway: string
  /** Where other gateways reach it, if anywhere. */
  readonly peer?: string | undefined
}

/** The worlds of gateways that share a state. */
export interface OwnedStates {
  /** A world that this gateway holds, ready to be used. */
  held(world: OwnedState): HeldWorld | undefined
  /**
   * Holds a world, with all that was kept of it, or says who does.
   * @throws StateElsewhere where this gateway ends and nobody has it, WorldUnreadable, StateUnavailable, …
   */
  claim(world: OwnedState): Promise<HeldWorld | Holder>
  /** The gateway that holds a world now; `undefined` where none does. @throws StateUnavailable */
  holder(world: OwnedState): Promise<Holder | undefined>
  /** Takes what is known of who holds a world for wrong; returns how long its lease may still last, in milliseconds. */
  doubt(world: OwnedState): Promise<number>
  /** Puts all worlds of a family back to their beginning. @param report says to another gateway that it no longer holds one */
  reset(family: string, report: (holder: Holder, name: string) => Promise<void>): Promise<void>
  /** Gives up a world that others have put back. */
  forget(name: string): void
  /** Gives all worlds up to others, and holds none from now on. */
  drain(): Promise<void>
}
