import { Temporal } from 'temporal-polyfill'
import { invalidArgument } from '../errors.ts'
import { fieldOf } from '../ontology/scope.ts'
import { kindOf } from '../values/kinds.ts'
import { type Comparable, elementType, isRecord, textOf } from '../values/value.ts'
import { notSupported, type Operator, someValue } from './operator.ts'

const MAX_VALUE = 100_000
const UNITS = { DAY: 'days', WEEK: 'weeks', MONTH: 'months', YEAR: 'years' } as const
const UNIT_NAMES = ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const
type Day = Temporal.PlainDate

/** The day that it is in a time zone. */
export const dayIn = (moment: number, timeZone: string): Day =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone).toPlainDate()

/** The moment at which a day begins in a time zone; where the clocks leap at midnight, that is later. */
export const startOfDay = (day: Day, timeZone: string): number =>
  day.toZonedDateTime(timeZone).epochMilliseconds

/** A day so many units later, or earlier; a month that is too short ends the day before. */
export const addUnits = (day: Day, value: number, unit: keyof typeof UNITS): Day =>
  day.add({ [UNITS[unit]]: value })

const zoneOf = (timeZoneId: unknown): string => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: textOf(timeZoneId) }).resolvedOptions().timeZone
  } catch {
    throw invalidArgument(`"${textOf(timeZoneId)}" is not a time zone; use one such as Europe/Berlin`)
  }
}

const boundOf = (bound: unknown, today: Day): Day | undefined => {
  if (bound === undefined || bound === null) return undefined
  if (!isRecord(bound) || bound['type'] !== 'relativePoint')
    throw invalidArgument('a bound is a `relativePoint`')
  const { value, timeUnit } = bound
  const unit = UNIT_NAMES.find((known) => known === timeUnit)
  if (
    typeof value !== 'number' ||
    !Number.isInteger(value) ||
    Math.abs(value) > MAX_VALUE ||
    unit === undefined
  ) {
    throw invalidArgument(`a bound has a whole \`value\` and a \`timeUnit\`, one of ${UNIT_NAMES.join(', ')}`)
  }
  return addUnits(today, value, unit)
}

/** The clause over days from now: the first bound is the first day in, the second the first day out. */
export const RELATIVE_DATE: Readonly<Record<string, Operator>> = {
  relativeDateRange: (clause, { scope, now }) => {
    const field = fieldOf(scope, clause)
    const type = elementType(field.type)
    const { comparable, isInstant } = kindOf(type)
    if (comparable === undefined || isInstant !== true) throw notSupported(clause, field)
    const zone = zoneOf(clause['timeZoneId'])
    const today = dayIn(now, zone)
    const toComparable = (day: Day | undefined): Comparable | undefined =>
      day && (type.type === 'date' ? String(day) : startOfDay(day, zone))
    const start = toComparable(boundOf(clause['relativeStartTime'], today))
    const end = toComparable(boundOf(clause['relativeEndTime'], today))
    return someValue(field, (value) => {
      const moment = comparable(value)
      return (start === undefined || moment >= start) && (end === undefined || moment < end)
    })
  },
}
