import { looksCoined, looksRandom } from './random-look.ts'
import { decodeParameter } from './parameters.ts'
import { isHidden, looksSecret, type Secrets } from './secrets.ts'

// `password=…` and `password: …` anywhere, and `--password …`. What quotes or brackets are in is looked into elsewhere.
const SETTING =
  /(?<![\w.$?&#;/%-])(?:--([A-Za-z][\w.-]{1,60})[ \t]|([A-Za-z_][\w.-]{1,60})[ \t]{0,4}[:=][ \t]{0,4})([^\s"'`()<>{}[\],;&|\\]{6,400})(?![("'`[{])/g
const PATH_IN_PROGRAM = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/

/** Hides what is given to a secret name without quotes, within a line, where it looks like no word. */
export function redactSettings(text: string, { kindOf, pseudonymize }: Secrets): string {
  if (!text.includes('=') && !text.includes(':') && !text.includes('--')) return text
  return text.replaceAll(SETTING, (whole, flag: string | undefined, before: string, value: string) => {
    const kind = kindOf(flag ?? before)
    if (kind === 'harmless' || !(looksCoined(value) || looksRandom(value)) || PATH_IN_PROGRAM.test(value))
      return whole
    if (isHidden(value)) return whole
    return looksSecret(kind, value) ? `${whole.slice(0, -value.length)}${pseudonymize(value)}` : whole
  })
}

const SEGMENT = /\/([\w.~%=-]*)/g
const LEADS_TO_SECRET =
  /^(?:[a-z]+[-_])?(?:reset|verify|verification|confirm|confirmation|activate|activation|invite|invitation|magic|unsubscribe|webhook|hooks?|catch)(?:[-_][a-z]+)?$/i

/** Hides the segments of paths that look made at random behind one that leads to secrets, as in `/reset/…`. */
export function redactSegments(
  text: string,
  { isSecretName, pseudonymize }: Secrets,
  redactDecoded: (decoded: string) => string,
): string {
  if (!text.includes('/')) return text
  let before = ''
  let end = -1
  return text.replaceAll(SEGMENT, (whole, segment: string, at: number) => {
    const last = at === end ? before : ''
    before = segment
    end = at + whole.length
    if (segment.includes('%')) return `/${redactEncodedSegment(segment, redactDecoded)}`
    if (last === '' || !looksRandom(segment)) return whole
    return LEADS_TO_SECRET.test(last) || isSecretName(last) ? `/${pseudonymize(segment)}` : whole
  })
}

// What has slashes in it is percent-encoded in a path.
function redactEncodedSegment(segment: string, redactDecoded: (decoded: string) => string): string {
  const decoded = decodeParameter(segment)
  const redacted = redactDecoded(decoded)
  return redacted === decoded ? segment : encodeURIComponent(redacted)
}
