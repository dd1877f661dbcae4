import { StateElsewhere } from '../errors.ts'
import type { Awaitable } from '../message.ts'
import type { Notes, OwnedState } from '../state/world.ts'

/** What an adapter's session notes of itself where gateways share it. */
export interface AdapterWorld extends OwnedState {
  /** Another number each time that it has begun. */
  readonly life: number
  /**
   * Runs what changes the session when all before it is done.
   * @param life that in which the request came
   * @param request by what it can be done again
   * @throws StateElsewhere when it has begun anew since
   */
  inTurn<Result>(life: number, work: () => Awaitable<Result>, request?: () => object): Promise<Result>
  /** Notes where its clock stands, if it was moved by other than what is in turn. */
  noteClock(): void
  /** Notes that its state was made now. */
  noteMade(): void
  /** Notes that it was put back to its beginning. */
  noteReset(): void
  /** Notes that it is another than before, and not by what was noted. */
  noteRestored(): void
}

/** What a world is made of. */
export interface AdapterWorldParts extends Pick<
  OwnedState,
  'name' | 'family' | 'restore' | 'snapshot' | 'counts' | 'setCounts'
> {
  /** Whether its state is there from the beginning, and not only once a request asks for it. */
  readonly isMadeAtOnce: boolean
  /** Puts the session back to its beginning. */
  readonly reset: () => void
  /** Makes the state, if it is not made. */
  readonly make: () => void
  /** Handles a request again. */
  readonly handle: (request: object) => Awaitable<void>
  readonly clock: { now(): number; set(moment: number): void }
}

/** What happened, and where the clock stood then. */
interface Entry {
  readonly at: number
  readonly request?: object
  readonly did?: 'made' | 'reset'
}

/** A world in which nothing has happened. */
export function createAdapterWorld(given: AdapterWorldParts): AdapterWorld {
  const { isMadeAtOnce, reset, make, handle, clock, ...parts } = given
  let entries: Entry[] = []
  let since: Notes['since'] = 'before'
  let life = 0
  let noted = clock.now()
  let isRedoing = false
  let isInRequest = false
  let turn: Promise<unknown> = Promise.resolve()

  const note = (entry: Omit<Entry, 'at'>): void => {
    if (isRedoing) return
    noted = clock.now()
    // What happened at a moment says where the clock stood, too.
    const last = entries.at(-1)
    if (last?.at === noted && last.request === undefined && last.did === undefined) entries.pop()
    entries.push({ at: noted, ...entry })
  }
  const beginAgain = (from: Notes['since']): void => {
    entries = []
    since = from
    noted = clock.now()
  }
  return {
    ...parts,
    get life() {
      return life
    },
    async begin() {
      life++
      await turn
      isRedoing = true
      reset()
      if (isMadeAtOnce) make()
      isRedoing = false
      beginAgain('before')
    },
    async redo(text) {
      const { at, request, did } = JSON.parse(text) as Entry
      isRedoing = true
      try {
        if (did === 'reset') reset()
        if (clock.now() !== at) clock.set(at)
        if (did === 'made') make()
        if (request !== undefined) await handle(request)
      } finally {
        isRedoing = false
        noted = clock.now()
      }
    },
    take() {
      const taken = { entries: entries.map((entry) => JSON.stringify(entry)), since }
      beginAgain('before')
      return taken
    },
    async settled(work) {
      const before = turn
      let end = (): void => undefined
      turn = new Promise<void>((resolve) => (end = resolve))
      await before
      try {
        return work()
      } finally {
        end()
      }
    },
    async inTurn(mine, work, request) {
      const before = turn
      let end = (): void => undefined
      turn = new Promise<void>((resolve) => (end = resolve))
      try {
        await before
        if (mine !== life) throw new StateElsewhere('it was given up while the request was under way', 1)
        if (request === undefined) return await work()
        note({ request: request() })
        isInRequest = true
        return await work()
      } finally {
        if (isInRequest) noted = clock.now()
        isInRequest = false
        end()
      }
    },
    noteClock() {
      if (clock.now() !== noted) note({})
    },
    noteMade() {
      if (!isInRequest) note({ did: 'made' })
    },
    noteReset() {
      beginAgain('beginning')
      note({ did: 'reset' })
    },
    noteRestored: () => beginAgain('now'),
  }
}
