import { readBearer } from './auth.ts'
import type { World } from './world.ts'

/** The worlds of an adapter. */
export interface Worlds<State> {
  /** The world of a token; without isolation there is but one. */
  of(token: string | undefined): World<State>
  /** The world that a request belongs to. */
  ofHeader(authorization: string | undefined): World<State>
  /** Makes all worlds what they were at first. */
  reset(): void
  /** Ends all states, and forgets the worlds of tokens. */
  close(): void
}

/** How many tokens may have a world of their own; the one that was not asked for longest gives way. */
export const MOST_WORLDS = 256

/** @param hasOwn whether a token has a world of its own */
export function createWorlds<State>(
  create: () => World<State>,
  hasOwn: (token: string) => boolean,
): Worlds<State> {
  const first = create()
  const byToken = new Map<string, World<State>>()

  const endOldest = (): void => {
    const [oldest] = byToken
    if (oldest === undefined) return
    const [token, world] = oldest
    byToken.delete(token)
    world.dropState()
  }
  const of = (token: string | undefined): World<State> => {
    if (token === undefined || !hasOwn(token)) return first
    const world = byToken.get(token) ?? create()
    byToken.delete(token)
    byToken.set(token, world)
    if (byToken.size > MOST_WORLDS) endOldest()
    return world
  }
  return {
    of,
    ofHeader: (authorization) => of(readBearer(authorization)),
    reset() {
      for (const world of [first, ...byToken.values()]) world.reset()
    },
    close() {
      for (const world of [first, ...byToken.values()]) world.dropState()
      byToken.clear()
    },
  }
}
