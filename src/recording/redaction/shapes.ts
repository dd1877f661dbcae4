import { BEGINNINGS } from './issued-tokens.ts'
import { looksMade } from './random-look.ts'

/** A beginning, what follows it, and whether that has to look made. */
interface Beginning {
  readonly text: string
  readonly rest: RegExp
  readonly isUsual: boolean
}

/** By what all of them begin with, which is looked up at each beginning of a word. */
const KEY_LENGTH = 3
const byKey = new Map<string, Beginning[]>()
/** What three characters may be, by their hash. */
const KINDS = new Uint8Array(2 ** 18)
const MASK = KINDS.length - 1
const [IS_BEGINNING, IS_MARK] = [1, 2]

for (const [texts, { pattern, isUsual = false }] of BEGINNINGS) {
  const rest = new RegExp(pattern, 'y')
  for (const text of texts.split(' ')) {
    const key = text.slice(0, KEY_LENGTH)
    byKey.set(key, [...(byKey.get(key) ?? []), { text, rest, isUsual }])
    note(key, IS_BEGINNING)
  }
}
// The longest says most.
for (const all of byKey.values()) all.sort((a, b) => b.text.length - a.text.length)

function note(key: string, kind: number): void {
  const hash = key.split('').reduce((recent, each) => ((recent << 6) ^ each.charCodeAt(0)) & MASK, 0)
  KINDS[hash] = (KINDS[hash] ?? 0) | kind
}

/** Digits, letters and `_`. */
const IN_WORD = new Uint8Array(128)
for (const code of Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_'))
  IN_WORD[code] = 1

const DASH = 0x2d

/** Where in a text something is. */
interface Found {
  readonly start: number
  readonly end: number
}

/** Finds the next secret in a text by its beginning. To find all takes time linear to the text's length. */
function nextToken(text: string, from: number): Found | undefined {
  let recent = 0
  for (let next = from; next < text.length; next++) {
    recent = ((recent << 6) ^ text.charCodeAt(next)) & MASK
    const at = next - KEY_LENGTH + 1
    if (((KINDS[recent] ?? 0) & IS_BEGINNING) === 0 || at < from || isInWord(text, at - 1)) continue
    const end = endOfToken(text, at)
    if (end !== undefined) return { start: at, end }
  }
  return undefined
}

function isInWord(text: string, at: number): boolean {
  return at >= 0 && IN_WORD[text.charCodeAt(at)] === 1
}

function endOfToken(text: string, at: number): number | undefined {
  for (const { text: beginning, rest, isUsual } of byKey.get(text.slice(at, at + KEY_LENGTH)) ?? []) {
    if (!text.startsWith(beginning, at)) continue
    // Names with dashes hold every word.
    if (isUsual && text.charCodeAt(at - 1) === DASH) continue
    rest.lastIndex = at + beginning.length
    const found = rest.exec(text)
    if (found !== null && (!isUsual || looksMade(found[0]))) return rest.lastIndex
  }
  return undefined
}

/** What stands around or between, so that it has to be looked for in the whole text. */
const FRAMED: readonly (readonly [mark: string, pattern: RegExp])[] = [
  // Encrypted ones have headers (RFC 1421), those of OpenPGP are blocks (RFC 9580), and a cut one has no end.
  [
    'PRIVATE KEY',
    /-----BEGIN [A-Z0-9 _-]{0,60}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[\s\S])*(?:-----END [A-Z0-9 _-]{0,60}-----)?/g,
  ],
  [
    'PuTTY-User-Key-File',
    /PuTTY-User-Key-File-\d:(?:(?!Private-MAC|PuTTY-User)[\s\S])*(?:Private-MAC: ?[0-9a-f]*)?/g,
  ],
  ['hooks.slack.com/', /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/+-]+/g],
  ['hooks.zapier.com/', /(?<=hooks\.zapier\.com\/hooks\/(?:catch|standard)\/)[\w/-]+/g],
  ['/webhooks/', /(?<=\/webhooks\/\d{10,25}\/)[\w-]{20,}/g],
  ['/webhookb2/', /(?<=\/webhookb2\/)[\w@/-]{30,}/g],
  [':A', /(?<=\bbot)\d{6,12}:[\w-]{35}|\b\d{8,10}:A[\w-]{34}(?![\w-])/g],
  ['1//', /\b1\/\/0[\w-]{30,}/g],
  ['|', /\b\d{15,16}\|[\w-]{27,40}(?![\w-])/g],
  ['.atlasv1.', /\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/g],
  ['Q~', /(?<![\w~.])[\w~.]{3}\dQ~[\w~.-]{31,34}/g],
  ['-us', /\b[0-9a-f]{32}-us\d{1,2}(?![\w-])/g],
  // What marks the keys of Azure and of New Relic stands within and at the end.
  ['JQQJ9', /(?<![A-Za-z0-9])[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{25,31}(?![A-Za-z0-9])/g],
  ['NRAL', /(?<![A-Za-z0-9])[A-Za-z0-9]{32,36}NRAL(?![\w-])/g],
  ['_mmk', /\b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b/g],
  ['s.', /(?<![\w.-])s\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}(?![\w-])/g],
  ['earer ', /(?<=\bbearer )(?=[\w.~+/-]{0,99}\d)[\w.~+/-]{8,}=*/gi],
  ['oken ', /(?<=\btoken )(?=[\w.~+/-]{0,99}\d)[\w.~+/-]{8,}=*/gi],
  ['asic ', /(?<=\bbasic )(?=[\w.~+/-]{0,99}[\d=])[\w.~+/-]{8,}=*/gi],
]

