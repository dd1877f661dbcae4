import { isAboutSecrets, isProse } from './prose.ts'
import { looksLikePhrase } from './random-look.ts'

/** What a name says of its value. */
export type NameKind = 'secret' | 'secrets' | 'maybe' | 'harmless'

/** Names are compared in lower case and without separators, so that `X-Api-Key`, `api_key` and `apiKey` are one. */
export function normalizeName(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z0-9]/g, '')
}

/** What a name says, where no rules of a user do. */
export function kindOfName(name: string): NameKind {
  // Of `user[otp]`, the innermost. `PW` is also a country (ISO 3166-1).
  const [, inner = ''] = /\[([^[\]]+)\](?:\[\d*\])?$/.exec(name) ?? []
  if (inner !== '' && !/^(?:\d+|values?|raw|text|plain)$/.test(inner)) return kindOfName(inner)
  const normal = normalizeName(name)
  const words = wordsOf(name)
  if (name === 'PW') return 'secrets'
  if (normal === '' && IN_OTHER_LETTERS.test(name)) return 'secret'
  if (SECRET_WORDS.has(normal) || LAST_WORDS.test(words)) return 'secret'
  if (POSITION.test(words) || OF_PUBLIC.test(words) || OF_RULE.test(words)) return 'harmless'
  if (SECRET.test(normal))
    return SAYS_OF.test(wordsOf(afterScope(name))) || OPERATION.test(name) ? 'maybe' : 'secret'
  const [whose = ''] = OF_WHAT.exec(words) ?? []
  if (whose !== '' && SECRET.test(normalizeName(words.slice(0, -whose.length)))) return 'maybe'
  if (!SECRETS.test(normal) && !MAYBE.test(normal)) return 'harmless'
  if (KNOWN.test(words)) return 'harmless'
  return SECRETS.test(normal) ? 'secrets' : 'maybe'
}

/** What is said or done of a secret: `INVALID_TOKEN`, `forgotPassword`, and operations of APIs, such as `CreateApiKey`. */
const SAYS_OF =
  /^(?:invalid|missing|wrong|weak|rejected|incorrect|malformed|unsupported|forgot|forgotten|revoke|decode|sign-in-with|log-?in-with|show|hide|toggle|is|has|should|requires?|get|list|delete)-(?=[a-z])/
const OPERATION =
  /^(?:Create|Delete|Describe|Get|List|Update|Put|Associate|Disassociate|Generate|Revoke|Import|Rotate|(?:Reset|Verify)(?!Token|Code))[A-Z][A-Za-z]+$/

/** Of `identity:get_credential`, the operation. */
function afterScope(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}

/** What a secret is for, behind its name: `tokenForWebhook`, `api_key_of_user`. */
const OF_WHAT = /-(?:for|of)-[a-z][a-z\d-]{0,40}$/

/** Of `io.jsonwebtoken:jjwt-api:0.12.6`, what stands behind the group of a package. */
const ARTIFACT = /^[a-z][a-z\d.-]{1,80}(?:[:\s]\d{1,4}(?:\.\d{1,6}){1,3}\b|$)/
const GROUP = /^(?:[a-z][\w-]*\.){1,6}[a-z][\w-]*$/

/** Whether a name and a value are the coordinates of a package, as Maven has them. */
export function isCoordinate(name: string, value: string): boolean {
  return GROUP.test(name) && /\d/.test(value) && ARTIFACT.test(value)
}

/** Whether a value is a label of its name, as texts and constants have it: `INVALID_TOKEN: 'INVALID_TOKEN'`, or a sentence. */
export function isLabelOf(name: string, value: string): boolean {
  if (value.length <= MAX_NAME && normalizeName(value) === normalizeName(name)) return true
  if (isTextOf(name, value) || isCountedSession(name, value)) return true
  if (isPathTo(name, value) || isTypeOf(name, value) || isVariableOf(name, value)) return true
  if (WORKING_DIRECTORY.test(name) && IS_PATH.test(value)) return true
  if (ACCOUNTS.test(name) && SOURCES.test(value)) return true
  if (HAS_NO_SPACES.test(name) && (NOT_LATIN.test(value) || NO_WORD.test(value) || isMagic(name, value)))
    return true
  if (COOKIE.test(name) && COOKIE_NAME.test(value) && !DIGITS.test(value)) return true
  return value.endsWith(`:${name}`) || (HAS_NO_SPACES.test(name) && SENTENCE.test(value))
}

