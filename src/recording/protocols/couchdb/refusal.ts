import type { CallOutcome } from '../../../engine/call-model.ts'

/** Why a request is refused. */
export type Reason =
  'missing' | 'deleted' | 'noDatabase' | 'databaseExists' | 'conflict' | 'noAttachment' | 'wrongName'

/** A request that is refused. */
export class Refusal extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(reason)
    this.reason = reason
  }
}

/** How a refusal is answered. */
export interface RefusalForm {
  readonly status: number
  readonly body: unknown
}

// As CouchDB 3 has them.
const USUAL: Readonly<Record<Reason, readonly [status: number, error: string, reason: string]>> = {
  missing: [404, 'not_found', 'missing'],
  deleted: [404, 'not_found', 'deleted'],
  noDatabase: [404, 'not_found', 'Database does not exist.'],
  databaseExists: [412, 'file_exists', 'The database could not be created, the file already exists.'],
  conflict: [409, 'conflict', 'Document update conflict.'],
  noAttachment: [404, 'not_found', 'Document is missing attachment'],
  wrongName: [400, 'illegal_database_name', 'Name of the database is not allowed.'],
}

/** The answer to a refused request: as the recording has it for the method, or for any, or as it usually is. */
export function refused(
  { reason }: Refusal,
  method: string,
  { refusals }: { readonly refusals: Readonly<Record<string, RefusalForm>> },
): CallOutcome {
  const [status, error, text] = USUAL[reason]
  const form = refusals[`${method} ${reason}`] ??
    refusals[reason] ?? { status, body: { error, reason: text } }
  return { status: form.status, error: form.body, reason: { template: reason, values: {} } }
}
