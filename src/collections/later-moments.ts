import type { Item } from '../state/store.ts'

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/
const DAY_MS = 86_400_000

/** What a change makes anew of an item: no moment of it lies before the one that the item had. */
export function laterThan(stored: Item, made: Item): Item {
  return Object.fromEntries(Object.entries(made).map(([name, value]) => [name, later(stored[name], value)]))
}

function later(before: unknown, made: unknown): unknown {
  if (typeof before !== 'string' || typeof made !== 'string') return made
  if (!MOMENT.test(before) || !MOMENT.test(made)) return made
  const [known, drawn] = [Date.parse(before), Date.parse(made)]
  if (!(drawn <= known)) return made
  // Within a day of it.
  const moment = new Date(known + 1000 + (drawn % DAY_MS))
  return moment.toISOString().slice(0, 19) + made.slice(19)
}
