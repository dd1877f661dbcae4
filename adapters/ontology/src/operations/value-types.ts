import { ApiError } from '../errors.ts'
import type { OntologyOperation } from './call.ts'
import { defineOperation } from './define.ts'

const values = {
  family: 'OntologyValueType',
  page: 'ontologies-v2-resources/ontology-value-types',
} as const
const GOLDEN = 'test/golden.test.ts > answers as recorded'

/** The operations on value types, of which a fixture has none. */
export const VALUE_TYPE_OPERATIONS: readonly OntologyOperation[] = [
  defineOperation(
    {
      ...values,
      id: 'listValueTypes',
      method: 'GET',
      path: '/{ontology}/valueTypes',
      isPreview: true,
      support: 'stub',
      supports: ['preview'],
      errors: ['OntologyNotFound'],
      tests: [GOLDEN],
    },
    () => ({ data: [] }),
  ),
  defineOperation(
    {
      ...values,
      id: 'getValueType',
      method: 'GET',
      path: '/{ontology}/valueTypes/{valueType}',
      isPreview: true,
      support: 'stub',
      supports: ['preview'],
      errors: ['OntologyNotFound', 'ValueTypeNotFound'],
      tests: [GOLDEN],
    },
    ({ param }) => {
      throw new ApiError('ValueTypeNotFound', { valueType: param('valueType') })
    },
  ),
]
