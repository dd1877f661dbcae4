import { createHash } from 'node:crypto'

/** Bodies that were read. Equal ones are one value, and once they are too many, no more are kept. */
export interface Bodies {
  /**
   * What is made of a body; `undefined` where it is one too many.
   * @param form what it is read as: the same bytes may be JSON here and text there
   */
  read(form: string, bytes: Buffer, make: () => unknown): unknown
  /** How many were not kept. */
  readonly cut: number
}

/** @param most the bytes of different bodies that are kept */
export function createBodies(most = Infinity): Bodies {
  const known = new Map<string, unknown>()
  let [bytesKept, cut] = [0, 0]
  return {
    get cut() {
      return cut
    },
    read(form, bytes, make) {
      const key = `${form} ${createHash('sha256').update(bytes).digest('base64')}`
      if (known.has(key)) return known.get(key)
      if (bytesKept + bytes.length > most) {
        cut++
        return undefined
      }
      bytesKept += bytes.length
      const value = make()
      known.set(key, value)
      return value
    },
  }
}
