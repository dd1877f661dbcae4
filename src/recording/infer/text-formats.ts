// The forms whose every text is worth a promise; looser ones, such as host names, are met by chance.
const FORMATS: readonly (readonly [string, RegExp])[] = [
  ['date-time', /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d(\.\d+)?(Z|[+-][0-2]\d:[0-5]\d)$/i],
  ['date', /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/],
  ['uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['email', /^[^\s@"<>(),:;[\]\\]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i],
  ['uri', /^[a-z][a-z0-9+.-]*:\/\/[^\s<>"{}|\\^`]+$/i],
  ['ipv4', /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}(?<!\.)$/],
]

/** The formats (JSON Schema 2020-12, section 7.3) that a text has. */
export function formatsOf(text: string): ReadonlySet<string> {
  return new Set(FORMATS.filter(([, form]) => form.test(text)).map(([format]) => format))
}
