import { ApiError } from '../errors.ts'
import { seenOntology } from '../ontology/visible.ts'
import { isRecord, textsOf } from '../values/value.ts'
import { describeEverything, describeOntology, type Wanted } from '../wire/ontology.ts'
import { bodyOf, defineGlobal, defineOperation, type OntologyOperation } from './define.ts'
import { pageOfTypes, TYPE_PAGES } from './pages.ts'

const about = { family: 'Ontology', page: 'ontologies-v2-resources/ontologies' } as const

const namesOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? textsOf(value) : undefined

const wantedOf = (body: unknown): Wanted => {
  const lists = isRecord(body) ? body : {}
  const keys = ['objectTypes', 'linkTypes', 'actionTypes', 'queryTypes', 'interfaceTypes'] as const
  return Object.fromEntries(keys.map((key) => [key, namesOf(lists[key]) ?? []]))
}

export const ONTOLOGY_OPERATIONS: readonly OntologyOperation[] = [
  defineGlobal('listOntologiesV2', 'GET ', {
    ...about,
    // The contract has no paging here: every ontology is on the one page, unless a size is requested.
    supports: ['pageSize', 'pageToken'],
    limits: { maxPageSize: TYPE_PAGES.most },
    errors: ['InvalidPageSize', 'InvalidPageToken'],
    tests: [
      'test/clients/platform.test.ts > lists the ontologies and gets one by name and by rid',
      'test/golden.test.ts > answers as recorded',
    ],
    handle: (context) => {
      const { state, credentials } = context
      const seen = state.all.flatMap(
        (each) => seenOntology(each, (name) => credentials.isGranted(name)) ?? [],
      )
      return pageOfTypes(context, seen, { ...TYPE_PAGES, usual: TYPE_PAGES.most }, describeOntology)
    },
  }),
  defineOperation('getOntologyV2', 'GET /{ontology}', {
    ...about,
    errors: ['OntologyNotFound'],
    tests: [
      'test/clients/platform.test.ts > lists the ontologies and gets one by name and by rid',
      'test/golden.test.ts > answers as recorded',
    ],
    handle: ({ ontology }) => describeOntology(ontology),
  }),
  defineOperation('getOntologyFullMetadata', 'GET /{ontology}/fullMetadata', {
    ...about,
    supports: ['branch'],
    errors: ['OntologyNotFound', 'FoundryBranchNotFound'],
    tests: [
      'test/clients/platform.test.ts > gets the full metadata of an ontology',
      'test/golden.test.ts > answers as recorded',
    ],
    handle: ({ describing }) => describeEverything(describing),
  }),
  defineOperation('loadOntologyMetadata', 'POST /{ontology}/metadata', {
    ...about,
    isPreview: true,
    supports: 'preview branch objectTypes linkTypes actionTypes queryTypes interfaceTypes'.split(' '),
    errors: ['OntologyNotFound', 'MissingPostBody'],
    tests: [
      'test/clients/platform.test.ts > loads the metadata of named types only',
      'test/golden.test.ts > answers as recorded',
    ],
    handle: ({ context, describing }) => describeEverything(describing, wantedOf(bodyOf(context))),
  }),
]

const valueTypes = {
  family: 'OntologyValueType',
  page: 'ontologies-v2-resources/ontology-value-types',
} as const
const GOLDEN = 'test/golden.test.ts > answers as recorded'

export const VALUE_TYPE_OPERATIONS: readonly OntologyOperation[] = [
  defineOperation('listValueTypes', 'GET /{ontology}/valueTypes', {
    ...valueTypes,
    isPreview: true,
    support: 'stub',
    supports: ['preview'],
    errors: ['OntologyNotFound'],
    tests: [GOLDEN],
    handle: () => ({ data: [] }),
  }),
  defineOperation('getValueType', 'GET /{ontology}/valueTypes/{valueType}', {
    ...valueTypes,
    isPreview: true,
    support: 'stub',
    supports: ['preview'],
    errors: ['OntologyNotFound', 'ValueTypeNotFound'],
    tests: [GOLDEN],
    handle: ({ param }) => {
      throw new ApiError('ValueTypeNotFound', { valueType: param('valueType') })
    },
  }),
]
