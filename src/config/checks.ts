/** Says what a value must be, or nothing when it is that. */
export type Check = (value: unknown) => string | undefined

/** `true` or `false` */
export const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false')

/** Any text. */
export const text: Check = (value) => (typeof value === 'string' ? undefined : 'a text')

/** A list of texts, which may be empty. */
export const texts: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? undefined : 'a list of texts'

/** A whole number, 0 or more. */
export const count: Check = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? undefined
    : 'a whole number, 0 or more'

/** One of some texts. */
export const oneOf =
  (names: readonly string[]): Check =>
  (value) =>
    names.some((name) => name === value) ? undefined : `one of ${names.join(', ')}`
