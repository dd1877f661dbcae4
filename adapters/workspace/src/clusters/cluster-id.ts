import type { IdSource } from 'sim-gateway/adapter'

// The last moment that a Date has.
const LATEST = 8.64e15

/** An id in the service's shape, `MMDD-HHMMSS-` and eight letters and digits, that is like no other. */
export function clusterIdOf(
  ids: IdSource,
  moment: number,
  sequence: number,
  isTaken: (id: string) => boolean,
): string {
  const [, month, day, hours, minutes, seconds] = /-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/.exec(
    new Date(Math.min(moment, LATEST)).toISOString(),
  ) as unknown as string[]
  const stem = `${month}${day}-${hours}${minutes}${seconds}`
  for (let attempt = 0; ; attempt += 1) {
    const id = `${stem}-${ids.hex(8, 'cluster', sequence, attempt)}`
    if (!isTaken(id)) return id
  }
}
