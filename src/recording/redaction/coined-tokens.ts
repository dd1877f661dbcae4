import { looksRandom } from './random-look.ts'

/** Where in a text something is. */
export interface Found {
  readonly start: number
  readonly end: number
}

export const SHORTEST = 32
/** The shortest part of one that has several. */
const SHORTEST_PART = 20
const LONGEST = 400
const LONGEST_BEGINNING = 60

const [DASH, LOW_LINE] = [0x2d, 0x5f]

const ALPHANUMERIC = new Uint8Array(128)
for (const code of Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'))
  ALPHANUMERIC[code] = 1

/** What issuers that are not known put before what they make at random: words of small letters, or one of capitals. */
const BEGINNING = /(?<![\w-])(?:[a-z]{3,12}(?:[_-][a-z0-9]{1,10}){0,3}|[A-Z]{3,12})[_-]$/
/** Digests of public data, keys that anyone may have, and ids that are as long. */
const PUBLIC =
  /^(?:sha|md5|nonce|etag|hash|digest|integrity|checksum|pk|pub|public|phc|cs|cursor|page|id|key|rsa|ssh|blake|crc|css|js|img|font|asset|chunk|bundle)(?![a-z])|^sha\d/i
/** What stands before a digest in base64 for URLs. */
const OF_DIGEST = /(?:sha\d{1,3}|md5)[=:-]$/
const MIXED = /^(?=(?:[^A-Z]*[A-Z]){3})(?=(?:[^a-z]*[a-z]){3})(?=(?:\D*\d){2})/
/** Tokens of bots of Webex, which end with an organization. */
const BOT_LENGTH = 64
const OF_BOT = /_P[A-Z0-9]{3}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/iy
/** Keys of Mailgun, whose parts are all hexadecimal. */
const IN_PARTS = /^[0-9a-f]{32}$/
const OTHER_PARTS = /-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/y
/** Two parts that are made alike. */
const OTHER_HALF = /_[A-Za-z0-9]{20,64}(?![\w-])/y
const HALF = /^(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?=\D*\d)/
/** How long 20, 32 and 64 bytes are in base64 for URLs: ids and digests, which have the sign by chance. */
const OF_BYTES: ReadonlySet<number> = new Set([27, 43, 86])
/** Words of small letters, which ids begin with by chance less often. */
const PRONOUNCED = /^(?!.*[bcdfghjklmnpqrstvwxz]{3})(?=.*[aeiouy])[a-z]/
/** What a file is called behind its id. */
const EXTENSION = /\.(?:jpe?g|png|gif|webp|avif|svg|mp4|webm|mp3|css|m?js|json|html?|xml|pdf)(?![\w-])/y

const NEAR = 1024

/** Whether what stands here is the name of a file, or is where it comes again near by. */
function isFile(text: string, start: number, end: number): boolean {
  const near = text.slice(Math.max(0, start - NEAR), end + NEAR)
  const name = text.slice(start, end)
  const at = near.indexOf(`${name}.`)
  EXTENSION.lastIndex = at + name.length
  return at !== -1 && EXTENSION.test(near)
}

/** The number of an account, and what belongs to it. */
const NUMBERED = /(?<![\w-])[a-z]{1,2}\d{6,10}-$/
const OF_NUMBERED = /^(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{24,32}$/

/**
 * Finds the next token that no issuer is known of, by how it is made: words and `_` or `-`, and then at least 32 letters
 * of both cases and digits, or two parts that are shorter. No more than each 20th character is read where nothing is as
 * long.
 */
export function nextCoined(text: string, from: number): Found | undefined {
  for (let at = from + SHORTEST_PART - 1; at < text.length; at += SHORTEST_PART) {
    if (!isAlphanumeric(text, at)) continue
    let start = at
    while (start > from && isAlphanumeric(text, start - 1)) start--
    let end = at + 1
    while (end < text.length && isAlphanumeric(text, end)) end++
    if (end - start >= SHORTEST_PART && end - start <= LONGEST) {
      const found = coinedAt(text, start, end)
      if (found !== undefined) return found
    }
    at = end
  }
  return undefined
}

function coinedAt(text: string, start: number, end: number): Found | undefined {
  if (!isSeparator(text, start - 1) && !isSeparator(text, end)) return undefined
  const run = text.slice(start, end)
  const inParts = inPartsAt(text, start, end, run)
  if (inParts !== undefined || run.length < SHORTEST) return inParts
  if (run.length === BOT_LENGTH && !isInWord(text, start - 1)) {
    OF_BOT.lastIndex = end
    if (OF_BOT.test(text)) return { start, end: OF_BOT.lastIndex }
  }
  if (IN_PARTS.test(run)) {
    OTHER_PARTS.lastIndex = end
    return OTHER_PARTS.test(text) && !isInWord(text, start - 1)
      ? { start, end: OTHER_PARTS.lastIndex }
      : undefined
  }
  const before = text.slice(Math.max(0, start - LONGEST_BEGINNING), start)
  const [beginning = ''] = BEGINNING.exec(before) ?? []
  if (beginning === '' || PUBLIC.test(beginning) || isInWord(text, end)) return undefined
  if (OF_DIGEST.test(before.slice(0, -beginning.length))) return undefined
  const isOfBytes = OF_BYTES.has(beginning.length + run.length) && !PRONOUNCED.test(beginning)
  if (isOfBytes || !MIXED.test(run) || !looksRandom(run)) return undefined
  const from = start - beginning.length
  return isFile(text, from, end) ? undefined : { start: from, end }
}

function inPartsAt(text: string, start: number, end: number, run: string): Found | undefined {
  if (text.charCodeAt(end) === LOW_LINE && HALF.test(run) && !isInWord(text, start - 1)) {
    OTHER_HALF.lastIndex = end
    const [other = ''] = OTHER_HALF.exec(text) ?? []
    if (
      !HALF.test(other) ||
      OF_BYTES.has(run.length + other.length) ||
      isFile(text, start, end + other.length)
    )
      return undefined
    return looksRandom(run) && looksRandom(other.slice(1)) && !isOfText(run + other)
      ? { start, end: end + other.length }
      : undefined
  }
  if (text.charCodeAt(start - 1) !== DASH || isInWord(text, end) || !OF_NUMBERED.test(run)) return undefined
  const [number = ''] = NUMBERED.exec(text.slice(Math.max(0, start - LONGEST_BEGINNING), start)) ?? []
  return number === '' ? undefined : { start: start - number.length, end }
}

// Base64 of a text for URLs has the sign between its parts by chance, and the text is looked into by itself.
function isOfText(base64: string): boolean {
  return /^[\x20-\x7e]+$/.test(Buffer.from(base64, 'base64').toString('latin1'))
}

function isAlphanumeric(text: string, at: number): boolean {
  return ALPHANUMERIC[text.charCodeAt(at)] === 1
}

// One of them stands before or behind whatever is found.
function isSeparator(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === DASH || code === LOW_LINE
}

function isInWord(text: string, at: number): boolean {
  return at >= 0 && /[\w-]/.test(text.charAt(at))
}
