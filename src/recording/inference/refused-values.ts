import { compileLinear, type LinearPattern } from '../../engine/linear-pattern.ts'
import { formatsOf } from '../../shape/formats.ts'
import { greatestOf, leastOf } from '../../statistics.ts'

/** What is wrong with a field of a refused request, by those that succeeded. */
export interface FieldIssue {
  readonly field: string
  /**
   * As issues of the gateway's own validation are called: it is missing, of another type than ever, or has a text that
   * no other had, where few are taken or no more is known than that it is refused, or is not the date, address or such that all others are, or a number below or above all others, while the
   * answer names it; or a list is empty, as no other is, or a text that is shorter or longer than all others, while the answer names a length between or says
   * that it is; or nothing but it was ever sent with such a name, and the answer says that; or it names an item that is
   * not there, or is that of no item.
   */
  readonly type:
    | 'missing'
    | 'type_error'
    | 'enum'
    | 'not'
    | 'format'
    | 'string_pattern_mismatch'
    | 'greater_than_equal'
    | 'less_than_equal'
    | 'string_too_short'
    | 'string_too_long'
    | 'too_short'
    | 'extra_forbidden'
    | 'not_found'
    | 'unknown_field'
  readonly value: unknown
  /** The least or the greatest number or length that is taken, as far as the answer says. */
  readonly bound?: number
  /** Both, where it says both. */
  readonly between?: readonly [number, number]
  /** What all texts are that were taken. */
  readonly format?: string
  readonly pattern?: string
}

/** A number that is beyond all that were taken, and what the answer says lies between, or only that it is: then the next one is taken. */
export function boundOf(
  value: unknown,
  taken: ReadonlySet<unknown>,
  answer: string,
): Pick<FieldIssue, 'type' | 'bound' | 'between'> | undefined {
  const numbers = [...taken].filter((each) => typeof each === 'number')
  if (typeof value !== 'number' || numbers.length < MIN_TAKEN) return undefined
  const { isBelow, bound, between } = beyondAll(value, numbers, answer) ?? {}
  if (isBelow === undefined) return undefined
  const isSaid = Number.isInteger(value) && (isBelow ? SAYS_LITTLE : SAYS_MUCH).test(answer)
  const said = bound ?? (isSaid ? value + (isBelow ? 1 : -1) : undefined)
  return {
    type: isBelow ? 'greater_than_equal' : 'less_than_equal',
    ...(said !== undefined && { bound: said }),
    ...(between && { between }),
  }
}

const SAYS_LITTLE = /\b(too (small|low)|min(imum)?|at least|greater|positive|negative)\b/i
const SAYS_MUCH = /\b(too (large|big|high)|max(imum)?|at most|less)\b/i

/** A text that is not what all are that were taken. */
export function unlikeAll(
  value: unknown,
  taken: ReadonlySet<unknown>,
  answer: string,
): Pick<FieldIssue, 'type' | 'format' | 'pattern'> | undefined {
  const texts = [...taken].filter((each) => typeof each === 'string')
  if (typeof value !== 'string' || texts.length === 0) return undefined
  const own = formatsOf(value)
  const [first = [], ...others] = texts.map(formatsOf)
  const format = first.find((each) => !own.includes(each) && others.every((some) => some.includes(each)))
  const isSure = texts.length >= MIN_TAKEN || (format !== undefined && saysFormat(answer, format))
  if (!isSure) return undefined
  if (format !== undefined) return { type: 'format', format }
  const { source: pattern } =
    [...patternsIn(answer), ...PATTERNS].find(
      ({ form }) => !form.test(value) && texts.every((text) => form.test(text)),
    ) ?? {}
  return pattern === undefined ? undefined : { type: 'string_pattern_mismatch', pattern }
}

// Such as `must match format "email"`, `is not a valid email`, and `Email format is invalid`.
function saysFormat(answer: string, format: string): boolean {
  const [before, after] = [
    '(format|valid)( an?)?[\\s\\W]+',
    '( \\w+){0,2} (not( an?)? valid|invalid|malformed)',
  ]
  return new RegExp(`${before}${format}\\b|\\b${format}${after}\\b`, 'i').test(answer)
}

