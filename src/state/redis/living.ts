/** How often a gateway says that it is there. */
export const BEAT_MS = 300
/** How long that counts: longer than it takes to notice that the server hangs. */
export const BEAT_COUNTS_MS = 2500
/** How long this gateway may go without having heard that it lacks no change. */
export const UNSURE_MS = 2400

/** A gateway that is there. */
export interface Living {
  readonly name: string
  readonly instance: string
  readonly applied: number
  /** Where others reach it; empty where they do not. */
  readonly peer: string
}

/** Reads what scripts say of the living: name, instance, version and address, in turn. */
export function readLiving(flat: readonly string[]): Living[] {
  return Array.from({ length: flat.length / 4 }, (_, index) => {
    const [name = '', instance = '', applied = '0', peer = ''] = flat.slice(4 * index, 4 * index + 4)
    return { name, instance, applied: Number(applied), peer: peer === '-' ? '' : peer }
  })
}
