const TOKEN = /^[\w.~+/=:-]+$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const MIN_RANDOM = 15
const MAX_RANDOM = 4096

/**
 * Whether a text looks as if it were made at random: one word, long, whose letters and digits alternate as in no name,
 * date or number. UUIDs are made at random too, and mostly to be ids.
 */
export function looksRandom(text: string): boolean {
  if (
    text.length < MIN_RANDOM ||
    text.length > MAX_RANDOM ||
    !TOKEN.test(text) ||
    UUID.test(text) ||
    DATE.test(text) ||
    FINGERPRINT.test(text) ||
    text.includes('://')
  )
    return false
  const changes = changesIn(text)
  if (changes * 8 < text.length || changes < 3 || new Set(text).size < 8) return false
  return !isMadeOfWords(text)
}

/** Of a key or certificate, as it is compared. */
const FINGERPRINT = /^(?:[\da-f]{2}:){15,31}[\da-f]{2}$/i

const FILE_NAME =
  /^(?:[\w.:@+-]{1,100}\/){0,12}[\w.:@+-]{1,200}\.(?:txt|md|[cm]?[jt]sx?|vue|css|s[ac]ss|less|json|ya?ml|xml|html?|map|py|rb|go|rs|java|php|sh|png|jpe?g|gif|svg|ico|woff2?|wasm|pem|crt|key)$/i

/** Whether a text is the name of a file, in which a hash often stands. */
export function isFileName(text: string): boolean {
  return FILE_NAME.test(text)
}

/** Whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Whether what comes after a known beginning looks made: letters and digits alternate in it, if not by much. */
export function looksMade(text: string): boolean {
  return changesIn(text.slice(0, MAX_RANDOM)) >= 3 && !isMadeOfWords(text)
}

const MAX_WORDS_LENGTH = 120
/** Words that have a digit. */
const TERMS =
  /(?:OAuth|Rfc|Base|Utf|Sha|Http|Ipv|JSONSchema|OpenApi|recaptchaV|captchaV)\d{1,6}|(?<![A-Za-z\d])(?:i18n|l10n|a11y|k8s|oauth2|utf8|base64)(?=[A-Z_.-]|$)/g
const SHORT_WORDS = /(?:Id|Or|Of|By|To|In|Is|On|At)(?=[A-Z\d]|$)/g

/** More consonants in a row than words have. */
const NO_WORD = /[bcdfghjklmnpqrstvwxz]{6}/

/** Whether a text is a name as programs have them: `buildPayloadForJwsSign`, `CompositePrivateKey_1`. */
export function isMadeOfWords(text: string): boolean {
  if (text.length > MAX_WORDS_LENGTH) return false
  const plain = text.replaceAll(TERMS, 'Term')
  const long = plain.replaceAll(SHORT_WORDS, '')
  if (!/[a-z]{5}|(?:(?:[A-Z]?[a-z]{3,}|[A-Z][a-z]{2})[-_.+]?){2}/.test(long)) return false
  // The number at its end counts, or says of what size it is: `convertToBase64`, `name-01`.
  const digits = plain.replace(/\d{1,4}$/, '').replaceAll(/\D/g, '').length
  if (digits > Math.max(1, text.length / 12)) return false
  if (NO_WORD.test(text)) return false
  const rest = long.replaceAll(/[A-Z]?[a-z]{3,}|[A-Z][a-z]{2}|[^A-Za-z0-9]/g, '').length
  return rest * 4 <= text.length
}

/** Whether a text stands for a value that its reader has to fill in, or that a program or template does. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text.trim().replace(SCHEME, '')) && !(BRACE.test(text) && holdsRandom(text))
}

const BRACE = /^\s{0,9}[{[]/

function holdsRandom(text: string): boolean {
  return text.split(/[\s{}[\]]/).some((each) => looksRandom(each))
}

const SCHEME = /^(?:bearer|basic|token) (?=<[^<>]*>$|[{$]|token$|your)/i

const PLACEHOLDER =
  /^(?:<[^<>]*>|\[[^[\]]*\]|\$?\{\{[^{}]*\}\}|\$?\{(?!A[\w+/]{15,}=*\})[^{}\x22]*\}|\$\([^()]*\)|\$\{?[\d@*]\}?|%[\w.-]*%|%[sdv@]|[*•?]{3,}|([a-z])\1{2,}|[\w-]*(?:\.{3}|…)|\[(?:pass|token|secret|key)\w{0,20}|Your(?:[A-Z][a-z]+){1,5}|your[-_ ](?:\w*|(?=[\w -]{0,60}(?:key|token|secret|passw|phrase|code|cred|api|access|jwt|auth|value|here|id|sig|session|account|user|cookie))[\w -]*)|(?:bearer|basic|digest|true|false|null|none|undefined|hidden|masked|sanitized|obfuscated|string|number|boolean|object|any|required|optional|read|write|enabled|disabled|on|off|auto|changeme|redacted|invalid|value|token|[A-Z]{3,10}_VALUE|(?:second|minute|hour|day)s)(?:\s+#.*)?)$|\$\{|\{\{|%\{\w+\}|#\{@?[a-z_][\w.]{0,60}\}|\[\^?[a-zA-Z]-[a-zA-Z](?:\d-\d)?\]/i

// How often letters, digits and the case of letters change within words.
function changesIn(text: string): number {
  let changes = 0
  let before = OTHER
  for (let at = 0; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at))
    if (kind !== before && kind !== OTHER && before !== OTHER) changes++
    before = kind
  }
  return changes
}

const [OTHER, DIGIT, UPPER, LOWER] = [0, 1, 2, 3]

function kindOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return DIGIT
  if (code >= 0x41 && code <= 0x5a) return UPPER
  return code >= 0x61 && code <= 0x7a ? LOWER : OTHER
}

const ALGORITHM =
  /^(?:(?:hmac|sha|aes|rsa|ecdsa|eddsa|[hrep]s|gcm|cbc|pkcs|md|oaep|pss)[-_]?\d{0,4}[-_./]?){1,4}(?:sig-alg\.reg\.int\.?)?$/i

/** What describes an algorithm. */
const STANDARD = /^(?:RFC|BIP|EIP|FIPS|ISO)[ -]?\d{2,5}$/

