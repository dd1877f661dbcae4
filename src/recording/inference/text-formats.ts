import { createChecker } from '../../engine/schema/checker.ts'
import type { Schema } from '../../engine/schema/schema.ts'

// The forms whose every text is worth a promise; looser ones, such as host names, are met by chance.
const FORMS: readonly (readonly [string, RegExp])[] = [
  ['date-time', /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['email', /^[^\s@"<>(),:;[\]\\]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i],
  ['uri', /^[a-z][a-z0-9+.-]*:\/\/[^\s<>"{}|\\^`]+$/i],
  ['ipv4', /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}(?<!\.)$/],
]
const FORMATS = FORMS.map(([format, form]) => ({ form, format, model: { type: 'string', format } as Schema }))

const checker = createChecker({})

/**
 * The formats (JSON Schema 2020-12, section 7.3) that a text has. A validator agrees with all of them: 2026-02-30 has the
 * form of a date, and is none.
 */
export function formatsOf(text: string): ReadonlySet<string> {
  const alike = FORMATS.filter(({ form, model }) => form.test(text) && checker.fits(text, model))
  return new Set(alike.map(({ format }) => format))
}
