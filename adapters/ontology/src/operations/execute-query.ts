import { ApiError } from '../errors.ts'
import { fitsType } from '../fixture/data-value.ts'
import { toDataValue } from '../fixture/query-answer.ts'
import { takesNull } from '../fixture/read-data-type.ts'
import type { QueryType } from '../ontology/model.ts'
import { isRecord } from '../values/kind.ts'
import { bodyOf, type Call } from './call.ts'
import { askCallback, queryFailure } from './query-callback.ts'

type Parameters = Readonly<Record<string, unknown>>

/** The query of the path, in the version asked for or the newest. */
export const queryOf = ({ ontology, param, visit }: Call): QueryType => {
  const name = param('queryApiName')
  const versions = ontology.queryTypes.get(name)
  if (versions === undefined) throw new ApiError('QueryNotFound', { query: name })
  const version = visit.query.get('version')
  const found = version === null ? versions.at(-1) : versions.find((each) => each.version === version)
  if (found === undefined) throw new ApiError('QueryVersionNotFound', { apiName: name, version })
  return found
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const checkParameters = ({ parameters: expected }: QueryType, given: Parameters): void => {
  const unknownParameters = Object.keys(given).filter((id) => !expected.has(id))
  if (unknownParameters.length > 0) {
    throw new ApiError('UnknownParameter', { unknownParameters, expectedParameters: [...expected.keys()] })
  }
  const missing = [...expected]
    .filter(([id, { isRequired }]) => isRequired && isAbsent(given[id]))
    .map(([id]) => id)
  if (missing.length > 0) throw new ApiError('MissingParameter', { parameters: missing })
  for (const [id, { type }] of expected) {
    if (isAbsent(given[id]) || fitsType(given[id], type)) continue
    throw new ApiError('InvalidQueryParameterValue', {
      parameterDataType: type,
      parameterId: id,
      parameterValue: given[id],
    })
  }
}

const isSame = (left: unknown, right: unknown): boolean => {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]))
  }
  if (!isRecord(left) || !isRecord(right)) return left === right || (isAbsent(left) && isAbsent(right))
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) =>
    isSame(left[key], right[key]),
  )
}

const byCases = (query: QueryType, given: Parameters): unknown => {
  const { cases = [], otherwise } = query.source.result
  const found = cases.find(({ parameters }) =>
    Object.entries(parameters).every(([id, value]) => isSame(given[id], value)),
  )
  if (found?.error !== undefined) {
    throw queryFailure(query, found.error.type ?? 'runtime', found.error.message ?? 'The query failed.')
  }
  if (found !== undefined) return found.value
  if (otherwise === undefined && !takesNull(query.output)) {
    throw queryFailure(
      query,
      'runtime',
      'no case of the fixture fits these parameters, and there is no `otherwise`',
    )
  }
  return otherwise
}

/** Executes a query: `{ parameters }` in, `{ value }` out. */
export const executeQuery = async (call: Call): Promise<{ readonly value: unknown }> => {
  const query = queryOf(call)
  const { parameters = {} } = bodyOf(call.visit)
  if (!isRecord(parameters)) throw new ApiError('Conjure:InvalidArgument', {}, '`parameters` is an object')
  checkParameters(query, parameters)
  const { result } = query.source
  const raw =
    result.type === 'callback'
      ? await askCallback(call, query, result.callback ?? '', parameters)
      : result.type === 'cases'
        ? byCases(query, parameters)
        : (result.value ?? result.objects)
  const keyName = (name: string): string | undefined =>
    call.ontology.objectTypes.get(name)?.primaryKey.apiName
  const value = toDataValue(raw, query.output, keyName) ?? null
  const isChecked = result.type === 'callback' && query.source.output !== undefined
  if (isChecked && !fitsType(value, query.output)) {
    throw new ApiError('InvalidQueryOutputValue', {
      outputDataType: query.output,
      outputValue: value,
      functionRid: query.rid,
      functionVersion: query.version,
    })
  }
  return { value }
}
