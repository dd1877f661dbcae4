import { defineLink, KEEP, textsOf } from './link.ts'

const DAY_MS = 86_400_000
const PLAIN_DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)([Zz]|[+-]\d{2}:?\d{2})?$/

/**
 * A moment between two input fields, each a date or a date-time. A plain date as the end means the end of that
 * day. An empty or inverted range gives its start; an unreadable or missing side leaves the field generated.
 * A field of format `date` gets a date, any other an RFC 3339 date-time in UTC.
 */
export const DateRangeFrom = defineLink('dateRangeFrom', {
  resolve({ input, random, schema }, startField: string, endField: string) {
    const [start, end] = [textAt(input, startField), textAt(input, endField)]
    const startMs = readMoment(start)
    const lastMs = readMoment(end)
    if (Number.isNaN(startMs) || Number.isNaN(lastMs)) return KEEP

    const wholeDay = PLAIN_DATE.test(end) && (lastMs > startMs || !PLAIN_DATE.test(start))
    const endMs = wholeDay ? lastMs + DAY_MS - 1000 : lastMs
    const moment = new Date(startMs + Math.floor(random() * Math.max(0, endMs - startMs))).toISOString()
    return schema['format'] === 'date' ? moment.slice(0, 10) : moment
  },
  inputFields: (start: string, end: string) => [start, end],
  readsInputOnly: () => true,
  fromData: textsOf('dateRangeFrom takes the names of two input fields: [<start>, <end>]', 2),
})

function textAt(input: Readonly<Record<string, unknown>>, field: string): string {
  const value = input[field]
  return typeof value === 'string' ? value : ''
}

// A time without an offset counts as UTC, so that the answer does not depend on where the gateway runs.
function readMoment(text: string): number {
  const [, date = text, time = '00:00', offset = 'Z'] = DATE_TIME.exec(text) ?? []
  return isDay(date) ? Date.parse(`${date}T${time}${offset.toUpperCase()}`) : Number.NaN
}

// The 30th of February reads as a day of March.
function isDay(date: string): boolean {
  const moment = PLAIN_DATE.test(date) ? new Date(`${date}T00:00Z`) : new Date(Number.NaN)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(date)
}
