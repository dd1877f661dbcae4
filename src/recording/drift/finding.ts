/** How an exchange differs from what is known of its route. */
export type Change =
  | 'field added'
  | 'field removed'
  | 'type changed'
  | 'newly null'
  | 'new enum value'
  | 'constraint broken'
  | 'status not declared'
  | 'content type changed'
  | 'header added'
  | 'header removed'
  | 'header changed'
  | 'path not declared'

/** Where in an exchange: the last two are parts of the request, `header` and `body` of the answer. */
export type Part = 'path' | 'status' | 'header' | 'body' | 'query' | 'request-body'

/** What a change does to clients: `breaking` fails those that relied on the old, a `warning` may, `additive` does not. */
export type Severity = (typeof SEVERITIES)[number]

/** From the least to the worst. */
export const SEVERITIES = ['additive', 'warning', 'breaking'] as const

/** One difference. */
export interface Finding {
  readonly change: Change
  readonly severity: Severity
  readonly part: Part
  /**
   * JSON pointer (RFC 6901) into the part: fields of a body, names of headers and of the query. `-` stands for any item
   * of a list, `*` for any entry of a map. Empty for the whole.
   */
  readonly pointer: string
  readonly expected: string
  readonly actual: string
}

const BY_CHANGE: Readonly<Record<Change, Severity>> = {
  'field added': 'additive',
  'field removed': 'breaking',
  'type changed': 'breaking',
  'newly null': 'breaking',
  'new enum value': 'warning',
  'constraint broken': 'warning',
  'status not declared': 'breaking',
  'content type changed': 'breaking',
  'header added': 'additive',
  'header removed': 'warning',
  'header changed': 'warning',
  'path not declared': 'warning',
}

/** A finding in a body, with the severity of its change. */
export function finding(
  change: Change,
  pointer: string,
  expected: string,
  actual: string,
  part: Part = 'body',
): Finding {
  return { change, severity: BY_CHANGE[change], part, pointer, expected, actual }
}

/** A finding of a body as one of a request: what clients send otherwise, and was accepted, breaks none of them. */
export function inRequest(found: Finding, part: 'query' | 'request-body'): Finding {
  return { ...found, part, severity: found.severity === 'breaking' ? 'warning' : found.severity }
}

/** Whether one severity is as bad as another, or worse. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least)
}
