import { isFileName, isSample, looksCoined, looksRandom } from './random-look.ts'
import { isHidden, type Secrets } from './secrets.ts'

const QUOTE = String.raw`\\?["'\x60]`
const VALUE = String.raw`([^"'\x60\\\s]{6,4000})`

/** Ends of names of secrets. What stands before them in a name is read when there is a value. */
const NAMED = String.raw`(?:token|secret|passw(?:or)?d|passphrase|pwd|key|auth|authorization|credentials?|session|signature)\w{0,20}`

/** What stands between a name and a literal that is the argument of a call, or one of several values or a part of one. */
const BETWEEN = [
  String.raw`\(\s{0,9}`,
  String.raw`(?:${QUOTE})?\]?\s{0,9}(?:=|:)\s{0,9}[^"'\x60,;{}\n]{0,80}?(?:\|\||&&|\?\??|:|\[|\()\s{0,9}`,
  String.raw`\s{0,9}[=:]\s{0,9}[^"'\x60,;{}\n]{0,80}?\?\s{0,9}(?:${QUOTE})[^"'\x60\\\n]{0,40}(?:${QUOTE})\s{0,9}:\s{0,9}`,
  String.raw`(?:${QUOTE})?\]?\s{0,9}(?:\|\||\?\?|&&)=?\s{0,9}`,
  String.raw`=(?:${QUOTE})\s{0,9}\+\s{0,9}`,
].join('|')

const DISTANT = new RegExp(String.raw`(${NAMED})(?:${BETWEEN})(?:${QUOTE})${VALUE}(?=${QUOTE})`, 'gi')

/** `{name: 'password', value: '…'}`, and what defines a property. */
const PAIR = new RegExp(
  String.raw`(?:\b(?:name|key|field|id)\s{0,9}:\s{0,9}|,\s{0,9})(?:${QUOTE})([\w.-]{2,60})(?:${QUOTE})\s{0,9},\s{0,9}\{?\s{0,9}val(?:ue)?\s{0,9}:\s{0,9}(?:${QUOTE})${VALUE}(?=${QUOTE})`,
  'g',
)

/** The default of a variable of Terraform, and what stands before its name in a comparison. */
const OF_VARIABLE =
  /(\bvariable\s{1,9}"([\w-]{2,60})"\s{0,9}\{[^{}]{0,400}?\bdefault\s{0,9}=\s{0,9}")([^"\s]{4,4000})(?=")/g
const COMPARED =
  /(["'\x60])([^"'\x60\\\s]{6,400})(?=\1\s{0,9}[!=]={1,2}\s{0,9}(?:[\w$]{1,40}\.){0,4}([\w$]{2,60})(?![\w$.([]))/g
/** What opens a text in languages that quote it in brackets. */
export const BRACKET_QUOTE = /=\s{0,9}(?:q{1,2}[{(]|%[qQ]?[{(]|\[\[)/
/** Quotes of other languages: `q{…}`, `%q(…)`, `[[…]]`. */
const IN_BRACKETS =
  /\b([A-Za-z_]\w{1,60})(\s{0,9}=\s{0,9}(?:q{1,2}[{(]|%[qQ]?[{(]|\[\[))([^\s"'\x60()[\]{}]{6,4000})(?=[)}]|\]\])/g

/** The key of a signature, which functions take behind what they sign. */
const SIGNED =
  /((?:\bcreateHmac|\bjwt\.(?:sign|verify)|\bHmac(?:SHA|MD)\d{1,3})\(\s{0,9}(?:\{[^\n{}]{0,200}\})?[^\n;{}]{0,200}?,\s{0,9}["'\x60])([^"'\x60\\\s]{6,4000})(?=["'\x60])/gi

/** A literal that goes on in another. */
const GOES_ON =
  /(?:redacted-[0-9a-f]{8,16}~*|\[redacted\])["'\x60]\s{0,200}\+\s{0,200}["'\x60]([^"'\x60\\\s]{2,4000})(?=["'\x60])/g

const NAME_BEFORE = /[\w$-]{0,40}$/
const LONGEST_BEFORE = 40

/**
 * Hides literals of programs whose secret name does not stand right before them: arguments of `setApiKey('…')`, defaults
 * as in `token = given ?? '…'`, values beside their name, and literals that are put together. All have to look made.
 */
export function redactLiterals(text: string, secrets: Secrets): string {
  const { kindOf, pseudonymize } = secrets
  const hide = (whole: string, name: string, value: string): string =>
    kindOf(name) !== 'harmless' && isMade(name, value, secrets)
      ? whole.slice(0, -value.length) + pseudonymize(value)
      : whole
  const distant = text.replaceAll(DISTANT, (whole, end: string, value: string, at: number) => {
    const [before = ''] = NAME_BEFORE.exec(text.slice(Math.max(0, at - LONGEST_BEFORE), at)) ?? []
    return looksRandom(value) ? hide(whole, before + end, value) : whole
  })
  const pairs = distant.replaceAll(PAIR, hide)
  const signed = /hmac|jwt\./i.test(pairs)
    ? pairs.replaceAll(SIGNED, (whole, head: string, value: string) =>
        looksMade(value) ? head + pseudonymize(value) : whole,
      )
    : pairs
  const compared = /["'\x60]\s{0,9}[!=]==?/.test(signed)
    ? signed.replaceAll(COMPARED, (whole, quote: string, value: string, name: string) =>
        kindOf(name) === 'secret' && isMade(name, value, secrets) && !isSample(value)
          ? quote + pseudonymize(value)
          : whole,
      )
    : signed
  const bracketed = BRACKET_QUOTE.test(compared)
    ? compared.replaceAll(IN_BRACKETS, (whole, name: string, _gives: string, value: string) =>
        hide(whole, name, value),
      )
    : compared
  const defaulted = bracketed.includes('variable')
    ? bracketed.replaceAll(OF_VARIABLE, (whole, _head: string, name: string, value: string) =>
        hide(whole, name, value),
      )
    : bracketed
  return defaulted.replaceAll(
    GOES_ON,
    (whole, value: string) => whole.slice(0, -value.length) + pseudonymize(value),
  )
}

function isMade(name: string, value: string, { hides }: Secrets): boolean {
  return looksMade(value) && hides(name, value)
}

function looksMade(value: string): boolean {
  return !isHidden(value) && !isFileName(value) && (looksRandom(value) || looksCoined(value))
}
