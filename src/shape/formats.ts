import { createChecker } from '../engine/schema/checker.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { createMemo } from '../memo.ts'

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
/** Times and ids of the same items come in answer after answer. */
const MAX_FORMATTED = 10_000
const formatted = createMemo<readonly string[]>(MAX_FORMATTED)
const NONE: readonly string[] = []

/**
 * The formats (JSON Schema 2020-12, section 7.3) that a text has. A validator agrees with all of them: 2026-02-30 has the
 * form of a date, and is none.
 */
export function formatsOf(text: string): readonly string[] {
  const formed = FORMATS.filter(({ form }) => form.test(text))
  if (formed.length === 0) return NONE
  const known = formatted.get(text)
  if (known !== undefined) return known
  const formats = formed.filter(({ model }) => checker.fits(text, model)).map(({ format }) => format)
  formatted.set(text, formats)
  return formats
}

/** A text that spells a decimal number and nothing else. Bounded, so that texts made of it stay short. */
export const NUMERIC = '^-?\\d{1,15}(\\.\\d{1,15})?$'

const numeric = new RegExp(NUMERIC)

/** Whether a text spells a number. */
export function isNumeric(text: string): boolean {
  return numeric.test(text)
}
