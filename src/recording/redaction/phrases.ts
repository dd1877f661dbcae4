const NAMED = String.raw`(?:\b(?:api|access|private|auth|signing|license)|secret|unseal)[ _-]?key(?: \d)?|(?:unseal|token|secret|passw(?:or)?d|passphrase)`

/** A name in words or an argument of a command, and one word behind it. */
export const NAMED_BEFORE = new RegExp(
  String.raw`(?:${NAMED}):?[ \t]{1,4}[\w+/]{6}|[a-z]KEY:?[ \t]{1,4}[\w+/]{14}|\bauthorization["']?[ \t]{0,4}[:=]|\s--?[\w-]{0,40}(?:passw(?:or)?d|secret|token|key)[ \t]\S`,
  'i',
)

const ONE_TIME = /\s(?:code|pin|passcode|password)(?:\b|:)/i

/** What texts, databases and programs of the command line put before a password, and whether it may be any word, has to be random, or is a literal of a program. */
export const PHRASES: readonly (readonly [
  mark: RegExp,
  pattern: RegExp,
  accepts?: 'all' | 'random' | 'literal',
])[] = [
  [
    /assw|ecret|oken|ey|unseal/i,
    new RegExp(String.raw`((?:${NAMED}):?[ \t]{1,4}["']?)([\w.~+/=-]{14,200}[\w=])`, 'gi'),
    'random',
  ],
  // A head within a text, and a name of one word that ends so.
  [
    /authorization/i,
    /(\bauthorization["']?\s{0,4}[:=,]\s{0,4}["']?[A-Za-z][\w-]{1,30}\s{1,4})([\w.~+/=:-]{8,400})/gi,
  ],
  [/KEY[ \t:]/, /(\b(?!PUB)[A-Za-z]{2,20}_?KEY:?[ \t]{1,4}["']?)([\w.~+/=-]{14,200}[\w=])/g, 'random'],
  // A user and a password, as programs give both to what sends them.
  [
    /redential|asicAuth|auth/,
    /((?:[Cc]redentials?|BasicAuth(?:entication)?|\bauth=)\s{0,4}\(\s{0,9}["'][^"'\n]{1,80}["'],\s{0,9}["'])([^"'\n]{4,200})(?=["']\s{0,9}\))/g,
  ],
  // The last of the arguments of a call that logs in, and the argument of one that sets a password.
  [
    /(?:log_?in|sign_?in|auth|authenticate|redentials?|getConnection|(?:with|Password)\w{1,40})\s{0,4}\(\s{0,9}[\w"'\x60]/i,
    new RegExp(
      String.raw`((?<![A-Za-z])(?:log_?in|sign_?in(?:with\w{1,40})?|authenticate(?:with\w{1,40})?|(?:(?:basic|http|proxy)_?)?auth|getConnection|(?!get|list|describe|delete|revoke)\w{0,40}credentials?|usernamePassword\w{1,40})\s{0,4}\(\s{0,9}(?:(?:["'\x60][^"'\x60\n]{1,200}["'\x60]|[\w.$]{1,60})\s{0,9},\s{0,9}){1,2}["'\x60])([^"'\x60\s]{6,200})(?=["'\x60]\s{0,9}[,)])`,
      'gi',
    ),
    'literal',
  ],
  [
    /(?:set|with)_?\w{0,30}(?:passw(?:or)?d|passphrase|secret)\(/i,
    /((?<![A-Za-z])(?:set|with)_?\w{0,30}(?:passw(?:or)?d|passphrase|secret)\(\s{0,9}["'\x60])([^"'\x60\s]{6,200})(?=["'\x60]\s{0,9}[,)])/gi,
    'literal',
  ],
  // A user and a password that are encoded.
  [
    /btoa\(|Buffer\.from\(|b64encode\(|base64_encode\(|EncodeToString\(/,
    /((?:\bbtoa|\bBuffer\.from|b64encode|base64_encode|EncodeToString)\(\s{0,9}(?:\[\]byte\()?b?["'\x60][\w.@+-]{1,80}:)([^"'\x60\s:]{6,200})(?=["'\x60])/g,
    'literal',
  ],
  [
    /assw|ecret|oken|key/i,
    /((?:passw(?:or)?d|passcode|passphrase|secret|token|(?:api|access|private|secret|auth|signing)[ _-]?key)(?:\s(?:for|of|on|to|in)(?:\s[\w.@-]{1,40}){1,3})?\s(?:is|was)(?::|\s)\s{0,4}["']?)([^\s"'<>]{6,200})/gi,
  ],
  // What is sent to log in with once.
  [
    ONE_TIME,
    /(\b(?:verification|security|log-?in|sign-?in|access|one-time|authentication|confirmation)\s(?:code|pin|passcode|password)(?:\s(?:for|to)(?:\s[\w.@-]{1,40}){1,3})?(?:\sis|:|\sis:)\s{1,4})(\d{4,8}|\d{3,4}[ -]\d{3,4})(?!\d)/gi,
    'all',
  ],
  [
    ONE_TIME,
    /((?<![\w.])(?:G-)?)(\d{4,8}|\d{3}[ -]\d{3})(?=\sis\syour\s(?:[\w-]{1,30}\s){0,4}?(?:code|pin|passcode|password)\b)/gi,
    'all',
  ],
  [
    /password|SecureString/i,
    /(\b(?:password|ConvertTo-SecureString)\s{1,4}'|\b(?:password|ConvertTo-SecureString)\s{1,4}")([^"'\n]{1,200})(?=["'])/gi,
    'all',
  ],
  // Prose says of what something is identified by as well.
  [
    /IDENTIFIED/,
    /(\bIDENTIFIED\s{1,4}(?:WITH\s{1,4}['"\w]{1,60}\s{1,4})?BY\s{1,4}')([^'\n]{1,200})(?=')/g,
    'all',
  ],
  [
    /user\s.{1,160}\sidentified/i,
    /(\buser\s{1,4}(?:if\s{1,4}(?:not\s{1,4})?exists\s{1,4})?\S{1,120}\s{1,4}identified\s{1,4}(?:with\s{1,4}['"\w]{1,60}\s{1,4})?by\s{1,4}')([^'\n]{1,200})(?=')/gi,
    'all',
  ],
  // In texts, what is in such quotes is a name.
  [/IDENTIFIED BY/, /(\bIDENTIFIED\s{1,4}BY\s{1,4}")([^"'\n]{1,200})(?=")/g, 'all'],
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
  [/\bcurl\b/, /(\s(?:-u|--user)[ =]?["']?[\w.@+-]{1,80}:)(?!pass(?:word|wd)?\b)([^\s"'$<>]{4,200})/g, 'all'],
  // A file of netrc, on one line or several.
  [
    /password\s/,
    /(\b(?:machine\s{1,9}\S{1,200}|default(?=\s{1,9}login))(?:\s{1,9}(?:login|account)\s{1,9}\S{1,200}){0,2}\s{1,9}password\s{1,9})([^\s"'<>\\]+)/g,
    'all',
  ],
  [
    /\s-[pPw][ =]/,
    /(\s(?:-[uUD]|--user(?:name)?)[ =]["']?[\w.@+=,-]{1,80}["']?\s-[pPw][ =]["']?)([^\s"'$<>]{4,200})/g,
    'all',
  ],
  // A line of `.pgpass`: server, port, database, user.
  [
    /:(?:543[23]|6432|\*):/,
    /((?<![\w.-])[\w.-]{1,200}:(?:543[23]|6432|\*):[\w*-]{1,60}:[\w.@*-]{1,60}:)([^\s:"'<>]{4,200})/g,
  ],
  [/\bmysql/, /(\s-p)((?=[^\s\d]{0,60}\d)[^\s"'$<>-][^\s"'$<>]{5,200})/g],
  [/\bjdbc:oracle/, /(:thin:[\w.$]{1,60}\/)([^\s@"'<>]{1,200})(?=@)/g, 'all'],
]

/** The same of commands, and of codes that devices read, by what has to be in the text. */
export const COMMANDS: readonly (readonly [mark: string, pattern: RegExp])[] = [
  ['sshpass', /(\bsshpass\s{1,4}-p\s{0,4}["']?)([^\s"'$<>]{4,200})/g],
  ['redis-cli', /(\bredis-cli\b[^\n]{0,200}?\s(?:-a|--pass)\s{1,4}["']?)([^\s"'$<>]{4,200})/g],
  ['pass:', /(\s-(?:passin|passout|pass|k)\s{1,4}["']?pass:)([^\s"'$<>]{3,200})/g],
  ['WIFI:', /(\bWIFI:(?:[^;\n]{0,100};){0,5}P:)([^;\n]{1,100})/g],
  [
    '--password-stdin',
    /(\b(?:echo|printf)\s{1,4}(?:-n\s{1,4})?["']?)([^\s"'$<>|]{4,200})(?=["']?\s{0,4}\|[^\n|]{0,200}--password-stdin)/g,
  ],
  [
    'htpasswd',
    /(\bhtpasswd\s(?:-\w{1,8}\s){0,3}-\w{0,6}b\w{0,6}\s(?:-\w{1,8}\s){0,3}\S{1,200}\s[\w.@-]{1,80}\s["']?)([^\s"'$<>]{4,200})/g,
  ],
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
