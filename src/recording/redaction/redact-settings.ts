import {
  isFileName,
  isMadeOfWords,
  isPlaceholder,
  isUuid,
  looksCoined,
  looksLikeCode,
  looksLikeLiteral,
  looksRandom,
} from './random-look.ts'
import { findTemplates } from './script-templates.ts'
import { isCoordinate, isLabelOf, isTypeOf } from './names.ts'
import { decodeParameter } from './parameters.ts'
import { COMMANDS, PHRASES } from './phrases.ts'
import { isHidden, looksSecret, type Secrets } from './secrets.ts'

// `password=…` and `password: …` anywhere, and `--password …`. What quotes or brackets are in is looked into elsewhere.
const SETTING =
  /(?<![\w.$?&#/%-]|(?<!&(?:quot|#3[49]));)(?:--?([A-Za-z][\w.-]{1,60})[ \t=]|([A-Za-z_][\w.-]{1,60})[ \t]{0,4}(?:=(?:>|&gt;)|[:=])[ \t]{0,4})([^\s"'`()<>{}[\],;&|\\]{6,4000})/g
const QUOTED_FLAG = /(?<![\w-])--?([A-Za-z][\w.-]{1,60})[ \t=]{1,3}(["'])([^"'\n\\]{4,400})(?=\2)/g
// An argument of a list, which a shell does not read.
const ONLY_FLAG = /^--?([A-Za-z][\w.-]{1,60})=(\S{6,4000})$/
// A head, as tools of the command line take it.
const QUOTED_HEAD = /(["'])([A-Za-z][\w-]{1,60}):[ \t]{0,4}([^\s"']{6,4000})(?=\1)/g
// `a.b`, `a.b=c` where several are given the same, and `a.b??c`.
function isPath(value: string): boolean {
  const [first = '', second = ''] = value.split(/=|\?\?/, 2)
  return PATH_IN_PROGRAM.test(first) && !looksRandom(first) && !looksRandom(second)
}

// In a comment, or in a text of several lines.
const isLiteral = (value: string): boolean =>
  value.length >= MIN_LITERAL && !PATH_IN_PROGRAM.test(value.replace(/[-+/]\w+$/, '')) && looksRandom(value)
const MIN_LITERAL = 16
/** What stands before it in a comment, where this begins its line. */
const IN_COMMENT = /(?:^|\n)[ \t]{0,80}(?:\/\/|\/?\*)[^\n]*$/
const MAX_LINE = 200
/** What stands behind the type of a variable or a parameter that has a value. */
const TYPED = /^ = /
const OPENS = /[(`[{]/
/** Names of programs with a number in them, and no more than that. */
const NAME_IN_PROGRAM =
  /^(?:[a-z_$]+(?:[A-Z][a-z]+\d?)+\$?|(?:[A-Z][a-z]+){2,}[_$]\d|(?:Big)?(?:Uint|Int|Float)\d{1,2}(?:Clamped)?Array)$/
const isNameInProgram = (value: string): boolean => NAME_IN_PROGRAM.test(value) && !looksRandom(value)
const PATH_IN_PROGRAM = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/

// What is put behind a name without a sign between, as it stands on a line of its own, and does not begin with a scheme.
const SPACED =
  /^([ \t]{0,40}(?:(?:ENV|ARG|#define|SetEnv)[ \t]{1,9}|(?!(?:[Bb]earer|[Bb]asic|[Dd]igest)[ \t]))([A-Za-z_][\w.-]{1,60})[ \t]{1,9}(["']?))([^\s"'=$<>]{6,4000})(?=\3[ \t]*\r?$)/gm

/** Most texts have none of them, which is found in one pass. */
const ANY_PHRASE = new RegExp(PHRASES.map(([mark]) => mark.source).join('|'), 'i')

/** Hides what is given to a secret name without quotes, within a line, where it looks like no word. */
export function redactSettings(text: string, secrets: Secrets): string {
  const { kindOf, hides, pseudonymize } = secrets
  let isInTemplate: ((at: number) => boolean) | undefined
  const phrased = redactSpaced(redactCommands(redactPhrases(text, secrets), secrets), secrets)
  if (!phrased.includes('=') && !phrased.includes(':') && !phrased.includes('-')) return phrased
  const [, only = '', argument = ''] = ONLY_FLAG.exec(phrased) ?? []
  if (only !== '') return hideIn(phrased, only, argument, secrets)
  const flagged = phrased.includes('-')
    ? phrased.replaceAll(QUOTED_FLAG, (whole, name: string, _quote: string, value: string) =>
        hides(name, value) ? `${whole.slice(0, -value.length)}${pseudonymize(value)}` : whole,
      )
    : phrased
  return replaceSettings(redactHeads(flagged, secrets), (match) => {
    const { 0: whole, 1: flag, 2: before = '', 3: value = '', index: at, input: all } = match
    const next = all.charAt(at + whole.length)
    const isInCode = next === '`' && all.charAt(at - 1) === '`'
    if ((OPENS.test(next) && !isInCode) || isNameInProgram(value)) return whole
    if (next === ';' && isLabelOf(flag ?? before, `${value};`)) return whole
    const isTyped = TYPED.test(all.slice(at + whole.length, at + whole.length + 3))
    if (kindOf(flag ?? before) !== 'harmless' && isTypeOf(flag ?? before, isTyped ? `${value};` : value))
      return whole
    // A text ends with a quote.
    if (
      secrets.isScript === true &&
      !/["'`]/.test(next) &&
      !isLiteral(value) &&
      !IN_COMMENT.test(all.slice(Math.max(0, at - MAX_LINE), at)) &&
      (kindOf(flag ?? before) === 'harmless' || !(isInTemplate ??= findTemplates(all))(at))
    )
      return whole
    return hideIn(whole, flag ?? before, value, secrets)
  })
}

/** Replaces what is given to a name, or to the name that is given to it: `worker: acme_token = …`, `value=TOKEN=…`. */
function replaceSettings(text: string, replace: (match: RegExpExecArray) => string): string {
  const pieces: string[] = []
  let copied = 0
  SETTING.lastIndex = 0
  for (let match = SETTING.exec(text); match !== null; match = SETTING.exec(text)) {
    const [whole, , , value = ''] = match
    const end = match.index + whole.length
    const replaced = replace(match)
    if (replaced !== whole) {
      pieces.push(text.slice(copied, match.index), replaced)
      copied = end
    } else if (value.length <= MAX_INNER && IS_NAME.test(value + text.slice(end, end + MAX_GIVES))) {
      SETTING.lastIndex = end - value.length
    }
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}

const IS_NAME = /^[A-Za-z_][\w.-]{1,60}[ \t]{0,4}[:=]/
const MAX_INNER = 300
const MAX_GIVES = 5

function redactHeads(text: string, secrets: Secrets): string {
  if (!text.includes('"') && !text.includes("'")) return text
  return text.replaceAll(QUOTED_HEAD, (whole, _quote: string, name: string, value: string) =>
    hideIn(whole, name, value, secrets),
  )
}

/** A text without the value at its end, where that is a secret of this name. */
function hideIn(text: string, name: string, value: string, secrets: Secrets): string {
  return isSetting(name, value, secrets)
    ? `${text.slice(0, -value.length)}${secrets.pseudonymize(value)}`
    : text
}

function isSetting(name: string, value: string, { kindOf }: Secrets): boolean {
  const kind = isBareKey(name, value) ? 'maybe' : kindOf(name)
  if (kind === 'harmless' || isPath(value) || isHidden(value) || HEX.test(value)) return false
  if (isCoordinate(name, value) || value.startsWith(name)) return false
  if (COOKIE.test(name) && OF_WORDS.test(value) && kindOf(value.slice(0, value.indexOf('='))) === 'harmless')
    return false
  const isMade = looksCoined(value) || looksRandom(value) || LONG_NUMBER.test(value)
  return isMade && !value.endsWith(`$${name}`) && looksSecret(kind, value) && !isLabelOf(name, value)
}

// What is found by its key is called by words, numbers or digests.
function isBareKey(name: string, value: string): boolean {
  return KEY.test(name) && MIXED_KEY.test(value)
}

const COOKIE = /^(?:set-?)?cookie$/i
/** A cookie that says how a page is shown. */
const OF_WORDS = /^[\w-]{1,40}=(?:[A-Za-z]{1,12}|\d{1,6})$/

/** A number as programs write it. */
const HEX = /^0x[\da-f]{1,16}[UL]{0,3}$/i
const KEY = /^key$/i
const MIXED_KEY = /^(?=\D*\d)(?=[^g-z]*[g-z])[\w-]{24,80}$/i

/** What is longer than numbers of things are. */
const LONG_NUMBER = /^\d{18,}$/

function redactCommands(text: string, { pseudonymize }: Secrets): string {
  return COMMANDS.reduce(
    (left, [mark, pattern]) =>
      left.includes(mark)
        ? left.replaceAll(pattern, (whole, head: string, value: string) =>
            isHarmless(value) ? whole : head + pseudonymize(value),
          )
        : left,
    text,
  )
}

/** What texts about secrets and scripts have in their place. */
const IN_PLACE =
  /^(?:\$\{?\w+\}?|(?:(?:new|old|your|my|the|in|some|user|db|proxy)[-_ ]?)?(?:password|passwd|passphrase|pass|pwd|secret|token))$/i
/** Of a key of OpenPGP, as people compare it (RFC 9580, section 5.5.4). */
const FINGERPRINT = /^[\dA-F]{40}$/

function isHarmless(value: string): boolean {
  return isPlaceholder(value) || isHidden(value) || IN_PLACE.test(value) || FINGERPRINT.test(value)
}

function redactSpaced(text: string, secrets: Secrets): string {
  if (!text.includes(' ') && !text.includes('\t')) return text
  return text.replaceAll(SPACED, (whole, _head: string, name: string, _quote: string, value: string) =>
    hideIn(whole, name, value, secrets),
  )
}

const ACCEPTS: Readonly<Record<'all' | 'random' | 'literal' | 'coined', (value: string) => boolean>> = {
  all: () => true,
  random: looksRandom,
  literal: looksLikeLiteral,
  coined: (value) => looksRandom(value) || looksCoined(value),
}

function redactPhrases(text: string, { pseudonymize }: Secrets): string {
  if (!ANY_PHRASE.test(text)) return text
  return PHRASES.reduce(
    (left, [mark, pattern, accepts]) =>
      mark.test(left)
        ? left.replaceAll(pattern, (whole, head: string) => {
            const value = whole.slice(head.length)
            return ACCEPTS[accepts ?? 'coined'](value) && !isHarmless(value)
              ? head + pseudonymize(value)
              : whole
          })
        : left,
    text,
  )
}

const SEGMENT = /[\w.~%=-]*/y
/** What is shorter looks neither coined nor random. */
const MIN_MADE = 6
/** Numbers, UUIDs, and numbers in base64, as in the paths of Django. */
const IS_ID = /^(?:\d{1,25}|[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}|[MNO][A-Za-z0-9_-]{1,9})$/
const FIRST_OF_NAME = /^[A-Za-z]{2,12}$/
const LAST_OF_NAME = /^(?:key|code|phrase)$/i
const LEADS_TO_SECRET =
  /^(?:[a-z]+[-_])?(?:reset|verify|verification|confirm|confirmation|activate|activation|invite|invitations?|magic|accept|redeem|claim|unsubscribe|webhook|hooks?|catch)(?:[-_][a-z]+)?$/i

const LAST_SEGMENT = /\/([\w-]{3,60})\/?$/
const MAX_SEGMENT = 62

/** Whether a path ends with what leads to a secret, as in `/reset-password?t=…`. */
export function leadsToSecret(path: string): boolean {
  const [, segment = ''] = LAST_SEGMENT.exec(path.slice(-MAX_SEGMENT)) ?? []
  return LEADS_TO_SECRET.test(segment)
}

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
    const decoded = segment.includes('%') ? decodeParameter(segment) : segment
    const hidden =
      isMadeBehind(last, decoded) &&
      isSecretBehind(last, decoded, kindOf) &&
      !isInBase64(text, slash - last.length)
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

/** `ubuntu-20.04`, of which there are many under one path. */
const NAME_AND_VERSION = /^[a-z]{2,20}(?:-[a-z]{2,20}){0,3}-v?\d{1,4}(?:\.\d{1,4}){1,3}$/i

function isMadeBehind(before: string, segment: string): boolean {
  if (before === '' || before.length > 40 || segment.length < MIN_MADE) return false
  if (isFileName(segment) && isMadeOfWords(segment.slice(0, segment.lastIndexOf('.')))) return false
  if (NAME_AND_VERSION.test(segment)) return false
  return (looksCoined(segment) || looksRandom(segment)) && !looksRandom(before)
}

const BASE64 = /(?:sha\d{1,3}-)?[A-Za-z\d+/]{16,120}$/
const MAX_BASE64 = 130

/** Whether what stands before is base64, as of a digest or a picture, in which letters between slashes are not a name. */
function isInBase64(text: string, at: number): boolean {
  const [before = ''] = BASE64.exec(text.slice(Math.max(0, at - MAX_BASE64), at)) ?? []
  return (before.startsWith('sha') || before.includes('+')) && looksRandom(before)
}

function isSecretBehind(before: string, segment: string, kindOf: Secrets['kindOf']): boolean {
  const isRandom = looksRandom(segment)
  if ((isRandom || looksLikeCode(segment)) && LEADS_TO_SECRET.test(before)) return true
  if (isRandom && IS_VERSION.test(before)) return IS_KEY.test(segment)
  const kind = kindOf(before)
  // What is listed, as `api_keys`, is found by its id.
  if (kind === 'secret')
    return isRandom || (segment.length >= MIN_CODE && !(before.endsWith('s') && isUuid(segment)))
  if (isRandom && IS_SHARED.test(before)) return IS_LINK.test(segment)
  // What is listed has ids, which are shorter.
  return isRandom && segment.length >= MIN_TOKEN && OF_SECRETS.test(before)
}

const MIN_CODE = 10
/** What anyone may read who has its address, which is long and made at random, unlike names of files. */
const IS_SHARED = /^(?:share|private|ical)$/
const IS_LINK =
  /^(?:[0-9a-f]{32,64}|(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?=\D*\d)[\w-]{16,64}|(?=[a-z]*\d)[a-z\d]{26,64})(?:\.(?:ics|xml|rss))?$/

/** What a version of an API has at once behind it is the id of nothing. */
const IS_VERSION = /^v\d$/
const IS_KEY = /^(?=(?:[^A-Z]*[A-Z]){2})(?=(?:[^a-z]*[a-z]){2})(?=(?:\D*\d){2})[\w-]{28,64}$/
const MIN_TOKEN = 30
const OF_SECRETS = /^(?:[a-z]+[-_])?(?:tokens|secrets|api[-_]?keys)$/i

// What has slashes in it is percent-encoded in a path.
function redactEncodedSegment(
  segment: string,
  decoded: string,
  redactDecoded: (decoded: string) => string,
): string {
  if (segment === decoded) return segment
  const redacted = redactDecoded(decoded)
  return redacted === decoded ? segment : encodeURIComponent(redacted)
}
