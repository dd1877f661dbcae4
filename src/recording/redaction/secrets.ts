import { createHmac } from 'node:crypto'
import { compileLinear, type LinearPattern } from '../../engine/linear-pattern.ts'
import { OptionInvalid } from '../../errors.ts'
import { createMemo } from '../../memo.ts'
import { createQuoteHarmless, type QuoteHarmless } from './harmless-json.ts'

/** What is hidden besides what always is, and what is not. */
export interface RedactionRules {
  /** Names of headers, cookies, fields and parameters whose values are secrets; `*` stands for any characters. */
  readonly names?: readonly string[] | undefined
  /** Names whose values are none, whatever else says so. What looks like a secret by itself is still hidden. */
  readonly except?: readonly string[] | undefined
  /** Regular expressions of texts that are secrets wherever they are. */
  readonly patterns?: readonly string[] | undefined
}

/** Which values are secrets, and what is written in their place. */
export interface Secrets {
  /** Texts that are secrets by how they look, besides the shapes that are always known. */
  readonly patterns: readonly LinearPattern[]
  /** Whether a JSON field, a form field or a header of this name holds a secret. */
  isSecretName(this: void, name: string): boolean
  /** Whether a query parameter or form field of this name holds a secret; `key` and `auth` do here. */
  isSecretParameter(this: void, name: string): boolean
  /** Whether the rules say that what has this name is harmless. */
  isExemptName(this: void, name: string): boolean
  /** Recognizes JSON without secrets, but for those that are known by how they look. */
  readonly quoteHarmless: QuoteHarmless
  /** @see pseudonymize */
  pseudonymize(this: void, value: string): string
}

/**
 * @param key what pseudonyms are made with
 * @param more names that are secret besides those of the rules
 * @throws OptionInvalid for a pattern that is not a regular expression, or one that fits everything
 */
export function compileSecrets(
  { names = [], except = [], patterns = [] }: RedactionRules,
  key?: Buffer,
  more: readonly string[] = [],
): Secrets {
  const isNamed = matcherOf([...names, ...more])
  const isExempt = matcherOf(except)
  const isSecret = (name: string): boolean =>
    !isExempt(name) &&
    (SECRET_WORDS.has(name) || isNamed(name) || (SECRET.test(name) && !POSITION.test(name)))
  const known = createMemo<boolean>()
  const isSecretName = (name: string): boolean => {
    const before = known.get(name)
    if (before !== undefined) return before
    const found = isSecret(normalizeName(name))
    known.set(name, found)
    return found
  }
  return {
    patterns: patterns.map(patternOf),
    isSecretName,
    // A pattern may fit anything, and `value` belongs to the name that another member has.
    quoteHarmless:
      patterns.length > 0
        ? () => undefined
        : createQuoteHarmless((name) => isSecretName(name) || PAIR_VALUE.test(name)),
    isSecretParameter(name) {
      const normal = normalizeName(name)
      return isSecret(normal) || (SECRET_PARAMETERS.has(normal) && !isExempt(normal))
    },
    isExemptName: (name) => isExempt(normalizeName(name)),
    pseudonymize: (value) => pseudonymize(value, key),
  }
}

/** What a member is called whose name is the value of another, with or without quotes. */
export const PAIR_VALUE = /^"?value"?$/i

/** Secrets that are also added to a set when they are hidden. */
export function collectSecrets(secrets: Secrets, collected: Set<string>): Secrets {
  return {
    ...secrets,
    pseudonymize(value) {
      const pseudonym = secrets.pseudonymize(value)
      if (pseudonym !== value) collected.add(value)
      return pseudonym
    },
  }
}

/** What is written in place of a secret: 64 bits of its keyed hash, so that it cannot be read back. */
const PSEUDONYM = /^redacted-[0-9a-f]{16}$/

/** Finds pseudonyms in a text, to split it. */
export const PSEUDONYM_TEXT = /(redacted-[0-9a-f]{16}|\[redacted\]|%5Bredacted%5D)/g

/**
 * The pseudonym of a secret: HMAC-SHA-256 (RFC 2104), cut short. An empty value is not a secret and stays, so that its
 * absence can be seen; and so does a pseudonym, so that a recording can be redacted again. Where the key is the same,
 * equal secrets have equal pseudonyms; without one, all have the same.
 */
export function pseudonymize(value: string, key: Buffer | undefined): string {
  if (value === '' || value === '[redacted]' || PSEUDONYM.test(value)) return value
  if (key === undefined) return '[redacted]'
  return `redacted-${createHmac('sha256', key).update(value).digest('hex').slice(0, 16)}`
}

/** A text in which all hidden secrets are one, for comparisons that they must not decide. */
export function withoutPseudonyms(text: string): string {
  return text.replaceAll(/redacted-[0-9a-f]{16}|\[redacted\]|%5Bredacted%5D/gi, 'redacted')
}

/** Whether a text was hidden, or a part of it, so that neither its type nor its form is known. */
export function isHidden(text: string): boolean {
  return withoutPseudonyms(text) !== text
}

// Names are compared in lower case and without separators, so that `X-Api-Key`, `api_key` and `apiKey` are one.
function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

function matcherOf(names: readonly string[]): (name: string) => boolean {
  if (names.length === 0) return () => false
  const forms = names.map((name) => name.split('*').map(normalizeName).join('.*'))
  const pattern = new RegExp(`^(?:${forms.join('|')})$`)
  return (name) => pattern.test(name)
}

function patternOf(source: string): LinearPattern {
  try {
    const pattern = compileLinear(source)
    if (!pattern.test('')) return pattern
  } catch (error) {
    throw new OptionInvalid(
      `The pattern of secrets '${source}' cannot be used: ${(error as Error).message}`,
      {
        cause: error,
      },
    )
  }
  throw new OptionInvalid(`A pattern of secrets must not fit an empty text, as '${source}' does`)
}

// The end of a name says what it holds: `access_token` is a token, `token_type` and `keyword` are not.
const SECRET = new RegExp(
  `(${[
    'token|secret|password|passwd|passphrase|jwt|signature|credential|assertion|authorization|csrf|xsrf',
    'sessionid|sessionkey|connectionstring|accesskeyid|passcode|sessid|verificationcode|recoverycode',
    '(api|app|application|access|secret|private|signing|auth|account|shared|master|encryption)key',
    '(customer|consumer|functions|subscription|license)key|apikeys|passwords|(access|refresh|api)tokens',
  ].join('|')})(\\d+|hash|value|string|plain|confirm|confirmation)?$`,
)

const SECRET_WORDS = new Set([
  ...['session', 'sig', 'pwd', 'pass', 'otp', 'bearer', 'cookie', 'setcookie', 'xauth', 'codeverifier'],
  ...['totp', 'mfacode', 'phpsessid'],
])

// Positions in a list and names of retries are harmless, and replay needs them.
const POSITION =
  /(page|next|prev|previous|continuation|cursor|sync|paging|pagination|skip|delta|change|resume|start)token$/

// Too common as field names in JSON, but as parameters they carry credentials (`?key=AIza…`, `?auth=…`).
const SECRET_PARAMETERS = new Set(['key', 'auth', 'sid'])
