import type { Exchange } from './exchange.ts'
import { bodiesOf } from './rewrite.ts'

/** Bodies that are being stored, or are stored and not yet named by a line, which nothing may remove. */
export interface KeptBodies {
  /** Stores a body, and keeps it until it is named. */
  keep(store: () => Promise<string>): Promise<string>
  /** An exchange was written, which names its bodies from now on. */
  isNamed(exchange: Exchange | undefined): void
  /** Does something while no body is being stored. */
  alone(work: (isKept: (sha256: string) => boolean) => Promise<void>): Promise<void>
}

/** Keeps none yet. */
export function createKeptBodies(): KeptBodies {
  const counts = new Map<string, number>()
  const storing = new Set<Promise<unknown>>()
  let working: Promise<void> | undefined

  const untilFree = async (): Promise<void> => {
    if (working === undefined) return
    await working.catch(() => undefined)
    return untilFree()
  }
  const storeOne = async (store: () => Promise<string>): Promise<string> => {
    await untilFree()
    const stored = store()
    storing.add(stored)
    try {
      const sha256 = await stored
      counts.set(sha256, (counts.get(sha256) ?? 0) + 1)
      return sha256
    } finally {
      storing.delete(stored)
    }
  }
  return {
    keep: storeOne,
    isNamed(exchange) {
      for (const sha256 of exchange === undefined ? [] : bodiesOf(exchange)) {
        const left = (counts.get(sha256) ?? 0) - 1
        if (left > 0) counts.set(sha256, left)
        else counts.delete(sha256)
      }
    },
    async alone(work) {
      working = Promise.allSettled(storing).then(() => work((sha256) => counts.has(sha256)))
      try {
        await working
      } finally {
        working = undefined
      }
    },
  }
}
