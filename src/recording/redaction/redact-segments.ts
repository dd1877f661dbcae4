import { decodeParameter } from './parameters.ts'
import { looksCoined, looksLikeCode, looksRandom } from './random-look.ts'
import type { Secrets } from './secrets.ts'

const SEGMENT = /[\w.~%=-]*/y
/** What is shorter looks neither coined nor random. */
const MIN_MADE = 6
const IS_ID = /^(?:\d{1,25}|[0-9a-f]{32})$/
const FIRST_OF_NAME = /^[A-Za-z]{2,12}$/
const LAST_OF_NAME = /^(?:key|code|phrase)$/i
const LEADS_TO_SECRET =
  /^(?:[a-z]+[-_])?(?:reset|verify|verification|confirm|confirmation|activate|activation|invite|invitations?|magic|accept|redeem|claim|unsubscribe|webhook|hooks?|catch)(?:[-_][a-z]+)?$/i

/** Hides the segments of paths that look made at random behind one that leads to secrets, as in `/reset/…`. */
export function redactSegments(
  text: string,
  { kindOf, pseudonymize }: Secrets,
  redactDecoded: (decoded: string) => string,
): string {
  if (!text.includes('/')) return text
  const pieces: string[] = []
  let copied = 0
  let before = ''
  for (let slash = text.indexOf('/'), end = -1; slash !== -1; slash = text.indexOf('/', end)) {
    const last = slash === end ? before : ''
    const start = slash + 1
    SEGMENT.lastIndex = start
    SEGMENT.test(text)
    end = SEGMENT.lastIndex
    const segment = text.slice(start, end)
    const decoded = decodeParameter(segment)
    const hidden =
      isMadeBehind(last, decoded) && isSecretBehind(last, decoded, kindOf)
        ? encodeURIComponent(pseudonymize(decoded))
        : redactEncodedSegment(segment, decoded, redactDecoded)
    // What a hook belongs to stands between, and a name may be in two parts, as `api/key`.
    if (last === '' || !(IS_ID.test(segment) && LEADS_TO_SECRET.test(last)))
      before = LAST_OF_NAME.test(segment) && FIRST_OF_NAME.test(last) ? `${last}-${segment}` : segment
    if (hidden === segment) continue
    pieces.push(text.slice(copied, start), hidden)
    copied = end
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}

function isMadeBehind(before: string, segment: string): boolean {
  if (before === '' || before.length > 40 || segment.length < MIN_MADE) return false
  return (looksCoined(segment) || looksRandom(segment)) && !looksRandom(before)
}

function isSecretBehind(before: string, segment: string, kindOf: Secrets['kindOf']): boolean {
  const isRandom = looksRandom(segment)
  if ((isRandom || looksLikeCode(segment)) && LEADS_TO_SECRET.test(before)) return true
  const kind = kindOf(before)
  if (kind === 'secret') return isRandom || segment.length >= MIN_CODE
  // What is listed has ids, which are shorter.
  return isRandom && segment.length >= MIN_TOKEN && OF_SECRETS.test(before)
}

const MIN_CODE = 10

const MIN_TOKEN = 30
const OF_SECRETS = /^(?:[a-z]+[-_])?(?:tokens|secrets|api[-_]?keys)$/i

// What has slashes in it is percent-encoded in a path.
function redactEncodedSegment(
  segment: string,
  decoded: string,
  redactDecoded: (decoded: string) => string,
): string {
  if (!segment.includes('%')) return segment
  const redacted = redactDecoded(decoded)
  return redacted === decoded ? segment : encodeURIComponent(redacted)
}
