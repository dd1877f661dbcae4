/** Bytes that may wait to be written, and those who wait for there to be fewer. */
export interface Room {
  taken(): number
  /** Whether less is taken than there is. */
  hasSome(): boolean
  /** Whether twice as much is taken as there is. */
  isOverfull(): boolean
  take(bytes: number): void
  release(bytes: number): void
  /** What to wait for, until there is room; `undefined` when there is. */
  wait(): Promise<void> | undefined
}

/** @param bytes how many may wait before sources are slowed down */
export function createRoom(bytes: number): Room {
  let taken = 0
  let freed: Promise<void> | undefined
  let free = (): void => undefined
  const hasSome = (): boolean => taken <= bytes
  return {
    taken: () => taken,
    hasSome,
    isOverfull: () => taken > 2 * bytes,
    take(more) {
      taken += more
    },
    release(less) {
      taken -= less
      if (!hasSome() || freed === undefined) return
      freed = undefined
      free()
    },
    wait() {
      if (hasSome()) return undefined
      return (freed ??= new Promise((resolve) => (free = resolve)))
    },
  }
}