/** Where a service listens, as `/etc/services` has it. */
const PORT = /^\d{1,5}\/(?:tcp|udp|sctp|dccp)$/
/** Where a key is kept. */
const FILE = /^(?:~|\.{1,2})?(?:\/[a-z]{2,20}(?:[_.-][a-z]{2,20})?){3,12}$/
/** A file with the signature of another. */
const SIGNATURE_FILE = /^[\w.@+-]{1,200}\.(?:sig|asc|minisig)$/

/** Whether a text is public whatever its name says: the version of a package, an algorithm, a certificate, a signature of a text. */
export function isPublic(text: string): boolean {
  return (
    text.startsWith('#/') ||
    isPlainUrl(text) ||
    ALGORITHM.test(text) ||
    STANDARD.test(text) ||
    ADDRESS.test(text) ||
    COLOR.test(text) ||
    COMMON_PASSWORDS.test(text) ||
    PORT.test(text) ||
    FILE.test(text) ||
    SIGNATURE_FILE.test(text) ||
    /^(?:[~^<>=v]{0,3}\d{1,6}\.\d{1,6}\.\d{1,6}(?:[-+][\w.+-]{1,40})?$|-----BEGIN (?:PGP SIGNATURE|SSH SIGNATURE|SIGNED MESSAGE|CERTIFICATE|[A-Z ]{0,20}PUBLIC KEY))/.test(
      text,
    )
  )
}

/** What many people choose, by which programs rate passwords. */
const COMMON_PASSWORDS = /^(?=.{0,80}\b123456,)(?:[^,\s]{1,20},){20}/

/** As style sheets and themes write it. */
const COLOR = /^#(?:[0-9a-fA-F]{3,4}){1,2}$/

/** An account of a chain of blocks. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/

// A URL, which is looked into as one.
function isPlainUrl(text: string): boolean {
  return /^https?:\/\/[^\s@]+$/.test(text) && !text.split(/[/#=?&]/).some((each) => looksRandom(each))
}

const SAMPLE = /token|passw|secret|cred|sample|example|dummy|fake|test/i
const SAMPLE_WORD = /^(?:token|password|secret|value|key)$/i

/** Whether a text says of itself that it stands for a secret: `access_token1`, `clientSecret2`. */
export function isSample(text: string): boolean {
  return SAMPLE_WORD.test(text) || (SAMPLE.test(text) && isMadeOfWords(text))
}

/** Whether a text is one word with letters and digits, or with letters of both cases in turn, unlike plain words. */
export function looksCoined(text: string): boolean {
  return (
    text.length >= 6 &&
    !DATE.test(text) &&
    !FINGERPRINT.test(text) &&
    (/^(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])\S+$/.test(text) ||
      looksShuffled(text) ||
      HAS_SIGN.test(text) ||
      (LONG_WORD.test(text) && /[bcdfghjklmnpqrstvwxz]{5}/.test(text)))
  )
}

/** Whether a literal of a program looks made, and not like a name of it that is numbered. */
export function looksLikeLiteral(text: string): boolean {
  return looksRandom(text) || (looksCoined(text) && !isMadeOfWords(text) && !isSample(text))
}

const LONG_WORD = /^[a-z]{16,64}$/

/** Letters of both cases with a sign between that no name and no address has. */
const HAS_SIGN = /^(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])[A-Za-z]+[!#*^][A-Za-z]{3,}$/

const DATE = /^\d{4}-\d\d-\d\d(?:[T ]|$)/
const SHUFFLED = /^(?!.*(?:[a-z]{5}|[A-Z]{5}))[A-Za-z]{10,64}$/

function looksShuffled(text: string): boolean {
  return SHUFFLED.test(text) && changesIn(text) >= 5 && !isMadeOfWords(text)
}

const CODE = /^(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])\w{10,200}$/

/** Whether a text is shorter than what looks random, but has letters of both cases and digits as no name and no date has. */
export function looksLikeCode(text: string): boolean {
  return CODE.test(text) && looksMade(text)
}

/** Whether a text is a phrase that keys of wallets are made of (BIP 39): 12 to 24 words that say nothing together. */
export function looksLikePhrase(text: string): boolean {
  if (text.length < 12 * 4 - 1 || text.length > 24 * 9) return false
  return /^[a-z]{3,8}(?: [a-z]{3,8}){11,23}$/.test(text)
}

/** Whether a text is a user and a password as `Basic` has them (RFC 7617): base64 of two words with a colon between. */
export function looksLikeBasic(text: string): boolean {
  if (text.length < 8 || text.length > MAX_RANDOM || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return false
  return /^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/.test(Buffer.from(text, 'base64').toString('latin1'))
}