/** What leads to a secret without being part of it: a path, or a name before a colon. */
const LEADS: readonly (readonly [marks: readonly string[], pattern: RegExp])[] = [
  [
    [
      'reset',
      'verif',
      'onfirm',
      'ctivat',
      'nvit',
      'agic',
      'nsubscribe',
      'hook',
      'token/',
      'secret/',
      'password/',
    ],
    /\/[\w-]{0,40}(?:reset|verif|confirm|activat|invit|magic|unsubscribe|hook|catch|token|secret|password)[\w-]{0,20}\/[\w.~%=-]{15}/i,
  ],
  [
    ['assw', 'ecret', 'oken', 'ey: ', 'EY: '],
    /(?:passw(?:or)?d|secret|token|key)[\w-]{0,20}[ \t]{0,4}:[ \t]{0,4}\w/i,
  ],
]

const MARKS = [...LEADS.flatMap(([marks]) => marks), ...FRAMED.map(([mark]) => mark)]
const FOLLOWING = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~'.split('')
for (const mark of MARKS) for (const key of keysOf(mark)) note(key, IS_MARK)

function keysOf(mark: string): readonly string[] {
  return mark.length < KEY_LENGTH
    ? FOLLOWING.flatMap((each) => keysOf(mark + each))
    : [mark.slice(0, KEY_LENGTH)]
}

/** Whether a text may hold such a secret, to be checked before the text is looked into. */
export function mayHoldShape(text: string): boolean {
  let hasMark = false
  let recent = 0
  for (let next = 0; next < text.length; next++) {
    recent = ((recent << 6) ^ text.charCodeAt(next)) & MASK
    const kind = KINDS[recent]
    if (kind === 0) continue
    const at = next - KEY_LENGTH + 1
    if (kind !== IS_MARK && !isInWord(text, at - 1) && endOfToken(text, at) !== undefined) return true
    hasMark ||= kind !== IS_BEGINNING && MARKS.some((mark) => text.startsWith(mark, at))
  }
  if (!hasMark) return false
  return (
    LEADS.some(([marks, pattern]) => marks.some((mark) => text.includes(mark)) && pattern.test(text)) ||
    FRAMED.some(([mark, pattern]) => text.includes(mark) && text.search(pattern) !== -1)
  )
}

/** A text in which all that is a secret by its form is replaced. */
export function replaceShapes(text: string, by: (found: string) => string): string {
  const pieces: string[] = []
  let copied = 0
  for (let found = nextToken(text, 0); found !== undefined; found = nextToken(text, copied)) {
    pieces.push(text.slice(copied, found.start), by(text.slice(found.start, found.end)))
    copied = found.end
  }
  const issued = pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
  return FRAMED.reduce(
    (left, [mark, pattern]) => (left.includes(mark) ? left.replaceAll(pattern, by) : left),
    issued,
  )
}
