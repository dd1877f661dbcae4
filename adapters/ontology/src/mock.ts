import { createMockClass } from 'sim-gateway/adapter'
import { adapter } from './adapter.ts'
import type { OntologyBuilder } from './state/state.ts'

/** A simulated ontology service, to be served, asked in process, or filled by hand. */
export class OntologyMock extends createMockClass(adapter) {
  /** Adds to what the fixture has. It is there for every request from now on, until the next reset. */
  get ontologies(): OntologyBuilder {
    return this.adapter.state().ontologies
  }
}
