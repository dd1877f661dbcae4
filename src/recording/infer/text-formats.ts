// The forms whose every text is worth a promise; looser ones, such as host names, are met by chance.
const FORMATS: readonly (readonly [string, RegExp])[] = [
  ['date-time', /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['email', /^[^\s@"<>(),:;[\]\\]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i],
  ['uri', /^[a-z][a-z0-9+.-]*:\/\/[^\s<>"{}|\\^`]+$/i],
  ['ipv4', /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}(?<!\.)$/],
]

/** The formats (JSON Schema 2020-12, section 7.3) that a text has. */
export function formatsOf(text: string): ReadonlySet<string> {
  return new Set(
    FORMATS.filter(([format, form]) => form.test(text) && (!format.startsWith('date') || isDay(text))).map(
      ([format]) => format,
    ),
  )
}

// 2026-02-30 has the form of a date, and a validator would refuse it.
function isDay(text: string): boolean {
  const day = text.slice(0, 10)
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}
