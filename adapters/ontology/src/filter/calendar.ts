/** A day of the calendar. */
export interface Day {
  readonly year: number
  /** From 0. */
  readonly month: number
  readonly day: number
}

export const TIME_UNITS = ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const
export type TimeUnit = (typeof TIME_UNITS)[number]

const fromUtc = (moment: number): Day => {
  const date = new Date(moment)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() }
}

const toUtc = ({ year, month, day }: Day): number => Date.UTC(year, month, day)

/** What the clocks of a time zone show at a moment, as if it were UTC. */
const localTime = (moment: number, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment)
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

/** The day that it is in a time zone. */
export const dayIn = (moment: number, timeZone: string): Day => fromUtc(localTime(moment, timeZone))

/** The moment at which a day begins in a time zone. */
export const midnightIn = (day: Day, timeZone: string): number => {
  const wanted = toUtc(day)
  let moment = wanted
  // The offset at the guess may not be that at the answer: a second look settles it.
  for (let look = 0; look < 2; look++) moment = wanted - (localTime(moment, timeZone) - moment)
  return moment
}

const monthLength = (year: number, month: number): number =>
  new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/** A day so many units later, or earlier; a month that is too short ends the day before. */
export const addUnits = ({ year, month, day }: Day, value: number, unit: TimeUnit): Day => {
  if (unit === 'DAY' || unit === 'WEEK') {
    return fromUtc(Date.UTC(year, month, day + value * (unit === 'WEEK' ? 7 : 1)))
  }
  const first = fromUtc(Date.UTC(year, month + value * (unit === 'YEAR' ? 12 : 1), 1))
  return { ...first, day: Math.min(day, monthLength(first.year, first.month)) }
}

/** The day as a date property holds it. */
export const dateText = (day: Day): string => new Date(toUtc(day)).toISOString().slice(0, 10)
