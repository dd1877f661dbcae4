import { ApiError } from '../errors.ts'
import type { QueryType } from '../ontology/model.ts'
import type { Call } from './call.ts'

/** Thrown by a callback to fail with a message that is meant for the user. */
export class QueryUserError extends Error {
  override readonly name = 'QueryUserError'
}

/** What the service answers for a query that failed. */
export const queryFailure = (
  { rid, version }: QueryType,
  type: 'runtime' | 'userFacing' | 'timeout',
  message: string,
): ApiError => {
  const parameters = { functionRid: rid, functionVersion: version }
  if (type === 'timeout') return new ApiError('QueryTimeExceededLimit', parameters)
  return type === 'userFacing'
    ? new ApiError('QueryEncounteredUserFacingError', { ...parameters, message })
    : new ApiError('QueryRuntimeError', { ...parameters, message, stacktrace: '', parameters: {} })
}

/** Asks the callback that a query names, if the configuration allows it. */
export const askCallback = async (
  { visit, ontology }: Call,
  query: QueryType,
  name: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<unknown> => {
  const { callbacks, clock } = visit.state
  const callback = Object.hasOwn(callbacks, name) ? callbacks[name] : undefined
  if (callback === undefined) {
    throw queryFailure(
      query,
      'runtime',
      `the callback "${name}" is not among the configuration's \`queries\``,
    )
  }
  try {
    return await callback({
      ontology: ontology.apiName,
      query: query.apiName,
      version: query.version,
      parameters,
      objects: (objectType) =>
        (ontology.objectTypes.get(objectType)?.table.all ?? []).map(({ properties }) =>
          structuredClone(properties),
        ),
      clock: { now: () => clock.now() },
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw queryFailure(query, error instanceof QueryUserError ? 'userFacing' : 'runtime', message)
  }
}
