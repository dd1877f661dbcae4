/** Why a cluster was terminated. */
export interface TerminationReason {
  readonly code: string
  readonly type: string
  readonly parameters?: Readonly<Record<string, string>>
}

/** A failure that the fixture declares: of starts, or of clusters that have run for a while. */
export interface ClusterFailure {
  readonly cluster_id?: string
  readonly cluster_name?: string
  readonly node_type_id?: string
  /** The cluster starts, and is lost after so long; without it, starting fails. */
  readonly runsForMs?: number
  /** How many starts it befalls. Default: all. */
  readonly times?: number
  /** The state that a failing start ends in. Default: TERMINATED. */
  readonly state?: 'TERMINATED' | 'ERROR'
  readonly termination_reason: TerminationReason
  readonly state_message?: string
}

/** JSON Schema of a termination reason. */
export const terminationReasonSchema = {
  type: 'object',
  required: ['code', 'type'],
  properties: {
    code: { type: 'string' },
    type: { enum: ['SUCCESS', 'CLIENT_ERROR', 'CLOUD_FAILURE', 'SERVICE_FAULT'] },
    parameters: { type: 'object', additionalProperties: { type: 'string' } },
  },
} as const

/** JSON Schema of the fixture's `clusterFailures`. */
export const clusterFailuresSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['termination_reason'],
    properties: {
      cluster_id: { type: 'string' },
      cluster_name: { type: 'string' },
      node_type_id: { type: 'string' },
      runsForMs: { type: 'integer', minimum: 0 },
      times: { type: 'integer', minimum: 1 },
      state: { enum: ['TERMINATED', 'ERROR'] },
      state_message: { type: 'string' },
      termination_reason: terminationReasonSchema,
    },
  },
}
