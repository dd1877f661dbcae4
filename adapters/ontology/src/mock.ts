import { type ContextAddress, createContextClass, createMockClass } from 'sim-gateway/adapter'
import { adapter } from './adapter.ts'
import type { OntologyMockConfig } from './config.ts'
import type { OntologyBuilder } from './state.ts'

/** A simulated ontology service, to be served, called in process, or filled by hand. */
export class OntologyMock extends createMockClass(adapter) {
  /** Adds to what the fixture has. It is there for every request from now on, until the next reset. */
  get ontologies(): OntologyBuilder {
    return this.adapter.state().ontologies
  }
}

/**
 * A simulated ontology service for tests. `await using mock = await OntologyMockContext.start(config)` listens and
 * has a `baseUrl`; `using mock = new OntologyMockContext(config)` needs no socket and is called by `fetch`.
 */
export class OntologyMockContext extends createContextClass(adapter) {
  /** Adds to what the fixture has, until the next reset. */
  get ontologies(): OntologyBuilder {
    return this.state.ontologies
  }

  static override async start(
    config?: OntologyMockConfig,
    address?: ContextAddress,
  ): Promise<OntologyMockContext> {
    return new OntologyMockContext(config).listen(address)
  }
}
