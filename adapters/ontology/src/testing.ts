import { type AdapterFixtures, adapterTest } from 'sim-gateway/adapter/testing'
import type { TestAPI } from 'vitest'
import { adapter } from './adapter.ts'
import type { OntologyMockConfig } from './config.ts'
import type { OntologyState } from './state.ts'

/** A vitest `test` whose fixture `mock` listens: one for all tests of a worker, reset before each of them. */
export const createOntologyTest = (config?: OntologyMockConfig): TestAPI<AdapterFixtures<OntologyState>> =>
  adapterTest(adapter, config)

/** The `test` of the starter fixture. */
export const ontologyTest: TestAPI<AdapterFixtures<OntologyState>> = createOntologyTest()
