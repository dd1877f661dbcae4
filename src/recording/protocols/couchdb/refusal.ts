import type { CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'

/** Why a request is refused. */
export type Reason =
  | 'missing'
  | 'deleted'
  | 'noDatabase'
  | 'databaseExists'
  | 'conflict'
  | 'noAttachment'
  | 'wrongName'
  | 'wrongRevision'
  | 'wrongMember'

/** A request that is refused. */
export class Refusal extends Error {
  readonly reason: Reason
  /** The name that it is about, which its answer repeats. */
  readonly named: string

  constructor(reason: Reason, named = '') {
    super(reason)
    this.reason = reason
    this.named = named
  }
}

/** How a refusal is answered. */
export interface RefusalForm {
  readonly status: number
  readonly body: unknown
}

/** What stands for the name that a refusal is about. */
const NAMED = '{name}'

// As CouchDB 3 has them.
const USUAL: Readonly<Record<Reason, readonly [status: number, error: string, reason: string]>> = {
  missing: [404, 'not_found', 'missing'],
  deleted: [404, 'not_found', 'deleted'],
  noDatabase: [404, 'not_found', 'Database does not exist.'],
  databaseExists: [412, 'file_exists', 'The database could not be created, the file already exists.'],
  conflict: [409, 'conflict', 'Document update conflict.'],
  noAttachment: [404, 'not_found', 'Document is missing attachment'],
  wrongName: [400, 'illegal_database_name', 'Name of the database is not allowed.'],
  wrongRevision: [400, 'bad_request', 'Invalid rev format'],
  wrongMember: [500, 'doc_validation', `Bad special document member: ${NAMED}`],
}

/** The answer to a refused request: as the recording has it for the method, or for any, or as it usually is. */
export function refused(
  { reason, named }: Refusal,
  method: string,
  { refusals }: { readonly refusals: Readonly<Record<string, RefusalForm>> },
): CallOutcome {
  const [status, error, text] = USUAL[reason]
  const form = refusals[`${method} ${reason}`] ??
    refusals[reason] ?? { status, body: { error, reason: text } }
  const said = withText(form.body, (part) => part.replaceAll(NAMED, () => named))
  return { status: form.status, error: said, reason: { template: reason, values: {} } }
}

/** How a refusal was answered, for names other than its own. */
export function refusalForm({ named }: Refusal, status: number, answered: unknown): RefusalForm {
  const body = named === '' ? answered : withText(answered, (part) => part.replaceAll(named, () => NAMED))
  return { status, body }
}

function withText(body: unknown, change: (text: string) => string): unknown {
  if (!isObject(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, part]) => [name, typeof part === 'string' ? change(part) : part]),
  )
}
