import type { Recent } from '../counters.ts'
import { createReplays, type Replays } from '../replays.ts'
import { createSharedCounters } from './counters.ts'
import type { LoadContext } from './session-context.ts'

/** What a session was given of a recording, by whatever gateway. */
export interface SharedReplays {
  /** Runs work that knows what all gateways gave until now, and passes on what it gives itself. */
  run<Result>(work: (replays: Replays) => Promise<Result>): Promise<Result>
  /** Lets go of what is known here. */
  drop(): void
}

/** Lists of what was given, by the letters that they have in the stream. */
const LISTS = { w: 'writes', g: 'given', e: 'exchanged', d: 'drawn' } as const

type Letter = keyof typeof LISTS

/** That something was put into a list. */
type Note = readonly [list: Letter, key: string, value: string]

type Row = readonly [id: string, fields: readonly [name: string, notes: string]]

/** What was noted before so many others is forgotten by gateways that come later. */
const MAX_NOTES = 5000
const PAGE = 1000

/**
 * Turns are counted on the server, one by one. All else is a stream of what was noted, which each gateway reads on and
 * has in memory.
 */
export function createSharedReplays(context: LoadContext): SharedReplays {
  const { ask, keys } = context
  const stream = `${keys.prefix}r`
  const turns = createSharedCounters(context, 'r')
  const known = createReplays()
  const listOf = (list: Letter): Recent<string> => known[LISTS[list]]
  let from = '-'
  let life = 0

  const readOn = async (): Promise<void> => {
    for (;;) {
      const began = life
      const rows = (await ask.command(
        ['XRANGE', stream, from, '+', 'COUNT', String(PAGE)],
        true,
      )) as readonly Row[]
      // What was read of before a reset says nothing of after.
      if (began !== life) continue
      for (const [id, [, notes]] of rows) {
        from = `(${id}`
        for (const [list, key, value] of JSON.parse(notes) as Note[]) listOf(list).add(key, value)
      }
      if (rows.length < PAGE) return
    }
  }
  const send = async (notes: readonly Note[]): Promise<void> => {
    const entry = ['*', 'n', JSON.stringify(notes)]
    if (notes.length > 0) await ask.command(['XADD', stream, 'MAXLEN', '~', String(MAX_NOTES), ...entry])
  }
  return {
    async run(work) {
      const notes: Note[] = []
      const noting = (list: Letter, recent: Recent<string>): Recent<string> => ({
        ...recent,
        add(key, value) {
          notes.push([list, key, value])
          return recent.add(key, value)
        },
        delete(key) {
          const own = notes.findLastIndex((note) => note[0] === list && note[1] === key)
          if (own !== -1) notes.splice(own, 1)
          return recent.delete(key)
        },
      })
      await readOn()
      const result = await work({
        ...{ turns, writes: noting('w', known.writes), given: noting('g', known.given) },
        ...{ exchanged: noting('e', known.exchanged), drawn: noting('d', known.drawn) },
        // Secrets are not passed on.
        sent: known.sent,
        reset: () => known.reset(),
      })
      await send(notes)
      return result
    },
    drop() {
      life++
      from = '-'
      known.reset()
    },
  }
}
