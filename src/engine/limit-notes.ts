import { channel } from 'node:diagnostics_channel'

/** What a document wants that is not done in full, since it would take too long or too much. */
export type NoteLimit = (message: string) => void

// Models are compiled and checked in many places, none of which has a log.
const notes = channel('sim-gateway.limits')
const MAX_NOTES = 1000

/** Says that a limit was reached. */
export const noteLimit: NoteLimit = (message) => {
  if (notes.hasSubscribers) notes.publish(message)
}

/** Hears of each limit that is reached in this process from now on, once; returns what ends that. */
export function onLimit(note: NoteLimit): () => void {
  const known = new Set<unknown>()
  const listener = (message: unknown): void => {
    if (known.has(message) || known.size >= MAX_NOTES) return
    known.add(message)
    note(String(message))
  }
  notes.subscribe(listener)
  return () => notes.unsubscribe(listener)
}
