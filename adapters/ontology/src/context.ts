import { type ContextAddress, createContextClass } from 'sim-gateway/adapter'
import { adapter } from './adapter.ts'
import type { OntologyMockConfig } from './config.ts'
import type { OntologyBuilder } from './state/state.ts'

/**
 * A simulated ontology service for tests. `await using mock = await OntologyMockContext.start(config)` listens and
 * has a `baseUrl`; `using mock = new OntologyMockContext(config)` needs no socket and is asked by `fetch`.
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
