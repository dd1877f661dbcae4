import { MAY_HAVE_VARIABLES, SAID } from './json-said.ts'
import { NAMED_BEFORE } from './phrases.ts'
import { beginsAsText } from './redact-base64.ts'

/** What leads to a secret without being part of it. */
export interface Lead {
  /** Texts, one of which is in each text that the pattern fits. */
  readonly marks: readonly string[]
  /** Another that has to be there as well. */
  readonly beside?: string
  readonly pattern: RegExp
  /** Whether what the first group of the pattern finds leads there. */
  readonly leads?: (found: string) => boolean
}

/** A text in each mixture of capitals and small letters. */
function inAnyCase(text: string): readonly string[] {
  return text
    .split('')
    .reduce<string[]>(
      (heads, each) => heads.flatMap((head) => [head + each, head + each.toUpperCase()]),
      [''],
    )
}

const OF_NAMES = [
  ...['wd"', 'word"', 'ass"', 'ecret"', 'oken"', 'okens"', 'tials"', 'tion"'],
  ...['WD"', 'WORD"', 'ASS"', 'ECRET"', 'OKEN"', 'OKENS"', 'TIALS"', 'TION"'],
]
// Values, and not names of members, of which many are keys.
const OF_KEYS = ['ey",', 'EY",', 'ey"}', 'EY"}', 'ey"\n', 'EY"\n']

/** Paths, names before a colon, in a list or around a value, and sentences. */
export const LEADS: readonly Lead[] = [
  {
    marks: [
      ...[
        'reset',
        'verif',
        'onfirm',
        'ctivat',
        'nvit',
        'agic',
        'nsubscribe',
        'hook',
        'share/',
        'private/',
        'ical/',
        'token/',
        'secret/',
      ],
      ...['password/', 'tokens/', 'secrets/', 'key/', 'keys/'],
    ],
    pattern:
      /\/[\w-]{0,40}(?:reset|verif|confirm|activat|invit|magic|unsubscribe|hook|catch|share|private|ical|token|secret|password|(?:api|access|auth)[-_/]?key)[\w-]{0,20}\/(?:[\w-]{1,40}\/)?[\w.~%=-]{10}/i,
  },
  { marks: ['/v2/', '/v3/'], pattern: /\/v[23]\/(?=[\w-]{0,63}\d)[\w-]{28,64}(?![\w.%-])/ },
  {
    marks: [...OF_NAMES, ...OF_KEYS],
    pattern: /(?:passw(?:or)?d|pwd|pass|secret|tokens?|key|credentials|authorization)",\s{0,9}"/i,
  },
  {
    marks: [...OF_NAMES, ...OF_KEYS],
    pattern:
      /"(?:field|label|name|key|title)"\s{0,9}:\s{0,9}"[^"\\]{0,60}(?:passw(?:or)?d|pwd|secret|token|key|credentials)"/i,
  },
  {
    marks: ['base64"'],
    pattern: /"encoding"\s{0,9}:\s{0,9}"base64"/i,
  },
  {
    marks: [';base64,'],
    pattern: /;base64,((?:[A-Za-f]|H4sI)[\w+/-]{12,20})/g,
    leads: beginsAsText,
  },
  { marks: ['"eyJ', '"eyA', '"ewo', '"ew0K'], pattern: /"(?:eyJ|eyA|ewo|ew0K)[\w+/-]{12,}={0,2}"/ },
  {
    marks: [
      'ssw',
      'ecret',
      'oken',
      ' key',
      'key is',
      'Key is',
      'key was',
      'Key was',
      'IDENTIFIED',
      'identified',
      'SecureString',
    ],
    pattern:
      /(?:passw(?:or)?d|passcode|passphrase|secret|token|(?:api|access|private|auth|signing)[ _-]?key|identified by|SecureString)(?:\s(?:for|of|on|to|in)(?:\s[\w.@-]{1,40}){1,3})?\s{1,4}(?:is|was|by|')/i,
  },
  {
    marks: ['ssw', 'ecr', 'oke', 'key', 'ede'].flatMap(inAnyCase),
    beside: '</',
    pattern:
      /<(?:[\w.-]{1,40}:)?[\w.-]{0,40}(?:passw|secret|token|key|credential)[\w.-]{0,40}>|<(?:key|name)>[^<]{0,80}(?:passw|secret|token|key)/i,
  },
  {
    marks: ['olumns"', 'cols"', 'ields"', 'eaders"', 'eader"'],
    pattern:
      /"(?:columns|cols|fields|headers?)"\s{0,9}:\s{0,9}\[[^\]]{0,1000}?(?:passw|pwd|pass|secret|token|key|credential)[\w.-]{0,20}"/i,
  },
  {
    marks: ['to', 'is', 'as', 'with', '='].map((word) => `\x60 ${word} \x60`).concat('\x60: \x60'),
    pattern: /\x60[\w.-]{2,60}\x60(?: (?:to|is|as|with|=)|:) \x60/,
  },
  ...SAID.map(({ mark, pattern }) => ({ marks: [mark], pattern })),
  { marks: [':$', ': $'], beside: '"variables"', pattern: MAY_HAVE_VARIABLES },
  { marks: ['&quot', '&#34', '&#39'], pattern: /&(?:quot|#3[49]);\s{0,9}[:=]/ },
  {
    marks: ['curl ', 'mysql', 'machine ', 'sshpass ', 'redis-cli ', ' pass:', 'WIFI:'],
    pattern: /\b(?:curl\b[^\n]{0,400}?\s(?:-u|--user)\b|mysql|machine\s|sshpass\s|redis-cli\s|pass:|WIFI:)/,
  },
  {
    marks: [' code', ' pin', ' passcode', ' PIN'],
    pattern:
      /\s(?:code|pin|passcode|password)\b[^"]{0,140}?(?:\sis:?|:)\s{1,4}(?:\d{4}|\d{3}[ -]\d)|\d{3}\sis\syour\s/i,
  },
  { marks: ['jdbc:oracle'], pattern: /jdbc:oracle:thin:/ },
  {
    marks: ['@tcp(', '@unix(', 'sqlplus ', 'sqlcl ', 'rman ', 'expdp ', 'impdp ', 'sqlldr '],
    pattern: /@(?:tcp|unix)\(|\b(?:sqlplus|sqlcl|rman|expdp|impdp|sqlldr)\s/,
  },
  { marks: [':1521/', ':1522/', ':2484/'], pattern: /@[\w.-]{1,80}:\d{4}\// },
  { marks: [' -p ', ' -P ', ' -w '], pattern: /\s(?:-[uUD]|--user(?:name)?)[ =]\S{1,90}\s-[pPw]\s/ },
  { marks: [':5432:', ':5433:', ':6432:', ':*:'], pattern: /:(?:5432|5433|6432|\*):[\w*-]{1,60}:/ },
  {
    marks: ['ssw', 'ecret', 'oken', 'ey:', 'ey<', 'SSW', 'ECRET', 'OKEN', 'EY:', 'EY<'],
    pattern: /(?:passw(?:or)?d|secret|token|key)[\w-]{0,20}[ \t]{0,4}(?::[ \t]{0,4}[\w<\x60*]|<\/)/i,
  },
  {
    marks: ['ssw', 'ecret ', 'oken ', 'ey ', 'unseal ', 'SSW', 'ECRET ', 'OKEN ', 'EY '],
    pattern: NAMED_BEFORE,
  },
]
