/** Has those who want the same things go one after the other. */
export interface Turns {
  areFree(names: readonly string[]): boolean
  /** Waits until nobody else has one of these; returns what lets the next go. */
  take(names: readonly string[]): Promise<() => void>
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>()
  const takeOne = async (name: string): Promise<() => void> => {
    const before = last.get(name)
    let release = (): void => {}
    const own = new Promise<void>((resolve) => (release = resolve))
    last.set(name, own)
    await before
    return () => {
      if (last.get(name) === own) last.delete(name)
      release()
    }
  }
  return {
    areFree: (names) => names.every((name) => !last.has(name)),
    async take(names) {
      const releases: (() => void)[] = []
      // In one order for all, so that no two wait for each other.
      for (const name of names.toSorted()) releases.push(await takeOne(name))
      return () => {
        for (const release of releases) release()
      }
    },
  }
}
