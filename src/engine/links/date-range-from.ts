import { defineLink, KEEP } from './link.ts'

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
    const [start, end] = [input[startField], input[endField]].map(String) as [string, string]
    const startMs = readMoment(start)
    const lastMs = readMoment(end)
    if (Number.isNaN(startMs) || Number.isNaN(lastMs)) return KEEP

    const wholeDay = PLAIN_DATE.test(end) && (lastMs > startMs || !PLAIN_DATE.test(start))
    const endMs = wholeDay ? lastMs + DAY_MS - 1000 : lastMs
    const moment = new Date(startMs + Math.floor(random() * Math.max(0, endMs - startMs))).toISOString()
    return schema['format'] === 'date' ? moment.slice(0, 10) : moment
  },
  inputFields: (start: string, end: string) => [start, end],
})

// A time without an offset counts as UTC, so that the answer does not depend on where the gateway runs.
function readMoment(text: string): number {
  if (PLAIN_DATE.test(text)) return Date.parse(text)
  const [, date, time, offset = 'Z'] = DATE_TIME.exec(text) ?? []
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}${offset.toUpperCase()}`)
}
