/** How an answer differs from what its model says. */
export type Change =
  | 'field added'
  | 'field removed'
  | 'type changed'
  | 'newly null'
  | 'new enum value'
  | 'constraint broken'
  | 'status not declared'
  | 'content type changed'
  | 'header removed'
  | 'path not declared'

/** What a change does to clients: `breaking` fails those that relied on the model, `additive` none. */
export type Severity = 'breaking' | 'warning' | 'additive'

/** One difference between a model and an answer. */
export interface Finding {
  readonly change: Change
  readonly severity: Severity
  /** JSON pointer (RFC 6901) into the answer; `-` stands for any item of a list. Empty for the whole. */
  readonly pointer: string
  readonly expected: string
  readonly actual: string
}

const SEVERITIES: Readonly<Record<Change, Severity>> = {
  'field added': 'additive',
  'field removed': 'breaking',
  'type changed': 'breaking',
  'newly null': 'breaking',
  'new enum value': 'warning',
  'constraint broken': 'warning',
  'status not declared': 'breaking',
  'content type changed': 'breaking',
  'header removed': 'warning',
  'path not declared': 'warning',
}

/** A finding with the severity of its change. */
export function finding(change: Change, pointer: string, expected: string, actual: string): Finding {
  return { change, severity: SEVERITIES[change], pointer, expected, actual }
}
