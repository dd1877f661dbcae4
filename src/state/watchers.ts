import type { Awaitable } from '../message.ts'

/** Hears what is changed. */
type Listener = (change: unknown) => void

/** Who wants to know of changes, by what is watched. */
export interface Watchers {
  /** @returns what ends it */
  watch(subject: string, listener: Listener): () => void
  /** Notifies all who watch, at whatever gateway. @param change what can be written as JSON */
  notify(subject: string, change: unknown): Awaitable<void>
}

/** Those of this process. */
export interface OwnWatchers extends Watchers {
  notify(subject: string, change: unknown): void
}

/** Nobody watches yet. */
export function createWatchers(): OwnWatchers {
  const listeners = new Map<string, Set<Listener>>()
  return {
    watch(subject, listener) {
      const known = listeners.get(subject) ?? new Set()
      listeners.set(subject, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0) listeners.delete(subject)
      }
    },
    notify(subject, change) {
      for (const listener of listeners.get(subject) ?? []) listener(change)
    },
  }
}
