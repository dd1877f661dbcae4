import { isUtf8 } from 'node:buffer'
import { INLINE_BYTES } from '../exchange.ts'
import { nextCoined, SHORTEST } from './coined-tokens.ts'
import { isTextInBase64, MIN_OF_TEXT, OF_ASCII } from './redact-base64.ts'
import { mayHoldKnown } from './shapes.ts'

/**
 * Gives valid JSON (RFC 8259) whose names and characters leave no place for a secret as a JSON string, quotes included;
 * `undefined` for all other bytes, which have to be looked into.
 */
export type QuoteHarmless = (bytes: Buffer) => string | undefined

const [TAB, NEWLINE, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20]
const [QUOTE, PERCENT, COMMA, MINUS, DOT, SLASH, COLON, AT] = [0x22, 0x25, 0x2c, 0x2d, 0x2e, 0x2f, 0x3a, 0x40]
const [ZERO, TWO, THREE, FIVE, NINE, SMALL_D, LOW_LINE] = [0x30, 0x32, 0x33, 0x35, 0x39, 0x64, 0x5f]
const LESS_THAN = 0x3c
const FIRST_BEYOND_ASCII = 0x80
const [OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5c, 0x5d, 0x7b, 0x7d]

/** What may come next: one bit each. */
const [VALUE, NAME, AFTER_NAME, NEXT, END] = [1, 2, 4, 8, 16]

/** What the bytes of a string are. */
const [PLAIN, NOTED, SUSPECT] = [0, 1, 2]
const KINDS = new Uint8Array(256)
KINDS.fill(SUSPECT, 0, SPACE)
// A backslash, what gives a value to a name within a text, and what separates a parameter from its value.
for (const suspect of [BACKSLASH, 0x27, 0x3d]) KINDS[suspect] = SUSPECT
for (const noted of [QUOTE, PERCENT, MINUS, SLASH, AT, LOW_LINE, LESS_THAN]) KINDS[noted] = NOTED
KINDS.fill(NOTED, FIRST_BEYOND_ASCII)

const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word))

/**
 * Most bodies are recognized by this, in one pass over their bytes, so that they need be neither parsed nor looked into
 * for names, and by a second one, that they hold no tokens.
 * @param isSecret whether the value of a member of this name has to be hidden or looked into
 */
export function createQuoteHarmless(isSecret: (name: string) => boolean): QuoteHarmless {
  const isHarmlessName = createNames(isSecret)
  const own = Buffer.allocUnsafeSlow(2 * INLINE_BYTES + 2)
  return (bytes) => {
    const { length } = bytes
    const quoted = length <= INLINE_BYTES ? own : Buffer.allocUnsafe(2 * length + 2)
    const nest: boolean[] = []
    let isObject = false
    let expected = VALUE
    let [hasAt, hasSlashes, isAscii] = [false, false, true]
    let end = 0
    quoted[end++] = QUOTE
    for (let at = 0; at < length; at++) {
      const code = bytes[at] as number
      if (code === QUOTE) {
        if ((expected & (VALUE | NAME)) === 0) return undefined
        const start = at + 1
        let hasSeparator = false
        quoted[end++] = BACKSLASH
        quoted[end++] = QUOTE
        for (at = start; ; at++) {
          if (at === length) return undefined
          const each = bytes[at] as number
          const kind = KINDS[each]
          if (kind !== PLAIN) {
            if (each === QUOTE) break
            if (kind === SUSPECT || (each === PERCENT && isEncoded(bytes, at))) return undefined
            if (each === LESS_THAN && isLetter(bytes[at + 1])) return undefined
            if (each === MINUS || each === LOW_LINE) hasSeparator = true
            else if (each === AT) hasAt = true
            else if (each === SLASH && bytes[at + 1] === SLASH) hasSlashes = true
            else if (each >= FIRST_BEYOND_ASCII) isAscii = false
          }
          quoted[end++] = each
        }
        quoted[end++] = BACKSLASH
        quoted[end++] = QUOTE
        if (
          hasSeparator &&
          at - start >= SHORTEST &&
          nextCoined(bytes.toString('latin1', start, at), 0) !== undefined
        )
          return undefined
        if (mayBeBase64(bytes, start, at) && isTextInBase64(bytes.toString('latin1', start, at)))
          return undefined
        if ((expected & NAME) === 0) expected = nest.length === 0 ? 0 : NEXT | END
        else if (isHarmlessName(bytes, start, at)) expected = AFTER_NAME
        else return undefined
      } else if (code === COLON || code === COMMA) {
        if ((expected & (code === COLON ? AFTER_NAME : NEXT)) === 0) return undefined
        expected = code === COMMA && isObject ? NAME : VALUE
        quoted[end++] = code
      } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        if ((expected & VALUE) === 0) return undefined
        nest.push(isObject)
        isObject = code === OPEN_OBJECT
        expected = END | (isObject ? NAME : VALUE)
        quoted[end++] = code
      } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        if ((expected & END) === 0 || isObject !== (code === CLOSE_OBJECT)) return undefined
        isObject = nest.pop() ?? false
        expected = nest.length === 0 ? 0 : NEXT | END
        quoted[end++] = code
      } else if (code === SPACE) {
        quoted[end++] = code
      } else if (code === NEWLINE || code === RETURN || code === TAB) {
        quoted[end++] = BACKSLASH
        quoted[end++] = ESCAPES[code] as number
      } else {
        const after = (expected & VALUE) === 0 ? at : endOfScalar(bytes, at)
        if (after === at) return undefined
        while (at < after) quoted[end++] = bytes[at++] as number
        at--
        expected = nest.length === 0 ? 0 : NEXT | END
      }
    }
    // An `@` after `//` may end user info.
    if (expected !== 0 || (hasAt && hasSlashes) || !(isAscii || isUtf8(bytes))) return undefined
    if (mayHoldKnown(bytes)) return undefined
    quoted[end++] = QUOTE
    return quoted.toString(isAscii ? 'latin1' : 'utf8', 0, end)
  }
}