interface Pattern {
  readonly source: string
  readonly form: Pick<LinearPattern, 'test'>
}

// What an answer says that texts must match, such as `^[A-Z]{2}-\\d{3}$`; it is JSON.
function patternsIn(answer: string): readonly Pattern[] {
  const text = answer.slice(0, MAX_ANSWER).replaceAll(/\\(["\\/])/g, '$1')
  return [...text.matchAll(WRITTEN)].flatMap(([whole, , quoted]): Pattern[] => {
    const source = quoted ?? whole
    try {
      return [{ source, form: compileLinear(source) }]
    } catch {
      return []
    }
  })
}

const WRITTEN = /(["'`/])(\^[^\n]{1,200}?\$)\1|\^[^\s"'`]{2,200}\$(?=[\s"'`/.,)\\]|$)/g
const MAX_ANSWER = 10_000

/** What texts may all be that are of no format: colors, times of day, phone numbers, digits, and codes in capitals. */
const PATTERNS = [
  '^#[0-9A-Fa-f]{3,8}$',
  '^\\d{1,2}:\\d{2}(:\\d{2})?$',
  '^\\+?\\d[\\d ()./-]{5,}$',
  '^\\d+$',
  '^[A-Z]{2,4}$',
].map((source): Pattern => ({ source, form: new RegExp(source) }))

/** A text that is shorter or longer than all that were taken, where the answer says a length between, or only that it is: then what is no longer or no shorter is not taken either. */
export function lengthOf(
  value: unknown,
  taken: ReadonlySet<unknown>,
  answer: string,
): Pick<FieldIssue, 'type' | 'bound' | 'between'> | undefined {
  const lengths = [...taken].flatMap((each) => (typeof each === 'string' ? [each.length] : []))
  if (typeof value !== 'string' || lengths.length < MIN_TAKEN) return undefined
  const { isBelow, bound, between } = beyondAll(value.length, lengths, answer) ?? {}
  if (isBelow === undefined) return undefined
  const next = isBelow ? value.length + 1 : value.length - 1
  const said = bound ?? ((isBelow ? SAYS_SHORT : SAYS_LONG).test(answer) ? next : undefined)
  if (said === undefined) return undefined
  return { type: isBelow ? 'string_too_short' : 'string_too_long', bound: said, ...(between && { between }) }
}

const SAYS_SHORT = /\b(too short|shorter|min(imum)?|at least|blank|empty)\b/i
const SAYS_LONG = /\b(too long|longer|max(imum)?|at most)\b/i

function beyondAll(
  value: number,
  taken: readonly number[],
  answer: string,
):
  | {
      readonly isBelow: boolean
      readonly bound: number | undefined
      readonly between: readonly [number, number] | undefined
    }
  | undefined {
  const [least, most] = [leastOf(taken), greatestOf(taken)]
  if (value >= least && value <= most) return undefined
  const isBelow = value < least
  const said = [...answer.matchAll(/(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-])/g)].map(([text]) => Number(text))
  const bound = said.find((each) => (isBelow ? each > value && each <= least : each < value && each >= most))
  const [, from, to] = BETWEEN.exec(answer) ?? []
  const [low, high] = [Number(from), Number(to)]
  const isSaid = from !== undefined && low <= least && high >= most && (value < low || value > high)
  if (isSaid) return { isBelow, bound: isBelow ? low : high, between: [low, high] }
  return { isBelow, bound, between: undefined }
}

const BETWEEN =
  /\b(?:between|from|range(?: of)?|in) \[?(-?\d+(?:\.\d+)?)(?: and | to |\.\.|, ?| ?[-–] ?)(-?\d+(?:\.\d+)?)/i

/** Fewer numbers say nothing of which are taken. */
const MIN_TAKEN = 2
