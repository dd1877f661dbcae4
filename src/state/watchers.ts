/** Hears what is changed. */
type Listener = (change: unknown) => void

/** Who wants to know of changes, by what is watched. */
export interface Watchers {
  /** @returns what ends it */
  watch(subject: object, listener: Listener): () => void
  notify(subject: object, change: unknown): void
}

/** Nobody watches yet. */
export function createWatchers(): Watchers {
  const listeners = new Map<object, Set<Listener>>()
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
