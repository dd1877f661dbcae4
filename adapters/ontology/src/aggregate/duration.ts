import { textOf } from '../values/read.ts'
import { ApiError, invalidArgument } from '../errors.ts'

const SECOND_MS = 1000
const DAY_MS = 86_400_000
/** The first Monday there is. */
const MONDAY_MS = 4 * DAY_MS

const FIXED: Readonly<Record<string, number>> = {
  MILLISECONDS: 1,
  SECONDS: SECOND_MS,
  MINUTES: 60 * SECOND_MS,
  HOURS: 3600 * SECOND_MS,
  DAYS: DAY_MS,
}

const CALENDAR: Readonly<Record<string, (date: Date) => number>> = {
  WEEKS: (date) => Math.floor((date.getTime() - MONDAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + MONDAY_MS,
  MONTHS: (date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1),
  QUARTERS: (date) => Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3, 1),
  YEARS: (date) => Date.UTC(date.getUTCFullYear(), 0, 1),
}

const NAMES = [...Object.keys(FIXED), ...Object.keys(CALENDAR)]

/** Finds the beginning of the stretch of time that a moment lies in. */
export const startOf = (value: unknown, unit: unknown, isDate: boolean): ((moment: number) => number) => {
  const name = textOf(unit)
  if (!NAMES.includes(name)) throw invalidArgument(`\`unit\` is one of ${NAMES.join(', ')}`)
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    throw invalidArgument('`value` is a whole number above 0')
  }
  const calendar = CALENDAR[name]
  if (calendar !== undefined) {
    if (value !== 1)
      throw new ApiError('InvalidDurationGroupByValue', {}, 'units above a day come one at a time')
    return (moment) => calendar(new Date(moment))
  }
  const length = (FIXED[name] ?? DAY_MS) * value
  if (isDate && length < DAY_MS) {
    throw new ApiError('InvalidDurationGroupByValue', {}, 'dates have no stretches below a day')
  }
  return (moment) => Math.floor(moment / length) * length
}
