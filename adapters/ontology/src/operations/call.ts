import { AdapterFault, type Operation, type Visit } from 'sim-gateway/adapter'
import type { OntologyMockConfig } from '../config.ts'
import { ApiError, invalidArgument } from '../errors.ts'
import type { SetContext } from '../object-set/object-set.ts'
import type { Ontology } from '../ontology/model.ts'
import type { OntologyState } from '../state/state.ts'
import { seenOntology } from '../state/visible.ts'
import { isRecord } from '../values/kind.ts'
import type { Describing } from '../wire/object-types.ts'

export type OntologyVisit = Visit<OntologyState, OntologyMockConfig>
export type OntologyOperation = Operation<OntologyState, OntologyMockConfig>

/** A request to one ontology. */
export interface Call {
  readonly visit: OntologyVisit
  readonly ontology: Ontology
  readonly describing: Describing
  /** A parameter of the path. */
  param(name: string): string
  /** The context in which object sets are evaluated, at a moment or now. */
  context(moment?: number): SetContext
}

const storedSet = ({ state, clock }: OntologyVisit, { apiName }: Ontology, rid: string): unknown => {
  const [, set] = state.journal.sets.findLast(([key]) => key === rid) ?? []
  return set !== undefined && set.ontology === apiName && clock.now() < set.expiresAt
    ? set.objectSet
    : undefined
}

const ontologyOf = ({ state, params, credentials }: OntologyVisit): Ontology => {
  const name = params['ontology'] ?? ''
  const found = state.all.find(({ apiName, rid }) => apiName === name || rid === name)
  const seen = found && seenOntology(found, (resource) => credentials.isGranted(resource))
  if (seen === undefined) {
    throw new ApiError('OntologyNotFound', name.startsWith('ri.') ? { ontologyRid: name } : { apiName: name })
  }
  return seen
}

/** What a handler of one ontology's operations works with. */
export const callOf = (visit: OntologyVisit): Call => {
  const ontology = ontologyOf(visit)
  const { state, clock, params } = visit
  return {
    visit,
    ontology,
    describing: { ontology, rids: state.rids },
    param: (name) => params[name] ?? '',
    context: (moment = ontology.moment) => ({
      ontology,
      rids: state.objectRids(ontology),
      moment,
      now: clock.now(),
      stored: (rid) => storedSet(visit, ontology, rid),
      methodInput: undefined,
    }),
  }
}

const checkBranch = ({ query, config }: OntologyVisit): void => {
  const branch = query.get('branch')
  if (branch !== null && config.branches?.includes(branch) !== true) {
    throw new ApiError(
      'FoundryBranchNotFound',
      { branch },
      'name the branches there are under `branches` of the configuration',
    )
  }
}

/** Runs a handler, and gives its refusals the service's form. */
export const answered =
  (handle: (visit: OntologyVisit) => unknown, isPreview: boolean) =>
  async (visit: OntologyVisit): Promise<unknown> => {
    try {
      if (isPreview && visit.config.strict === true && visit.query.get('preview') !== 'true') {
        throw new ApiError(
          'ApiFeaturePreviewUsageOnly',
          {},
          'this operation is in preview: ask with preview=true',
        )
      }
      checkBranch(visit)
      return await handle(visit)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new AdapterFault({
        status: error.status,
        body: error.envelope(visit.ids.uuid('error', visit.requestId)),
      })
    }
  }

const MOST_DEPTH = 200

const checkDepth = (value: unknown): void => {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_DEPTH) throw invalidArgument(`the body is nested more than ${MOST_DEPTH} levels deep`)
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
}

/** The body, which must be an object. */
export const bodyOf = (visit: OntologyVisit): Readonly<Record<string, unknown>> => {
  const body = visit.body()
  if (body === undefined) throw new ApiError('MissingPostBody')
  if (!isRecord(body)) throw new ApiError('Conjure:InvalidArgument', {}, 'the body is a JSON object')
  checkDepth(body)
  return body
}

/** A boolean of the query; false when it is not there. */
export const flagOf = ({ query }: OntologyVisit, name: string): boolean => {
  const given = query.get(name) ?? 'false'
  if (given !== 'true' && given !== 'false') throw invalidArgument(`\`${name}\` is true or false`)
  return given === 'true'
}

/** A list of the query: repeated, or in one value with commas. */
export const listOf = ({ query }: OntologyVisit, name: string): string[] =>
  query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter((value) => value !== '')