/** What stands after a backslash for the white space that a JSON string cannot hold. */
const ESCAPES: Readonly<Record<number, number>> = {
  [TAB]: 0x74,
  [NEWLINE]: 0x6e,
  [RETURN]: 0x72,
}

// `=`, and what JSON begins with.
function isEncoded(bytes: Buffer, at: number): boolean {
  const [first, second] = [bytes[at + 1], (bytes[at + 2] ?? 0) | SPACE]
  return (first === THREE && second === SMALL_D) || (first === TWO && (second === TWO || second === FIVE))
}

function isLetter(code = 0): boolean {
  return (code | SPACE) >= 0x61 && (code | SPACE) <= 0x7a
}

function mayBeBase64(bytes: Buffer, start: number, end: number): boolean {
  return end - start >= MIN_OF_TEXT && OF_ASCII[bytes[start] as number] === 1 && bytes[start + 1] !== SPACE
}

// Where a number or word ends; where it begins, if it is neither. Numbers with an exponent are not recognized.
function endOfScalar(bytes: Buffer, start: number): number {
  const digits = bytes[start] === MINUS ? start + 1 : start
  const end = endOfDigits(bytes, digits)
  if (end === digits) {
    const word = WORDS.find((each) => each.every((code, index) => code === bytes[start + index]))
    return start + (word?.length ?? 0)
  }
  if (bytes[digits] === ZERO && end > digits + 1) return start
  if (bytes[end] !== DOT) return end
  const endOfFraction = endOfDigits(bytes, end + 1)
  return endOfFraction === end + 1 ? start : endOfFraction
}

function endOfDigits(bytes: Buffer, start: number): number {
  let at = start
  for (let code = bytes[at]; code !== undefined && code >= ZERO && code <= NINE;) code = bytes[++at]
  return at
}

const MAX_NAMES = 1024
const MAX_NAME_BYTES = 64

// Names come over and over, so those that were found to be harmless are kept, each where its hash says.
function createNames(
  isSecret: (name: string) => boolean,
): (bytes: Buffer, start: number, end: number) => boolean {
  const known: (Uint8Array | undefined)[] = Array.from({ length: MAX_NAMES })
  return (bytes, start, end) => {
    let hash = 0
    for (let at = start; at < end; at++) hash = (hash * 31 + (bytes[at] as number)) % MAX_NAMES
    const name = known[hash]
    if (name !== undefined && isAt(name, bytes, start, end)) return true
    if (isSecret(bytes.toString('utf8', start, end))) return false
    if (end - start <= MAX_NAME_BYTES) known[hash] = Uint8Array.from(bytes.subarray(start, end))
    return true
  }
}

function isAt(name: Uint8Array, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false
  for (let at = start; at < end; at++) if (bytes[at] !== name[at - start]) return false
  return true
}
