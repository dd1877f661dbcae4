import type { Position } from './schema/position.ts'

/** Where a value comes from. Beside its kind it says what that kind has. */
export interface Origin {
  readonly origin: 'link' | 'seed' | 'example' | 'default' | 'const' | 'enum' | 'store' | 'page-table'
  readonly [field: string]: string
}

/** A value as it was made of a model. */
export interface Made {
  readonly at: Position
  /** Absent where only its parts come from somewhere. */
  readonly origin: Origin | undefined
  readonly value: unknown
  /** Values that were made on the way, the first first; some may have been given up. */
  readonly parts: readonly Made[]
}

/** Sees what the values of an answer are made of. Only an engine that is made for that has one. */
export interface Observer {
  /** A value begins to be made; what is made until it ends is part of it. */
  begin(at: Position, origin: Origin | undefined): void
  end(value: unknown): void
  /** It was given up, or left to others. */
  drop(): void
  /** A value was taken from somewhere as it is. */
  take(value: unknown, origin: Origin): void
}

/** What an observer saw. */
export interface Observed extends Observer {
  readonly made: readonly Made[]
  readonly taken: readonly { readonly value: unknown; readonly origin: Origin }[]
}

interface Begun {
  readonly at: Position
  readonly origin: Origin | undefined
  readonly parts: Made[]
}

/** The most values that are remembered. */
const MAX_MADE = 200_000

/** An observer that has seen nothing yet. */
export function createObserver(): Observed {
  const made: Made[] = []
  const taken: { readonly value: unknown; readonly origin: Origin }[] = []
  const open: Begun[] = []
  let count = 0
  return {
    made,
    taken,
    begin: (at, origin) => void open.push({ at, origin, parts: [] }),
    end(value) {
      const begun = open.pop()
      if (begun === undefined || ++count > MAX_MADE) return
      ;(open.at(-1)?.parts ?? made).push({ ...begun, value })
    },
    drop: () => void open.pop(),
    take: (value, origin) => void taken.push({ value, origin }),
  }
}
