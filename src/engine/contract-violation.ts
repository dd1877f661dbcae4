import { pointerTo } from './schema/pointer.ts'

/** The half of an exchange that breaks a contract. */
export type ContractSide = 'request' | 'response'

/** Which part of that half. */
export type ContractPart =
  'operation' | 'security' | 'path' | 'query' | 'header' | 'cookie' | 'status' | 'media-type' | 'body'

/** One way in which an exchange is not as its description says. */
export interface ContractViolation {
  readonly side: ContractSide
  readonly part: ContractPart
  /** JSON pointer (RFC 6901) into the part: names of parameters and headers, fields of a body. Empty for the whole. */
  readonly pointer: string
  /**
   * The keyword of JSON Schema that is broken, such as `required`; of what no schema speaks of the part itself:
   * `operation`, `security`, `status`, `media-type`, `body`; and `syntax` of what is not what its type says.
   */
  readonly rule: string
  readonly message: string
}

/** What was found of one exchange. The lists grow while it is looked at. */
export interface ContractNotes {
  readonly violations: ContractViolation[]
  /** What could not be looked at, and why. */
  readonly unchecked: string[]
}

/** A violation at a place within a part. */
export function violationAt(
  side: ContractSide,
  part: ContractPart,
  path: readonly (string | number)[],
  rule: string,
  message: string,
): ContractViolation {
  return { side, part, pointer: pointerTo(path), rule, message }
}

/** A violation in a line. */
export function violationText({ side, part, pointer, rule, message }: ContractViolation): string {
  return `${side} ${part}${pointer === '' ? '' : ` ${pointer}`}: ${rule}: ${message}`
}

const MAX_SHOWN = 10

/** The value of the header `sim-violations`: side, part, pointer and rule of each, the first ten. */
export function violationsHeader(violations: readonly ContractViolation[]): string {
  const shown = violations
    .slice(0, MAX_SHOWN)
    .map(({ side, part, pointer, rule }) => [side, part, encodeURI(pointer), rule].filter(Boolean).join(' '))
  const more = violations.length - shown.length
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/** The header that names what is not as described. */
export const VIOLATIONS_HEADER = 'sim-violations'
