import { looksRandom } from './random-look.ts'
import { redactLines } from './redact-lines.ts'
import { redactShapes, redactText } from './redact-text.ts'
import { inPrograms, keepingLengths, type Secrets } from './secrets.ts'
import { replaceIssued } from './shapes.ts'

/** Control characters that no text has. */
// eslint-disable-next-line no-control-regex
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/
const ALL_BINARY = new RegExp(BINARY, 'g')

/** Of a text between bytes that are none: what is shorter holds no secret. */
const SHORTEST = 8
const IS_TEXT = new Uint8Array(0x1_0000)
IS_TEXT.fill(1, 0x20, 0x7f)
for (const code of Buffer.from('\t\n\r')) IS_TEXT[code] = 1

/** What compiled programs begin with, in which names stand behind names: of Linux, Java, WebAssembly, Python, Windows, macOS. */
const COMPILED =
  // eslint-disable-next-line no-control-regex
  /^(?:\x7fELF|\xca\xfe\xba\xbe|\0asm|.[\x0b-\x0f]\r\n|MZ.\0|[\xce\xcf]\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf])/s

/** What is shorter than a token has its name before it: bytes of images have few words. */
const LONG_RUN = 16
const MAY_NAME = /[A-Za-z]{3}[^A-Za-z\d]/

/** What a name is, and how much stands between it and what says the length of its value. */
const NAME = /^[A-Za-z][\w.-]+$/
const MAX_NAME = 61
const MAX_BETWEEN = 4

/** What MessagePack and CBOR put before a text whose length they state in the byte behind it (or in two). */
const LONG_CBOR = 0x78
const TYPES: ReadonlySet<number> = new Set([0xd9, 0xda, LONG_CBOR, 0x79])
/** The type of an element of BSON, before its name. */
const BSON_STRING = 2
const [SHORT_MESSAGE_PACK, SHORT_CBOR] = [0xa0, 0x60]
const [MAX_SHORT_MESSAGE_PACK, MAX_SHORT_CBOR] = [31, 23]

/** Whether a text has characters that only messages of a binary format have. */
export function isBinary(text: string): boolean {
  return BINARY.test(text)
}

const SAMPLE = 4096
const MIN_BINARY = 8
const MIN_SHARE = 1 / 64

/** Whether it has so many of them that they are more than a few marks between the lines of a text. */
export function isMostlyBinary(text: string): boolean {
  if (!isBinary(text)) return false
  const beginning = text.slice(0, SAMPLE)
  const found = beginning.match(ALL_BINARY)?.length ?? 0
  return found >= MIN_BINARY && found >= beginning.length * MIN_SHARE
}

/**
 * Hides the secrets of the texts that stand in a binary format, such as MessagePack, CBOR, BSON or Protocol Buffers. All
 * keep their lengths, which these formats state before them.
 * @param text its bytes, each a character of ISO 8859-1; or characters, of which those of ASCII are looked at
 */
