import { answered, type Call, callOf, type OntologyOperation, type OntologyVisit } from './call.ts'

const DOCUMENTATION = 'https://www.palantir.com/docs/foundry/api/v2'

export const READ = 'api:ontologies-read'
export const WRITE = 'api:ontologies-write'

/** What an operation says of itself. The rest is the same for all. */
export interface Described {
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** Below `/api/v2/ontologies`. */
  readonly path: string
  readonly tests: readonly string[]
  /** Below the documentation's root. */
  readonly page: string
  readonly support?: OntologyOperation['support']
  readonly family: string
  readonly supports?: readonly string[]
  readonly limits?: Readonly<Record<string, number>>
  readonly variants?: readonly string[]
  readonly errors?: readonly string[]
  readonly sideEffects?: readonly string[]
  readonly scopes?: readonly string[]
  /** Whether strict mode wants `preview=true`. */
  readonly isPreview?: boolean
}

const define = (
  described: Described,
  handle: ((visit: OntologyVisit) => unknown) | undefined,
): OntologyOperation => {
  const { path, page, support = 'exact', isPreview = false, scopes = [READ], ...rest } = described
  return {
    ...rest,
    version: 'v2',
    path: `/api/v2/ontologies${path}`,
    support,
    scopes,
    documentation: `${DOCUMENTATION}/${page}`,
    verifiedAt: '2026-08-19',
    ...(handle !== undefined && { handle: answered(handle, isPreview) }),
  }
}

/** An operation on all ontologies. */
export const defineGlobal = (
  described: Described,
  handle: (visit: OntologyVisit) => unknown,
): OntologyOperation => define(described, handle)

/** An operation on one ontology, which must be there. */
export const defineOperation = (described: Described, handle: (call: Call) => unknown): OntologyOperation =>
  define(described, (visit) => handle(callOf(visit)))

/** An operation that is known but not implemented. */
export const defineUnsupported = (described: Omit<Described, 'tests' | 'support'>): OntologyOperation =>
  define({ ...described, support: 'unsupported', tests: [] }, undefined)

const PAGED = 'test/paging.test.ts > '

/** The tests that every operation answering pages is covered by. */
export const PAGE_TESTS: readonly string[] = [`${PAGED}sees each object once, whatever the page size`]
