const HOUR = 3_600_000_000_000n
/** Nanoseconds by the names of units. */
const UNITS: ReadonlyMap<string, bigint> = new Map(
  Object.entries({
    ...{ n: 1n, ns: 1n, u: 1000n, µ: 1000n, ms: 1_000_000n, s: 1_000_000_000n, m: 60_000_000_000n },
    ...{ h: HOUR, d: 24n * HOUR, w: 168n * HOUR },
  }),
)

/** How many nanoseconds a unit has, in which times are sent; those without one are nanoseconds. */
export function unitOf(precision: string | undefined): bigint {
  return UNITS.get(precision ?? 'n') ?? 1n
}

/** A duration such as `5m` in nanoseconds. */
export function nanosecondsIn(text: string): bigint {
  const [, count = '0', unit = 's'] = /^(\d+)(?:\.\d+)?(ns|ms|[uµsmhdw])$/u.exec(text) ?? []
  return BigInt(count) * (UNITS.get(unit) ?? 1n)
}

/** A moment as RFC 3339 has it, or with a space and without a zone, in nanoseconds since 1970; `undefined` for none. */
export function momentIn(text: string): bigint | undefined {
  const [, day, time = '00:00:00', digits = '', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  if (day === undefined) return undefined
  const seconds = Date.parse(`${day}T${time}${zone}`) / 1000
  return Number.isNaN(seconds) ? undefined : BigInt(seconds) * 1_000_000_000n + BigInt(digits.padEnd(9, '0'))
}

/** A time as answers have it: as RFC 3339, or as a number of some unit. */
export function writtenTime(time: bigint, epoch: string | undefined): string | number {
  const unit = UNITS.get(epoch ?? '')
  if (unit !== undefined) return Number(time / unit)
  const moment = new Date(Number(time / 1_000_000n)).toISOString().slice(0, 19)
  const digits = String(((time % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0{1,9}$/, '')
  return `${moment}${digits === '' ? '' : `.${digits}`}Z`
}
