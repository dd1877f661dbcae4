import { createChecker } from '../engine/schema/checker.ts'
import type { Schema } from '../engine/schema/schema.ts'

export const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

// The forms whose every text is worth a promise; looser ones, such as host names, are met by chance.
const FORMS: readonly (readonly [string, RegExp])[] = [
  ['date-time', /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i],
  ['date', DATE],
  ['uuid', UUID],
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
export function formatsOf(text: string): readonly string[] {
  return FORMATS.filter(({ form, model }) => form.test(text) && checker.fits(text, model)).map(
    ({ format }) => format,
  )
}

/** A text that spells a decimal number and nothing else. Bounded, so that texts made of it stay short. */
export const NUMERIC = '^-?\\d{1,15}(\\.\\d{1,15})?$'

const numeric = new RegExp(NUMERIC)

/** Whether a text spells a number. */
export function isNumeric(text: string): boolean {
  return numeric.test(text)
}