/** Whether a value is a text about its name: for people, which only servers send. */
export function isTextOf(name: string, value: string): boolean {
  return (
    isTranslation(value) ||
    isProse(normalizeName(name), value) ||
    saysName(name, value) ||
    saysOfResult(name, value)
  )
}

const MAX_NAME = 80
const SESSION = /^session$/i
const SESSION_ID = /session[._-]?id$/i
const SHORTEST_SESSION = 12
/** Texts of a language that is not written in ASCII, and words for secrets, as forms are labelled with them. */
const IN_LANGUAGE = /^[\p{L}\p{M}'’ .:?!()«»/-]{2,80}$/u
/** Seldom may a password be of such letters. */
const NOT_LATIN = /(?!\p{Script=Latin})\p{L}/u
const IS_TITLE = /^\p{Lu}\S{0,40}(?: \S{1,40}){0,4}$/u

const IS_NAME = /^\p{L}+(?:-\p{L}+)*(?: \p{L}+(?:-\p{L}+)*)+(?: \(\p{L}{2,20}\))?$/u
/** Of credentials (RFC 9110, section 11.1). */
const SCHEME = /^(?:bearer|basic|digest|token|negotiate|api-?key|hmac)\b(?! auth(?:entication|orization)$)/i

const RESULT = /^pass$/i
const SAYS_MUCH = /^(?:\p{Lu}|<|'\p{L})\S{0,40}(?: \S{1,60}){2,60}$/u

const MANY_WORDS = /^\S{1,60}(?: \S{1,60}){5,60} ?$/

// eslint-disable-next-line no-control-regex
const FOREIGN = /[^\x00-\x7f]/g
const MANY = 8

/** Whether this is what a check says when it passes. */
export function saysOfResult(name: string, value: string): boolean {
  if (!RESULT.test(name)) return false
  if (MANY_WORDS.test(value) && !looksLikePhrase(value)) return true
  const foreign = value.match(FOREIGN)?.length ?? 0
  return SAYS_MUCH.test(value) || foreign >= MANY || (foreign > 0 && value.includes(' '))
}

const KEY_OF = /(?:^|-)((?!licen[sc]e)[a-z]{4,20})-key-?$/

/** Whether a value says of what kind of items it is the key: `allocation_key: 'allocation-default-c8eeb8505cf7'`. */
export function isOfKind(name: string, value: string): boolean {
  const [, kind = ''] = KEY_OF.exec(wordsOf(name)) ?? []
  return kind !== '' && /^[-_:./]$/.test(value.charAt(kind.length)) && value.toLowerCase().startsWith(kind)
}

// Sessions that are named or counted have no key.
function isCountedSession(name: string, value: string): boolean {
  return (
    (SESSION.test(name) && value.length < SHORTEST_SESSION) ||
    (SESSION_ID.test(name) && /^\d{1,13}$/.test(value))
  )
}

// `pass: 'Battle Pass'`, `session.id: 'ID of the session'`.
function saysName(name: string, value: string): boolean {
  if (value.length > MAX_NAME || !IS_NAME.test(value) || SCHEME.test(value)) return false
  const words = value.toLowerCase().split(' ')
  return wordsOf(name)
    .split('-')
    .every((word) => words.includes(word))
}

function isTranslation(value: string): boolean {
  if (value.length > MAX_NAME || !IN_LANGUAGE.test(value)) return false
  // eslint-disable-next-line no-control-regex
  if (/[^\x00-\x7f]/.test(value))
    return !/^[a-z]/.test(value) && (NOT_LATIN.test(value) || isAboutSecrets(value))
  return (
    IS_TITLE.test(value) &&
    (TITLES.test(value) || (IS_NAME.test(value) && !SCHEME.test(value) && kindOfName(value) === 'secret'))
  )
}

/** Of languages that are. */
const TITLES =
  /^(?:Passwort|Kennwort|Zugangscode|Passphrase|Wachtwoord|Senha|Palavra-passe|Parola|Mot de passe|Jeton|Geheimnis|Secreto|Segreto|Sitzung|Sesi|Sessione|Autorisierung|Unterschrift|Firma|Identifiant)\w{0,12}$/
const PATH = /^[\w.:/#{}-]*[/:.#]([A-Za-z][A-Za-z_-]{3,60})\/?$/

// `RESET_PASSWORD = '/v1/accounts:resetPassword'`, `token = package.module:Token`.
function isPathTo(name: string, value: string): boolean {
  if (value.length > 2 * MAX_NAME) return false
  const [, last = ''] = PATH.exec(value.replaceAll('\\/', '/')) ?? []
  const [whole, end] = [normalizeName(name), normalizeName(last)]
  return end !== '' && (whole.endsWith(end) || end.endsWith(whole))
}
/** What stands for a token where there is none, as that of callers who are not logged in to MediaWiki. */
const NO_WORD = /^[^\p{L}\p{N}]{1,8}$/u
/** Where scripts say which cookie they read. */
const COOKIE = /^cookie$/i
const COOKIE_NAME = /^[A-Za-z][\w.-]{1,23}$/
const DIGITS = /\d.*\d/

/** Of a process (POSIX, 8.3). */
const WORKING_DIRECTORY = /^(?:old|init_)?pwd$/i
const IS_PATH = /^(?:\/|~\/|[A-Za-z]:\\)/

/** Where a system finds its accounts (nsswitch.conf). */
const ACCOUNTS = /^(?:passwd|shadow|gshadow)$/
const SOURCES = /^(?:(?:files|compat|systemd|sss|ldap|nis|nisplus|winbind|db|hesiod)(?:\s{1,9}|$)){1,9}$/

const OF_FORMAT = /(?:token|signature)s?[_-]?\d*$/i
/** What a file begins with, and a word that says of what form a signature is. */
const MAGIC = /^(?:0x[\da-f]{1,8}|[a-z]{2,10}(?:64)?)$/i

function isMagic(name: string, value: string): boolean {
  return OF_FORMAT.test(name) && MAGIC.test(value) && (value.startsWith('0x') || /signature/i.test(name))
}

const IS_TYPE = /^((?:[A-Z]\w{0,40}\.)?[A-Z][A-Za-z\d]{2,80})(?:<[\w\s.,<>|]{1,200}>)?([;,]?)$/
const NO_PASSWORD = /(?:session|cookie|credential|signature)s?$/i

/** Whether a value is a type of programs: `session: Http2Session;`, `tokens: OAuth2Tokens;`, `privateKey: T2;`. */
export function isTypeOf(name: string, value: string): boolean {
  if (/^T\d;$/.test(value)) return true
  const [, type = '', end = ''] = IS_TYPE.exec(value) ?? []
  if (end === '' && !NO_PASSWORD.test(name)) return false
  return type !== '' && normalizeName(type).endsWith(normalizeName(name))
}

/** Of the environment. */
const VARIABLE = /^[A-Z][A-Z\d]{0,40}(?:_[A-Z\d]{1,40}){1,6}$/

// `token: 'ACME_TOKEN'`
function isVariableOf(name: string, value: string): boolean {
  return VARIABLE.test(value) && normalizeName(value).endsWith(normalizeName(name))
}

const HAS_NO_SPACES = /(?:token|signature|assertion|key|jwt|csrf)s?[_-]?\d*$/i
const SENTENCE = /^[\p{L}`'"“„«({<[]\S{0,40}(?: (?:[^\s\d]{1,60}|(?=[^\s\d]{0,6}\d)\S{1,7})(?= |$)){2,60}$/u

function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+/g, '-').toLowerCase()
}

// The end of a name says what it holds: `access_token` is a token, `token_type` and `keyword` are not.
const WORDS = [
  'token|secret|password|passwd|passphrase|passwort|kennwort|contrasena|motdepasse|senha|wachtwoord',
  'jwt|signature|credential|assertion|authorization|csrf|xsrf|hmac|clientsecrets',
  'oauthverifier|idtokenhint|authenticationstring|secretdata|(?:security|secret|challenge|recovery)answer|mothers?maidenname|macaroon|authreqid|sessionid|sessionkey|connectionstring|connstring|connectionuri|clientkeydata|accesskeyid|accessid|passcode|sessid|pwd',
  '(verification|recovery|backup|activation|auth|authorization|device|security|otp|mfa)code|recoverycodes|backupcodes',
  '(api|app|application|access|secret|private|signing|signed|auth|account|shared|master|encryption|decryption)key',
  '(customer|consumer|functions|function|subscription|license|licence|webhook|hmac|jwt|oauth|sas|service)key',
  '(recovery|activation|admin|root|developer|merchant|ingest|ingestion|integration|deploy|bot|write|unlock|signature|tacacs|radius|psk)key',
  '(session|auth|login|remember)cookie|keypairid|keybase|apikeys|passwords|(access|refresh|api|auth)tokens',
  '(storageaccount|azurestorage|streaming|stream|rtmp)key|secretproof|snmpcommunity|communitystring|(?:otp|totp)seed|(?:secret|memorable)word|keymaterial|(seed|recovery|secret|backup|mnemonic)(phrase|words)',
  '(auth|db|database|smtp|imap|ftp|ssh|mail|email|user|admin|root|become|sudo|proxy|wifi|ldap|redis|mysql|postgres|bind|keystore|truststore)(?:pass|pw)',
  '(?:atm|card|mobile|user|login|transaction|security|unlock|sim|sms)pin|(?:card|cc)(?:cvv|cvc|cvn)2?',
  '(?:jeton|clave|chave|chiave|cle|token)(?:de|di|d)?(?:acces|acceso|acesso|accesso|api|secreta|secrete|segreta|privada|privee|privata)',
  '(?:geheimer?|api|zugangs|zugriffs|privater?)(?:schluessel|schlussel)|geheimesleutel|katasandi|matkhau|jenkinscrumb|passworddigest',
  '(access|sms|onetime|login|signin|twofactor|2fa|oob|oobconfirmation)code|saml(response|request|assertion|art)|dockerconfig(json)?',
]

/** What may follow without making it something else. */
const AFTER = [
  String.raw`v?\d+|hash|hashed|value|values|string|plain|plaintext|text|raw|confirm|confirmation|repeat|again|base`,
  'old|new|current|previous|primary|secondary|backup|prod|production|staging|dev|development|test|live|sandbox',
  'base64|b64|binary|encoded|encrypted|cipher|ciphertext|salt|pem|der|jwk|admin|root|env|orkey|sha\\d*|md5|ed25519',
]

const SECRET = new RegExp(`(?:${WORDS.join('|')})(?:${AFTER.join('|')}){0,2}$`)

const SECRET_WORDS = new Set([
  ...['session', 'sig', 'pass', 'otp', 'bearer', 'cookie', 'setcookie', 'xauth', 'codeverifier'],
  // In other languages; of what is not written in Latin letters, nothing else is left.
  ...['heslo', 'losenord', 'haso', 'sifre', 'salasana', 'jelszo', 'adgangskode', 'lozinka', 'geslo', 'mima'],
  ...['slaptazodis', 'parool', 'parola', 'passord', 'lykilor', 'fjalekalimi', 'pasahitza', 'contrasinal'],
  ...[
    'wif',
    'totp',
    'puk',
    'signedrequest',
    'mfacode',
    'phpsessid',
    'cvv',
    'cvc',
    'xhoneycombteam',
    'xjfrogartapi',
  ],
])

// So short that they are parts of other words, or that together they are another word.
const LAST_WORDS =
  /(?:^|-)(?:psk|[dkc]ek|t?otp|pw|xprv|connect-sid|(?:pin|user|sms|access|login)-code|code-verifier)(?:-?\d+|-(?:hash|value))?$/

const IN_OTHER_LETTERS =
  /^(?:.{0,20}(?:пароль|токен|密码|密碼|密钥|密鑰|口令|令牌|パスワード|トークン|비밀번호|토큰)|סיסמה|סיסמא|كلمة[ _]المرور|كلمة[ _]السر|पासवर्ड|รหัสผ่าน|κωδικός)$/iu

/** What is made of a secret to be compared, and signatures of what anyone may read. */
const OF_PUBLIC =
  /^(?:checksum|digest|fingerprint)-|^(?:dkim|arc-message|arc|commit|tag|tree-head|signed-tree-head|pgp|gpg)-signature$|(?:^|-)(?:method|function)-signature-?$|(?:^|-)(?:site|domain)-(?:verification|verify)-(?:token|key|code)$|(?:^|-)release-manager-key$|(?:^|-)(?:public|publishable)-(?:api|access|app|client)-(?:key|token)$|(?:^|-)public-key-(?:base\d\d|hex|multibase|pem|jwk|der|raw|bytes|value|id)$/

/** How long a secret may be, and of which characters: `MaxCharsPassword`. */
const OF_RULE =
  /(?:^|-)(?:min|max|minimum|maximum|allowed|required)-(?:chars?|characters|length|age|days|attempts|tries|retries)-/

// Positions in a list, names of locks (RFC 4918, section 6.4) and of work that goes on (LSP, MCP) are harmless,
// and replay needs them.
const POSITION =
  /(?:^|-|next|prev|previous|start|opaque)(?:progress|work-done|partial-result|page|input|output|next|prev|previous|continuation|cursor|sync|paging|pagination|skip|delta|change|resume|start|lock|forward|backward)-?tokens?-?$/

const SECRETS =
  /(?:tokens|secrets|passwds|passphrases|passcodes|credentials|creds|keys|signatures|cookies|sessions)(?:list|map)?$/

// Many such names stand for no secret, so that the value decides.
const MAYBE =
  /(?:^pin|^secretid|captcharesponse|turnstileresponse|^xsid|[a-z0-9]key|auth|authentication|pat|creds?|sign?|sas|pass|session|ticket|resume|license|licence|mnemonic|seed|clave|jeton|invitecode)(?:v?\d+|value|string)?$/

/** What is found by its key, tokens that a text is cut into, and words that only end so. */
const KNOWN = new RegExp(
  `(?:^|-)(?:${[
    'public|pub|publishable|site|re-?captcha\\d?|origin|application-server|vapid|verification|verifying|recv|receive|primary|foreign|partition|sort|idempotency|idempotent|cache|restore|object|routing|group|dedup|deduplication',
    'bucket|y|hash|range|row|record|entity|item|doc|document|file|blob|project|issue|surrogate|natural|composite|unique',
    'translation|i18n|message|label|index|lookup|map|websocket|web-socket|host|event|parent|node|tree|component',
    'option|setting|config|field|column|property|start|end|next|last|marker|continuation|evaluated|request|response',
    'result|data|state|query|path|name|type|tag|title|id|lock|order|business|external|metric|view|table|scope|hot|short',
    'max|min|total|prompt|completion|input|output|used|cached|reasoning|stop|special|num|count|text|user|active|open',
  ].join(
    '|',
  )})-?(?:keys?|tokens|sessions)-?\\d{0,3}$|^(?:keys|sessions)$|(?:^|-)(?:[a-z]seed|oauth|author|noauth|unauth|compat|expat|spat|compass|bypass|trespass|encompass|surpass|(?:over|under|low|high|band)-?pass|design|assign|cosign|ensign|resign|call-?sign|dsig|xmldsig)$`,
)
