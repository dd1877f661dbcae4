import { createHmac } from 'node:crypto'
import { compileLinear, type LinearPattern } from '../../engine/linear-pattern.ts'
import { OptionInvalid } from '../../errors.ts'
import { createMemo } from '../../memo.ts'
import { createQuoteHarmless, type QuoteHarmless } from './harmless-json.ts'
import { type Inflating, MAX_INFLATED } from './redact-gzip.ts'
import { hasFormOf, isOfItems, isSignedBy, SECRET_PARAMETERS } from './parameters.ts'
import { isLabelOf, isOfKind, kindOfName, type NameKind, normalizeName } from './names.ts'
import {
  isFileName,
  isPlaceholder,
  isPublic,
  isSample,
  looksCoined,
  looksLikeBasic,
  looksLikePhrase,
  looksRandom,
} from './random-look.ts'

/** What is hidden besides what always is, and what is not. */
export interface RedactionRules {
  /** Names of headers, cookies, fields and parameters whose values are secrets; `*` stands for any characters. */
  readonly names?: readonly string[] | undefined
  /** Names whose values are none, whatever else says so. What looks like a secret by itself is still hidden. */
  readonly except?: readonly string[] | undefined
  /** Regular expressions of texts that are secrets wherever they are. */
  readonly patterns?: readonly string[] | undefined
}

/** Names that hold secrets besides those that always do, where `*` stands for any characters, and what they say. */
export interface MoreNames {
  readonly names: readonly string[]
  readonly kind: NameKind
}

/** Which values are secrets, and what is written in their place. */
export interface Secrets {
  /** Whether what is looked into is a script, where only literals and comments hold secrets. */
  readonly isScript?: boolean
  /** Texts that are secrets by how they look, besides the shapes that are always known. */
  readonly patterns: readonly LinearPattern[]
  /** Whether a JSON field, a form field or a header of this name holds a secret. */
  isSecretName(this: void, name: string): boolean
  /** Whether the value of this name is a secret, by the name or by what it looks like under such a name. */
  hides(this: void, name: string, value: string): boolean
  /** Whether there are texts that are secrets under this name, and below it which. */
  kindOf(this: void, name: string): NameKind
  /** Whether a query parameter or form field of this name holds a secret; `key` and `auth` do here. */
  isSecretParameter(this: void, name: string): boolean
  /** The same, by the name or by what the value looks like. */
  hidesParameter(this: void, name: string, value: string): boolean
  /** Whether the rules say that what has this name is harmless. */
  isExemptName(this: void, name: string): boolean
  /** Recognizes JSON without secrets, but for those that are known by how they look. */
  readonly quoteHarmless: QuoteHarmless
  /** How many bytes of what is compressed within a body are still looked into. */
  readonly inflating?: Inflating
  /** @see pseudonymize */
  pseudonymize(this: void, value: string): string
}

/**
 * @param key what pseudonyms are made with
 * @param more names that hold secrets besides those of the rules
 * @throws OptionInvalid for a pattern that is not a regular expression, or one that fits everything
 */
export function compileSecrets(
  { names = [], except = [], patterns = [] }: RedactionRules,
  key?: Buffer,
  more: MoreNames = { names: [], kind: 'secret' },
): Secrets {
  const isNamed = matcherOf(names)
  const isMore = matcherOf(more.names)
  const isExempt = matcherOf(except)
  const known = createMemo<NameKind>()
  const kindOf = (name: string): NameKind => {
    const before = known.get(name)
    if (before !== undefined) return before
    const normal = normalizeName(name)
    const kind = isExempt(normal) ? 'harmless' : isNamed(normal) ? 'secret' : kindOfName(name)
    const said = kind !== 'secret' && isMore(normal) && !isExempt(normal) ? more.kind : kind
    known.set(name, said)
    return said
  }
  const isSecretName = (name: string): boolean => kindOf(name) === 'secret'
  const knownParameters = createMemo<boolean>()
  const isSecretParameter = (name: string): boolean => {
    const before = knownParameters.get(name)
    if (before !== undefined) return before
    const normal = normalizeName(name)
    const isSecret = isSecretName(name) || (SECRET_PARAMETERS.has(normal) && !isExempt(normal))
    knownParameters.set(name, isSecret)
    return isSecret
  }
  const hides = (name: string, value: string): boolean =>
    looksSecretAs(name, kindOf(name), value) && !isLabelOf(name, value)
  return {
    patterns: patterns.map(patternOf),
    isSecretName,
    hides,
    kindOf,
    // A pattern may fit anything, and `value` belongs to the name that another member has.
    quoteHarmless:
      patterns.length > 0
        ? () => undefined
        : createQuoteHarmless(
            (name) =>
              kindOf(name) !== 'harmless' ||
              PAIR_VALUE.test(name) ||
              OF_QUESTIONS.test(name) ||
              name === JWK_TYPE,
          ),
    isSecretParameter,
    hidesParameter: (name, value) =>
      hides(name, value) ||
      (isSecretParameter(name)
        ? !isPlaceholder(value) &&
          !isPublic(value) &&
          !(SECRET_PARAMETERS.has(normalizeName(name)) && isOfItems(normalizeName(name), value))
        : isSignedBy(name, value) && !isExempt(normalizeName(name))),
    isExemptName: (name) => isExempt(normalizeName(name)),
    pseudonymize: (value) => pseudonymize(value, key),
  }
}

/** What a member is called whose name is the value of another, with or without quotes. */
export const PAIR_VALUE = /^"?(?:(?:parameter_?)?value|v)"?$/i

/** Questions for those who forgot a password. */
export const OF_QUESTIONS = /(?:security|secret|recovery|challenge)[_-]?(?:questions?|answers?)"?$/i

