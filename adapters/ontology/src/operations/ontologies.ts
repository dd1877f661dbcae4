import { textsOf } from '../values/read.ts'
import { seenOntology } from '../state/visible.ts'
import { isRecord } from '../values/kind.ts'
import { describeEverything, describeOntology, type Wanted } from '../wire/ontology.ts'
import { bodyOf, type OntologyOperation } from './call.ts'
import { defineGlobal, defineOperation } from './define.ts'
import { pageOfTypes } from './pages.ts'
import { TYPE_PAGES } from '../page/page-size.ts'

const about = { family: 'Ontology', page: 'ontologies-v2-resources/ontologies' } as const

const namesOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? textsOf(value) : undefined

const wantedOf = (body: unknown): Wanted => {
  const lists = isRecord(body) ? body : {}
  const keys = ['objectTypes', 'linkTypes', 'actionTypes', 'queryTypes', 'interfaceTypes'] as const
  return Object.fromEntries(keys.map((key) => [key, namesOf(lists[key]) ?? []]))
}

/** The operations on ontologies as a whole. */
export const ONTOLOGY_OPERATIONS: readonly OntologyOperation[] = [
  defineGlobal(
    {
      ...about,
      id: 'listOntologiesV2',
      method: 'GET',
      path: '',
      // The contract has no paging here: every ontology is on the one page, unless a size is asked for.
      supports: ['pageSize', 'pageToken'],
      limits: { maxPageSize: TYPE_PAGES.most },
      errors: ['InvalidPageSize', 'InvalidPageToken'],
      tests: [
        'test/clients/platform.test.ts > lists the ontologies and gets one by name and by rid',
        'test/golden.test.ts > answers as recorded',
      ],
    },
    (visit) => {
      const { state, credentials } = visit
      const seen = state.all.flatMap(
        (each) => seenOntology(each, (name) => credentials.isGranted(name)) ?? [],
      )
      return pageOfTypes(visit, seen, { ...TYPE_PAGES, usual: TYPE_PAGES.most }, describeOntology)
    },
  ),
  defineOperation(
    {
      ...about,
      id: 'getOntologyV2',
      method: 'GET',
      path: '/{ontology}',
      errors: ['OntologyNotFound'],
      tests: [
        'test/clients/platform.test.ts > lists the ontologies and gets one by name and by rid',
        'test/golden.test.ts > answers as recorded',
      ],
    },
    ({ ontology }) => describeOntology(ontology),
  ),
  defineOperation(
    {
      ...about,
      id: 'getOntologyFullMetadata',
      method: 'GET',
      path: '/{ontology}/fullMetadata',
      supports: ['branch'],
      errors: ['OntologyNotFound', 'FoundryBranchNotFound'],
      tests: [
        'test/clients/platform.test.ts > gets the full metadata of an ontology',
        'test/golden.test.ts > answers as recorded',
      ],
    },
    ({ describing }) => describeEverything(describing),
  ),
  defineOperation(
    {
      ...about,
      id: 'loadOntologyMetadata',
      method: 'POST',
      path: '/{ontology}/metadata',
      isPreview: true,
      supports: [
        'preview',
        'branch',
        'objectTypes',
        'linkTypes',
        'actionTypes',
        'queryTypes',
        'interfaceTypes',
      ],
      errors: ['OntologyNotFound', 'MissingPostBody'],
      tests: [
        'test/clients/platform.test.ts > loads the metadata of named types only',
        'test/golden.test.ts > answers as recorded',
      ],
    },
    ({ visit, describing }) => describeEverything(describing, wantedOf(bodyOf(visit))),
  ),
]