export function redactBinary(text: string, given: Secrets): string {
  const secrets = keepingLengths(given)
  const inTexts = inPrograms(secrets)
  const framed: Framed = { secrets, hasNames: !COMPILED.test(text) }
  const pieces: string[] = []
  let copied = 0
  for (const [start, end] of runsIn(text)) {
    const run = text.slice(start, end)
    const redacted = redactRun(run, text, start, framed, inTexts)
    if (redacted === run) continue
    pieces.push(text.slice(copied, start), redacted)
    copied = end
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}

// Of as many characters as a run has at least, one is looked at where that ends it.
function* runsIn(text: string): Generator<readonly [start: number, end: number]> {
  let from = 0
  for (let at = SHORTEST - 1; at < text.length; at += SHORTEST) {
    if (!isTextAt(text, at)) continue
    let [start, end] = [at, at + 1]
    while (start > from && isTextAt(text, start - 1)) start--
    while (end < text.length && isTextAt(text, end)) end++
    if (end - start >= SHORTEST) yield [start, end]
    from = end
    at = end
  }
}

function isTextAt(text: string, at: number): boolean {
  return IS_TEXT[text.charCodeAt(at)] === 1
}

interface Framed {
  readonly secrets: Secrets
  /** Whether a text may stand behind its name. */
  readonly hasNames: boolean
}

function redactRun(run: string, text: string, at: number, framed: Framed, secrets: Secrets): string {
  if (framed.hasNames && isBehindName(run, text, at, framed.secrets)) return framed.secrets.pseudonymize(run)
  const isWorthReading = run.length >= LONG_RUN || MAY_NAME.test(run)
  const whole = isWorthReading && /[=:]/.test(run) ? redactLines(run, secrets) : run
  const clean = isWorthReading || secrets.patterns.length > 0 ? redactText(whole, secrets) : run
  const pieces: string[] = []
  let copied = 0
  for (const [start, end] of framedIn(run, text, at)) {
    if (start < copied) continue
    const piece = clean.slice(start, end)
    const redacted = redactPiece(piece, text, at + start, framed)
    if (redacted === piece) continue
    pieces.push(clean.slice(copied, start), redacted)
    copied = end
  }
  return pieces.length === 0 ? clean : pieces.join('') + clean.slice(copied)
}

/** What a letter by chance states a length in. */
const IN_BASE64_LENGTH = 48
const IN_BASE64 = /^[A-Za-z\d+/]{48}$|[+/][A-Za-z\d]{23,47}$/

function redactPiece(piece: string, text: string, at: number, { secrets, hasNames }: Framed): string {
  if (hasNames && isNamedBefore(piece, text, at, secrets)) return secrets.pseudonymize(piece)
  if (IN_BASE64.test(text.slice(Math.max(0, at - IN_BASE64_LENGTH), at))) return piece
  // A letter states a length by chance, too, and what is behind it is then no word.
  return isOfName(text, at - 1) ? replaceIssued(piece, secrets.pseudonymize) : redactShapes(piece, secrets)
}

// A name and a value that end with a zero each, as environments and messages of databases have them.
function isBehindName(run: string, text: string, at: number, { hides }: Secrets): boolean {
  if (text.charCodeAt(at - 1) !== 0 || !looksRandom(run)) return false
  let start = at - 1
  while (start > 0 && at - start < MAX_NAME && isOfName(text, start - 1)) start--
  const name = text.slice(start, at - 1)
  return NAME.test(name) && !isInText(text.charCodeAt(start - 1)) && hides(name, run)
}

// In maps, a text stands behind its name, and the first letter of that may be its length or type.
function isNamedBefore(piece: string, text: string, at: number, { hides }: Secrets): boolean {
  let end = at - lengthBefore(text, at, piece.length)
  for (let left = MAX_BETWEEN; left > 0 && end > 0 && !isOfName(text, end - 1); left--) end--
  let start = end
  while (start > 0 && end - start < MAX_NAME && isOfName(text, start - 1)) start--
  const name = text.slice(start, end)
  if (!NAME.test(name)) return false
  const own = statesLength(text, start + 1, name.length - 1) ? name.slice(1) : name
  const isFramed =
    own !== name || statesLength(text, start, name.length) || text.charCodeAt(start - 1) === BSON_STRING
  const isStated = isFramed || !isInText(text.charCodeAt(at - 1))
  return isStated && (isFramed || looksRandom(piece)) && (hides(own, piece) || hides(name, piece))
}

// How many bytes say how long a text of this length is.
function lengthBefore(text: string, at: number, length: number): number {
  const code = text.charCodeAt(at - 1)
  if (code === 0) return 4
  if (code !== (length & 0xff) && code !== length >> 7) return 1
  const isOfTwo = code === length >> 7 || text.charCodeAt(at - 2) === length >> 8
  const bytes = length > 0x7f && isOfTwo ? 2 : 1
  return TYPES.has(text.charCodeAt(at - bytes - 1)) ? bytes + 1 : bytes
}

function isInText(code: number): boolean {
  return code >= 0x20 && code <= 0x7e
}

function isOfName(text: string, at: number): boolean {
  return /[\w.-]/.test(text.charAt(at))
}

/** The texts of a run that are as long as what stands before them says, which may be letters as well. */
function* framedIn(run: string, text: string, at: number): Generator<readonly [number, number]> {
  if (statesLength(text, at, run.length)) yield [0, run.length]
  // One after the other, from the first on.
  let next = 0
  for (let index = 0; index < run.length - SHORTEST; index++) {
    const [code, left] = [run.charCodeAt(index), run.length - index - 1]
    const isNext = index <= next + 1 && code >= SHORTEST && code <= left
    if (isNext) next = index + 1 + code
    if (isNext || code === left) yield [index + 1, index + 1 + code]
    else if (code === SHORT_CBOR + left && left <= MAX_SHORT_CBOR) yield [index + 1, run.length]
    else if (code === LONG_CBOR && run.charCodeAt(index + 1) < left)
      yield [index + 2, index + 2 + run.charCodeAt(index + 1)]
  }
}

function statesLength(text: string, at: number, length: number): boolean {
  const code = text.charCodeAt(at - 1)
  if (code === length || code === (length & 0xff)) return true
  if (code === length >> 7 && text.charCodeAt(at - 2) === ((length & 0x7f) | 0x80)) return true
  if (length <= MAX_SHORT_MESSAGE_PACK && code === (SHORT_MESSAGE_PACK | length)) return true
  if (length <= MAX_SHORT_CBOR && code === (SHORT_CBOR | length)) return true
  // BSON counts the zero behind it as well, in four bytes.
  return code === 0 && text.charCodeAt(at - 4) === ((length + 1) & 0xff)
}