/** What each key has that is written as JSON (RFC 7517, section 4.1). */
export const JWK_TYPE = 'kty'

/** Words in a row, and small numbers: `session-key-v2`, `keyword.$1`. */
const NAME = /^[A-Za-z]{2,20}(?:[-_.](?:[a-z]{2,20}\d{0,2}|[A-Z]{2,20}|v?\d{1,3}|\$S?\d[a-z]?))+$/
const isName = (value: string): boolean => NAME.test(value)

/** Settings of a program, whose value is a word that says nothing of secrets: `DB_PASSWORD = 'sunshine'`. */
const SETTING =
  /^(?:(?:DB|DATABASE|MYSQL|PG|POSTGRES(?:QL)?|REDIS|MONGO(?:DB)?|AMQP|RABBITMQ|E?MAIL(?:_HOST)?|SMTP|IMAP|FTP|LDAP|PROXY|ADMIN|ROOT|JWT|SESSION|APP|FLASK|MASTER)_)*(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|SECRET_KEY)$/
const OF_SECRETS =
  /pass|secret|key|token|pwd|auth|cred|user|log_?in|field|input|form|text|hidden|string|example|sample|test|none|null/i
const isSettingOf = (name: string, value: string): boolean =>
  SETTING.test(name) && /^[\w!@#%^*+-]{6,80}$/.test(value) && !OF_SECRETS.test(value)

/** Secrets as programs and texts about them hold them, where a plain word is seldom a value. */
export function inPrograms(secrets: Secrets): Secrets {
  const { hides, hidesParameter } = secrets
  return {
    ...secrets,
    hides: (name, value) =>
      hides(name, value) &&
      (looksRandom(value) || (looksCoined(value) && !isName(value)) || isSettingOf(name, value)) &&
      !isSample(value),
    hidesParameter: (name, value) => hidesParameter(name, value) && !isSample(value),
  }
}

/** The secrets as scripts hold them: in literals and comments. */
export function inScript(secrets: Secrets): Secrets {
  return { ...secrets, isScript: true }
}

/** Secrets of one exchange, that are also added to a set when they are hidden. */
export function collectSecrets(secrets: Secrets, collected: Set<string>): Secrets {
  return {
    ...secrets,
    inflating: { left: MAX_INFLATED },
    pseudonymize(value) {
      const pseudonym = secrets.pseudonymize(value)
      if (pseudonym !== value) collected.add(value)
      return pseudonym
    },
  }
}

/**
 * The same secrets, whose pseudonyms are as many bytes long as they are: for what may state the lengths of its parts,
 * such as the lines of Git, or messages of a protocol within a text.
 */
export function keepingLengths(secrets: Secrets): Secrets {
  return { ...secrets, pseudonymize: (value) => fit(secrets.pseudonymize(value), value) }
}

const HASH_LENGTH = 16
const SHORTEST = 'redacted-'.length + 8

function fit(pseudonym: string, value: string): string {
  const length = Buffer.byteLength(value)
  if (pseudonym === value) return value
  if (length >= pseudonym.length) return pseudonym.padEnd(length, '~')
  if (length >= SHORTEST) return pseudonym.slice(0, length)
  const [, hash = ''] = /-(.*)/.exec(pseudonym) ?? []
  return `~${hash}`.padEnd(length, '~').slice(0, length)
}

/** What is written in place of a secret: 64 bits of its keyed hash, so that it cannot be read back; or what fits. */
const PSEUDONYM = /^(redacted-[0-9a-f]{8,16}|\[redacted\]|~[0-9a-f]{0,15})~*$/

/** Finds pseudonyms in a text, to split it. */
export const PSEUDONYM_TEXT = /(redacted-[0-9a-f]{8,16}~*|\[redacted\]~*|%5Bredacted%5D~*)/g

/**
 * The pseudonym of a secret: HMAC-SHA-256 (RFC 2104), cut short. An empty value is not a secret and stays, so that its
 * absence can be seen; and so does a pseudonym, so that a recording can be redacted again. Where the key is the same,
 * equal secrets have equal pseudonyms; without one, all have the same.
 */
export function pseudonymize(value: string, key: Buffer | undefined): string {
  if (value === '') return value
  const [, known] = PSEUDONYM.exec(value) ?? []
  if (known !== undefined) return known
  if (key === undefined) return '[redacted]'
  return `redacted-${createHmac('sha256', key).update(value).digest('hex').slice(0, HASH_LENGTH)}`
}

/** A text in which all hidden secrets are one, for comparisons that they must not decide. */
export function withoutPseudonyms(text: string): string {
  return text.replaceAll(/redacted-[0-9a-f]{8,16}~*|(\[|%5B)redacted(\]|%5D)~*/gi, 'redacted')
}

/** Whether a text was hidden, or a part of it, so that neither its type nor its form is known. */
export function isHidden(text: string): boolean {
  return withoutPseudonyms(text) !== text
}

/** Whether a value is a secret where its name is of this kind, or has a form of its own. */
export function looksSecretAs(name: string, kind: NameKind, value: string): boolean {
  if (kind === 'maybe' && isOfKind(name, value)) return false
  return (kind === 'maybe' ? hasFormOf(name, value) : undefined) ?? looksSecret(kind, value)
}

/** Whether a value is a secret where its name is of this kind. */
export function looksSecret(kind: NameKind, value: string): boolean {
  if (kind === 'harmless') return false
  if (kind === 'secret') return !isPlaceholder(value) && !isPublic(value)
  if (value.startsWith('#/') || isFileName(value) || isPlaceholder(value)) return false
  return (
    looksRandom(value) ||
    (kind === 'secrets'
      ? looksCoined(value) && !value.startsWith('/')
      : looksLikeBasic(value) || looksLikePhrase(value))
  )
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
