import { type Adapter, createAdapter } from 'sim-gateway/adapter'
import { adapter } from './adapter.ts'
import type { OntologyMockConfig } from './config.ts'
import type { OntologyBuilder, OntologyState } from './state/state.ts'

/** A simulated ontology service, to be served, asked in process, or filled by hand. */
export class OntologyMock {
  #config: OntologyMockConfig
  #adapter: Adapter<OntologyState>

  constructor(config: OntologyMockConfig = {}) {
    this.#config = config
    this.#adapter = createAdapter(adapter, config)
  }

  /**
   * Begins anew with another fixture: the path of a YAML or JSON file, or the fixture itself. Web apps that were
   * made before go on with theirs.
   * @throws FixtureInvalid with every problem: file, path and rule
   */
  loadFixture(source: string | object): this {
    this.#adapter = createAdapter(adapter, { ...this.#config, fixture: source })
    this.#config = { ...this.#config, fixture: source }
    return this
  }

  /** Adds to what the fixture has. It is there for every request from now on, until the next reset. */
  get ontologies(): OntologyBuilder {
    return this.#adapter.state().ontologies
  }

  /** The adapter behind it: its clock, its faults, its manifest, and more. */
  get adapter(): Adapter<OntologyState> {
    return this.#adapter
  }

  /** Asks in process. */
  get fetch(): typeof fetch {
    return this.#adapter.fetch
  }

  /** A Fastify instance, ready to listen or to inject requests. */
  asWebApp(): ReturnType<Adapter<OntologyState>['asWebApp']> {
    return this.#adapter.asWebApp()
  }

  /** Everything as it was at first. */
  reset(): void {
    this.#adapter.reset()
  }
}
