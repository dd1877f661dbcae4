import { type Found, nextCoined } from './coined-tokens.ts'
import { FRAMED } from './framed-secrets.ts'
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
      'tokens/',
      'secrets/',
      'key/',
      'keys/',
    ],
    /\/[\w-]{0,40}(?:reset|verif|confirm|activat|invit|magic|unsubscribe|hook|catch|token|secret|password|api[-_]?key)[\w-]{0,20}\/[\w.~%=-]{10}/i,
  ],
  [
    // A name in a list, behind which its value comes.
    ['word"', 'ecret"', 'oken"', '-key"', '-Key"', 'tion"'],
    /(?:passw(?:or)?d|secret|token|-key|authorization)"\s{0,9},\s{0,9}"/i,
  ],
  [['"eyJ', '"eyA', '"ewo', '"ew0K'], /"(?:eyJ|eyA|ewo|ew0K)[\w+/-]{12,}={0,2}"/],
  [
    ['assw', 'ecret', 'oken', ' key', 'IDENTIFIED', 'identified', 'SecureString'],
    /\b(?:passw(?:or)?d|passcode|passphrase|secret|token|api[ -]?key|identified by|SecureString)\s{1,4}(?:is|was|by|')/i,
  ],
  [
    ['</'],
    /<(?:[\w.-]{1,40}:)?[\w.-]{0,40}(?:passw|secret|token|key|credential)[\w.-]{0,40}>|<(?:key|name)>[^<]{0,80}(?:passw|secret|token|key)/i,
  ],
  [['"Secret"'], /"kind"\s{0,9}:\s{0,9}"Secret"/],
  [['&quot', '&#34', '&#39'], /&(?:quot|#3[49]);\s{0,9}[:=]/],
  [['curl ', 'mysql', 'machine '], /\b(?:curl\b[^\n]{0,400}?\s(?:-u|--user)\b|mysql|machine\s)/],
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
  if (nextCoined(text, 0) !== undefined) return true
  if (!hasMark) return false
  return (
    LEADS.some(([marks, pattern]) => marks.some((mark) => text.includes(mark)) && pattern.test(text)) ||
    FRAMED.some(([mark, pattern]) => text.includes(mark) && text.search(pattern) !== -1)
  )
}

/** A text in which all that is a secret by its form is replaced. */
export function replaceShapes(text: string, by: (found: string) => string): string {
  const issued = replaceAll(replaceAll(text, nextToken, by), nextCoined, by)
  return FRAMED.reduce(
    (left, [mark, pattern]) => (left.includes(mark) ? left.replaceAll(pattern, by) : left),
    issued,
  )
}

function replaceAll(
  text: string,
  next: (text: string, from: number) => Found | undefined,
  by: (found: string) => string,
): string {
  const pieces: string[] = []
  let copied = 0
  for (let found = next(text, 0); found !== undefined; found = next(text, copied)) {
    pieces.push(text.slice(copied, found.start), by(text.slice(found.start, found.end)))
    copied = found.end
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}
