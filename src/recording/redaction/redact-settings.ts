import { isPlaceholder, looksCoined, looksRandom } from './random-look.ts'
import { isHidden, looksSecret, type Secrets } from './secrets.ts'

// `password=…` and `password: …` anywhere, and `--password …`. What quotes or brackets are in is looked into elsewhere.
const SETTING =
  /(?<![\w.$?&#/%-]|(?<!&(?:quot|#3[49]));)(?:--?([A-Za-z][\w.-]{1,60})[ \t=]|([A-Za-z_][\w.-]{1,60})[ \t]{0,4}[:=][ \t]{0,4})([^\s"'`()<>{}[\],;&|\\]{6,4000})/g
const QUOTED_FLAG = /(?<![\w-])--?([A-Za-z][\w.-]{1,60})[ \t=]{1,3}(["'])([^"'\n\\]{4,400})(?=\2)/g
// An argument of a list, which a shell does not read.
const ONLY_FLAG = /^(--?([A-Za-z][\w.-]{1,60})=)(\S{6,4000})$/
// A head, as tools of the command line take it.
const QUOTED_HEAD = /(["'])([A-Za-z][\w-]{1,60}):[ \t]{0,4}([^\s"']{6,4000})(?=\1)/g
// `a.b`, `a.b=c` where several are given the same, and `a.b??c`.
function isPath(value: string): boolean {
  const [first = '', second = ''] = value.split(/=|\?\?/, 2)
  return PATH_IN_PROGRAM.test(first) && !looksRandom(first) && !looksRandom(second)
}

const OPENS = /[(`[{]/
/** Names of programs with a number in them, and no more than that. */
const NAME_IN_PROGRAM =
  /^(?:[a-z_$]+(?:[A-Z][a-z]+\d?)+\$?|(?:[A-Z][a-z]+){2,}[_$]\d|(?:Big)?(?:Uint|Int|Float)\d{1,2}(?:Clamped)?Array)$/
const isNameInProgram = (value: string): boolean => NAME_IN_PROGRAM.test(value) && !looksRandom(value)
const PATH_IN_PROGRAM = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/

// What another name has for its value: `--from-literal=TOKEN=…`, `value=TOKEN=…`.
const INNER = /^([A-Za-z_][\w.-]{1,60})=([^=]{6,}={0,2})$/
// What is put behind a name without a sign between, as it stands on a line of its own; schemes are no names of settings.
const SPACED =
  /^([ \t]{0,40}(?:(?:ENV|ARG|#define|SetEnv)[ \t]{1,9}|(?!(?:[Bb]earer|[Bb]asic|[Dd]igest)[ \t]))([A-Za-z_][\w.-]{1,60})[ \t]{1,9}(["']?))([^\s"'=$<>]{6,4000})(?=\3[ \t]*\r?$)/gm

/** What texts, databases and programs of the command line put before a password, and whether it may be any word. */
const PHRASES: readonly (readonly [mark: RegExp, pattern: RegExp, isAny?: true])[] = [
  [
    /assw|ecret|oken|key/i,
    /((?:passw(?:or)?d|passcode|passphrase|secret|token|api[ _-]?key)\s(?:is|was)(?::|\s)\s{0,4}["']?)([^\s"'<>]{6,200})/gi,
  ],
  [
    /identified by|password|SecureString/i,
    /(\b(?:identified\s{1,4}by|password|ConvertTo-SecureString)\s{1,4}'|\b(?:password|ConvertTo-SecureString)\s{1,4}")([^"'\n]{1,200})(?=["'])/gi,
    true,
  ],
  // In texts, what is in such quotes is a name.
  [/IDENTIFIED BY/, /(\bIDENTIFIED\s{1,4}BY\s{1,4}")([^"'\n]{1,200})(?=")/g, true],
  // A source of the driver of Go for MySQL, and the argument of a client of Oracle.
  [/@(?:tcp|unix)\(/, /(\b[\w.-]{1,60}:)([^\s:@"'<>$]{3,200})(?=@(?:tcp|unix)\()/g],
  [
    /\b(?:sqlplus|sqlcl|rman|expdp|impdp|sqlldr)\s/,
    /(\b(?:sqlplus|sqlcl|rman(?:\starget)?|expdp|impdp|sqlldr)\s(?:-\w\s){0,3}["']?[\w.$]{1,60}\/)([^\s@"'<>$]{3,200})(?=@)/g,
  ],
  [
    /\/[^\s/@]{6,80}@[\w.-]{1,80}:\d{2,5}\/\w/,
    /((?<![\w./-])[\w.$]{1,60}\/)([^\s/@"'<>$]{6,80})(?=@[\w.-]{1,80}:\d{2,5}\/\w)/g,
  ],
  // A driver of ODBC.
  [/\bpwd=\{/i, /(\bpwd=\{)([^{}\s]{4,200})(?=\}(?:;|["'\s]|$))/gi],
  // A password with a slash, which ends the authority.
  [
    /:\/\/[\w.%+-]{1,60}:[^\s/:@"'<>$]{6,100}\/[^\s/:@"'<>$]{0,100}@/,
    /(\b[a-z][a-z+.-]{2,20}:\/\/[\w.%+-]{1,60}:)([^\s/:@"'<>$]{6,100}\/[^\s/:@"'<>$]{0,100})(?=@[\w.-])/g,
  ],
  [/\bcurl\b/, /(\s(?:-u|--user)[ =]?["']?[\w.@+-]{1,80}:)(?!pass(?:word|wd)?\b)([^\s"'$<>]{4,200})/g, true],
  // A file of netrc, on one line or several.
  [
    /password\s/,
    /(\b(?:machine\s{1,9}\S{1,200}|default(?=\s{1,9}login))(?:\s{1,9}(?:login|account)\s{1,9}\S{1,200}){0,2}\s{1,9}password\s{1,9})([^\s"'<>\\]+)/g,
    true,
  ],
  [
    /\s-[pPw][ =]/,
    /(\s(?:-[uUD]|--user(?:name)?)[ =]["']?[\w.@+=,-]{1,80}["']?\s-[pPw][ =]["']?)([^\s"'$<>]{4,200})/g,
    true,
  ],
  // A line of `.pgpass`: server, port, database, user.
  [
    /:(?:543[23]|6432|\*):/,
    /(\b[\w.-]{1,200}:(?:543[23]|6432|\*):[\w*-]{1,60}:[\w.@*-]{1,60}:)([^\s:"'<>]{4,200})/g,
  ],
  [/\bmysql/, /(\s-p)((?=[^\s\d]{0,60}\d)[^\s"'$<>-][^\s"'$<>]{5,200})/g],
  [/\bjdbc:oracle/, /(:thin:[\w.$]{1,60}\/)([^\s@"'<>]{1,200})(?=@)/g, true],
]

/** The same of commands, and of codes that devices read, by what has to be in the text. */
const COMMANDS: readonly (readonly [mark: string, pattern: RegExp])[] = [
  ['sshpass', /(\bsshpass\s{1,4}-p\s{0,4}["']?)([^\s"'$<>]{4,200})/g],
  ['redis-cli', /(\bredis-cli\b[^\n]{0,200}?\s(?:-a|--pass)\s{1,4}["']?)([^\s"'$<>]{4,200})/g],
  ['pass:', /(\s-(?:passin|passout|pass|k)\s{1,4}["']?pass:)([^\s"'$<>]{3,200})/g],
  ['WIFI:', /(\bWIFI:(?:[^;\n]{0,100};){0,5}P:)([^;\n]{1,100})/g],
  // What clients of Redis, of mail, of IRC and of files begin with.
  [
    'AUTH ',
    /(^AUTH (?:(?!PLAIN|LOGIN|CRAM-MD5|XOAUTH2)[\w.-]{1,60} )?)((?!PLAIN|LOGIN|CRAM-MD5)[^\s"'<>]{4,400})(?=\r?$)/gm,
  ],
  ['AUTH ', /(^AUTH (?:PLAIN|LOGIN|XOAUTH2) )([\w+/]{8,}={0,2})/gm],
  [
    'AUTH\r\n',
    /(^\*[23]\r\n\$4\r\nAUTH\r\n(?:\$\d{1,4}\r\n[^\r\n]{1,200}\r\n)?\$\d{1,4}\r\n)([^\r\n]{1,400})(?=\r\n(?!\$))/gim,
  ],
  ['PASS ', /(^PASS :?)([^\s:"'<>]{4,200})(?=\r?$)/gm],
  ['LOGIN ', /(^[\w.]{1,10} LOGIN "?[^\s"]{1,100}"? "?)([^\s"<>]{3,200})(?="?\r?$)/gm],
]

/** Most texts have none of them, which is found in one pass. */
const ANY_PHRASE = new RegExp(PHRASES.map(([mark]) => mark.source).join('|'), 'i')

/** Hides what is given to a secret name without quotes, within a line, where it looks like no word. */
export function redactSettings(text: string, secrets: Secrets): string {
  const { kindOf, hides, pseudonymize } = secrets
  const phrased = redactSpaced(redactCommands(redactPhrases(text, secrets), secrets), secrets)
  if (!phrased.includes('=') && !phrased.includes(':') && !phrased.includes('-')) return phrased
  const only = ONLY_FLAG.exec(phrased)
  if (only !== null) return redactOnly(only, phrased, secrets)
  const flagged = phrased.includes('-')
    ? phrased.replaceAll(QUOTED_FLAG, (whole, name: string, _quote: string, value: string) =>
        hides(name, value) ? `${whole.slice(0, -value.length)}${pseudonymize(value)}` : whole,
      )
    : phrased
  return redactHeads(flagged, secrets).replaceAll(SETTING, (...match) => {
    const [whole, flag, before = '', value = '', at, all = ''] = match as [
      string,
      string?,
      string?,
      string?,
      number?,
      string?,
    ]
    if (OPENS.test(all.charAt((at ?? 0) + whole.length)) || isNameInProgram(value)) return whole
    const [, inner, innerValue = ''] = (value.includes('=') ? INNER.exec(value) : null) ?? []
    if (inner !== undefined && kindOf(flag ?? before) === 'harmless')
      return isSetting(inner, innerValue, secrets)
        ? `${whole.slice(0, -innerValue.length)}${pseudonymize(innerValue)}`
        : whole
    return isSetting(flag ?? before, value, secrets)
      ? `${whole.slice(0, -value.length)}${pseudonymize(value)}`
      : whole
  })
}

function redactOnly(
  [, head = '', name = '', value = '']: RegExpExecArray,
  text: string,
  secrets: Secrets,
): string {
  return isSetting(name, value, secrets) ? head + secrets.pseudonymize(value) : text
}

function redactHeads(text: string, secrets: Secrets): string {
  if (!text.includes('"') && !text.includes("'")) return text
  return text.replaceAll(QUOTED_HEAD, (whole, _quote: string, name: string, value: string) =>
    isSetting(name, value, secrets)
      ? `${whole.slice(0, -value.length)}${secrets.pseudonymize(value)}`
      : whole,
  )
}

function isSetting(name: string, value: string, { kindOf }: Secrets): boolean {
  const kind = kindOf(name)
  if (kind === 'harmless' || isPath(value) || isHidden(value)) return false
  const isMade = looksCoined(value) || looksRandom(value) || LONG_NUMBER.test(value)
  return isMade && !value.endsWith(`$${name}`) && looksSecret(kind, value)
}

/** What is longer than numbers of things are. */
const LONG_NUMBER = /^\d{18,}$/

function redactCommands(text: string, { pseudonymize }: Secrets): string {
  return COMMANDS.reduce(
    (left, [mark, pattern]) =>
      left.includes(mark)
        ? left.replaceAll(pattern, (whole, head: string, value: string) =>
            isPlaceholder(value) || isHidden(value) ? whole : head + pseudonymize(value),
          )
        : left,
    text,
  )
}

function redactSpaced(text: string, secrets: Secrets): string {
  if (!text.includes(' ') && !text.includes('\t')) return text
  return text.replaceAll(SPACED, (whole, head: string, name: string, _quote: string, value: string) =>
    isSetting(name, value, secrets) ? `${head}${secrets.pseudonymize(value)}` : whole,
  )
}

function redactPhrases(text: string, { pseudonymize }: Secrets): string {
  if (!ANY_PHRASE.test(text)) return text
  return PHRASES.reduce(
    (left, [mark, pattern, isAny]) =>
      mark.test(left)
        ? left.replaceAll(pattern, (whole, head: string) => {
            const value = whole.slice(head.length)
            const isValue = isAny === true || looksCoined(value) || looksRandom(value)
            return isValue && !isPlaceholder(value) && !isHidden(value) ? head + pseudonymize(value) : whole
          })
        : left,
    text,
  )
}
