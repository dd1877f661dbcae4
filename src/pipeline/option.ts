import type { Schema } from '../engine/schema/schema.ts'

/** Says what a value must be, or nothing when it is that. */
export type Check = (value: unknown) => string | undefined

/** What a value may be. */
export interface Form {
  /** Says it in code, in words for messages. */
  readonly check: Check
  /** Says it of files; absent where the form in files is written by hand in the schema of config files. */
  readonly schema?: Schema | undefined
}

/** What the value of an option may be. */
export type Shape =
  | Form
  /** Keys and values of their own. */
  | { readonly table: OptionTable; readonly wanted?: string }
  /** A list of such tables. */
  | { readonly each: OptionTable; readonly needs?: readonly string[] }
  /** Values by names that are the user's, such as headers. */
  | { readonly values: Form }
  /** Judged by another part, which gets the value as it is and names places within it. */
  | { readonly judge: (value: unknown) => readonly PlacedMessage[]; readonly schema: Schema }

/** What is wrong at a place within a value. */
export interface PlacedMessage {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** The flag that gives an option on the command line. */
export interface Flag {
  /** Such as `latency-ms`. */
  readonly name: string
  readonly alias?: string
  /** In place of the option's description. */
  readonly describe?: string
  /** How it is given, where that does not follow from the form of the value. */
  readonly as?: 'string'
  /** What holds where it is not given, for help. */
  readonly otherwise?: string
  readonly requiresArg?: true
  /** Whether help shows it where not all of it is wanted. */
  readonly isCommon?: true
  /** Whether a command cannot do without it. */
  readonly required?: true
  /** The form of its value, where that is narrower than the option's. */
  readonly form?: Form
  /** Checks the value in place of the option's own check. @throws OptionInvalid naming the flag */
  readonly accept?: (flag: string, value: never) => unknown
  /** The option's value, where it is not the flag's. */
  readonly read?: (value: never) => unknown
}

/**
 * The one description of an option: checks, flags, the schema of config files and the reference follow from it.
 * `Record<keyof RouteOptions, Option>` makes a missing row a type error.
 */
export type Option = Shape & {
  /** A sentence. */
  readonly describe?: string
  /** The heading that help lists its flag under. */
  readonly group?: string
  readonly flag?: Flag
  readonly default?: unknown
  /** The page of `docs/` that says more, such as `stateful.md`, for the reference. */
  readonly see?: string
  /** Whether no message may quote the value. */
  readonly secret?: true
}

/** Options by their names in code. */
export type OptionTable = Readonly<Record<string, Option>>

/** `true` or `false` */
export const FLAG = {
  schema: { type: 'boolean' },
  check: (value: unknown) => (typeof value === 'boolean' ? undefined : 'true or false'),
} as const satisfies Form

/** Any text. */
export const TEXT = {
  schema: { type: 'string' },
  check: (value: unknown) => (typeof value === 'string' ? undefined : 'a text'),
} as const satisfies Form

/** A list of texts, which may be empty. */
export const TEXTS = listOf(TEXT, 'a list of texts')

/** A whole number, also below 0. */
export const INTEGER: Form = {
  schema: { type: 'integer' },
  check: (value) => (Number.isSafeInteger(value) ? undefined : 'a whole number'),
}

/** A whole number within bounds. @param what it is called in messages */
export function whole(minimum = 0, maximum = Infinity, what = 'a whole number'): Form {
  const from = minimum === 0 ? ', 0 or more' : ` of ${minimum} or more`
  return {
    schema: { type: 'integer', minimum, ...(maximum < Infinity && { maximum }) },
    check: (value) =>
      Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum
        ? undefined
        : `${what}${maximum < Infinity ? ` from ${minimum} to ${maximum}` : from}`,
  }
}

/** A number within bounds. */
export function number(minimum: number, maximum: number, wanted: string): Form {
  return {
    schema: { type: 'number', minimum, ...(maximum < Infinity && { maximum }) },
    check: (value) =>
      typeof value === 'number' && Number.isFinite(value) && value >= minimum && value <= maximum
        ? undefined
        : wanted,
  }
}

/** One of some texts. */
export function oneOf(names: readonly string[]): Form {
  return {
    schema: { enum: [...names] },
    check: (value) => (names.some((name) => name === value) ? undefined : `one of ${names.join(', ')}`),
  }
}

/** A list of values of one form, which may be empty. */
export function listOf({ schema, check }: Form, wanted: string): Form {
  return {
    ...(schema !== undefined && { schema: { type: 'array', items: schema } }),
    check: (value) =>
      Array.isArray(value) && value.every((item) => check(item) === undefined) ? undefined : wanted,
  }
}

/** An absolute URL of HTTP. */
export function url(example: string): Form {
  return textThat((text) => /^https?:\/\//.test(text) && URL.canParse(text), `a URL such as ${example}`, {
    pattern: '^https?://',
  })
}

/** A text that fits. */
export function textThat(fits: (text: string) => boolean, wanted: string, schema: Schema = {}): Form {
  return {
    schema: { type: 'string', ...schema },
    check: (value) => (typeof value === 'string' && fits(value) ? undefined : wanted),
  }
}
