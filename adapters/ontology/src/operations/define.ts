import { AdapterFault, type Operation, type OperationContext } from 'sim-gateway/adapter'
import type { OntologyMockConfig } from '../config.ts'
import { ApiError, invalidArgument } from '../errors.ts'
import type { SetContext } from '../object-set/object-set.ts'
import type { Ontology } from '../ontology/model.ts'
import { seenOntology } from '../ontology/visible.ts'
import type { OntologyState } from '../state.ts'
import { isRecord } from '../values/value.ts'
import type { Describing } from '../wire/object-types.ts'

export type OntologyContext = OperationContext<OntologyState, OntologyMockConfig>
export type OntologyOperation = Operation<OntologyState, OntologyMockConfig>

/** A request to one ontology. */
export interface Call {
  readonly context: OntologyContext
  readonly ontology: Ontology
  readonly describing: Describing
  /** A parameter of the path. */
  param(name: string): string
  /** The context in which object sets are evaluated, at a moment or now. */
  setContext(moment?: number): SetContext
}

const storedSet = ({ state, clock }: OntologyContext, { apiName }: Ontology, rid: string): unknown => {
  const [, set] = state.journal.sets.findLast(([key]) => key === rid) ?? []
  return set !== undefined && set.ontology === apiName && clock.now() < set.expiresAt
    ? set.objectSet
    : undefined
}

const ontologyOf = ({ state, params, credentials }: OntologyContext): Ontology => {
  const name = params['ontology'] ?? ''
  const found = state.all.find(({ apiName, rid }) => apiName === name || rid === name)
  const seen = found && seenOntology(found, (resource) => credentials.isGranted(resource))
  if (seen === undefined) {
    throw new ApiError('OntologyNotFound', name.startsWith('ri.') ? { ontologyRid: name } : { apiName: name })
  }
  return seen
}

/** What a handler of one ontology's operations works with. */
const callOf = (context: OntologyContext): Call => {
  const ontology = ontologyOf(context)
  const { state, clock, params } = context
  return {
    context,
    ontology,
    describing: { ontology, rids: state.rids },
    param: (name) => params[name] ?? '',
    setContext: (moment = ontology.moment) => ({
      ontology,
      rids: state.objectRids(ontology),
      moment,
      now: clock.now(),
      stored: (rid) => storedSet(context, ontology, rid),
      methodInput: undefined,
    }),
  }
}

const checkBranch = ({ query, config }: OntologyContext): void => {
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
const answered =
  (handle: (context: OntologyContext) => unknown, isPreview: boolean) =>
  async (context: OntologyContext): Promise<unknown> => {
    try {
      if (isPreview && context.config.strict === true && context.query.get('preview') !== 'true') {
        throw new ApiError(
          'ApiFeaturePreviewUsageOnly',
          {},
          'this operation is in preview: ask with preview=true',
        )
      }
      checkBranch(context)
      return await handle(context)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new AdapterFault({
        status: error.status,
        body: error.envelope(context.ids.uuid('error', context.requestId)),
      })
    }
  }

const MAX_DEPTH = 200

const checkDepth = (value: unknown): void => {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw invalidArgument(`the body is nested more than ${MAX_DEPTH} levels deep`)
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
}

/** The body, which must be an object. */
export const bodyOf = (context: OntologyContext): Readonly<Record<string, unknown>> => {
  const body = context.body()
  if (body === undefined) throw new ApiError('MissingPostBody')
  if (!isRecord(body)) throw new ApiError('Conjure:InvalidArgument', {}, 'the body is a JSON object')
  checkDepth(body)
  return body
}

/** A boolean of the query; false when it is not there. */
export const flagOf = ({ query }: OntologyContext, name: string): boolean => {
  const given = query.get(name) ?? 'false'
  if (given !== 'true' && given !== 'false') throw invalidArgument(`\`${name}\` is true or false`)
  return given === 'true'
}

/** A list of the query: repeated, or in one value with commas. */
export const listOf = ({ query }: OntologyContext, name: string): string[] =>
  query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter((value) => value !== '')

const MAX = 100

/** The rids of a batch: `{ requests: [{ <key>: rid }] }`. */
export const batchOf = (context: OntologyContext, key: string): string[] => {
  const { requests } = bodyOf(context)
  if (!Array.isArray(requests) || requests.length === 0) throw new ApiError('MissingBatchRequest')
  if (requests.length > MAX) {
    throw new ApiError('BatchRequestSizeExceededLimit', {
      maximumBatchSize: MAX,
      providedBatchSize: requests.length,
    })
  }
  return requests.map((request: unknown) => {
    const rid = isRecord(request) ? request[key] : undefined
    if (typeof rid !== 'string') throw invalidArgument(`each of \`requests\` has \`${key}\``)
    return rid
  })
}

/** Those of the items that a batch asks for, in its order; what is unknown is left out. */
export const pickByRid = <Item extends { readonly rid: string }>(
  items: Iterable<Item>,
  rids: readonly string[],
): Item[] => {
  const byRid = new Map([...items].map((item) => [item.rid, item]))
  return rids.flatMap((rid) => byRid.get(rid) ?? [])
}

const DOCUMENTATION = 'https://www.palantir.com/docs/foundry/api/v2'

export const READ = 'api:ontologies-read'
export const WRITE = 'api:ontologies-write'

/** A method and a path below `/api/v2/ontologies`, such as `GET /{ontology}/objectTypes`. */
type Route = `${'GET' | 'POST'} ${string}`

/** What an operation says of itself. The rest is the same for all. */
type Described<Given> = Omit<
  OntologyOperation,
  'id' | 'method' | 'path' | 'support' | 'version' | 'documentation' | 'handle'
> & {
  readonly support?: OntologyOperation['support']
  /** Where it is described, below the documentation's root. */
  readonly page: string
  /** Whether strict mode wants `preview=true`. */
  readonly isPreview?: boolean
  readonly handle?: (given: Given) => unknown
}

/** An operation on all ontologies. */
export const defineGlobal = (
  id: string,
  route: Route,
  { page, support = 'exact', isPreview = false, handle, ...rest }: Described<OntologyContext>,
): OntologyOperation => {
  const [method, path] = route.split(' ') as ['GET' | 'POST', string]
  return {
    scopes: [READ],
    ...rest,
    id,
    method,
    version: 'v2',
    path: `/api/v2/ontologies${path}`,
    support,
    documentation: `${DOCUMENTATION}/${page}`,
    verifiedAt: '2026-08-19',
    ...(handle !== undefined && { handle: answered(handle, isPreview) }),
  }
}

/** An operation on one ontology, which must be there. */
export const defineOperation = (
  id: string,
  route: Route,
  { handle, ...described }: Described<Call>,
): OntologyOperation =>
  defineGlobal(id, route, { ...described, ...(handle && { handle: (context) => handle(callOf(context)) }) })

/** An operation that is known but not implemented. */
export const defineUnsupported = (
  id: string,
  route: Route,
  described: Pick<Described<never>, 'family' | 'page' | 'scopes'>,
): OntologyOperation => defineGlobal(id, route, { ...described, support: 'unsupported', tests: [] })

/** The tests that every operation answering pages is covered by. */
export const PAGE_TESTS: readonly string[] = [
  'test/paging.test.ts > sees each object once, whatever the page size',
]
