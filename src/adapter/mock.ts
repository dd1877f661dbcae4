import { createAdapter, type Adapter } from './adapter.ts'
import type { AdapterConfig } from './config.ts'
import type { AdapterDefinition } from './definition.ts'

/** An adapter to be served, asked in process, or begun anew with another fixture. */
export class AdapterMock<State> {
  readonly #create: (fixture?: string | object) => Adapter<State>
  #adapter: Adapter<State>

  /** @param create makes the adapter with another fixture than that of its config, or with that one */
  constructor(create: (fixture?: string | object) => Adapter<State>) {
    this.#create = create
    this.#adapter = create()
  }

  /**
   * Begins anew with another fixture: the path of a YAML or JSON file, or the fixture itself. Web apps that were
   * made before go on with theirs.
   * @throws FixtureInvalid with every problem: file, path and rule
   */
  loadFixture(source: string | object): this {
    this.#adapter = this.#create(source)
    return this
  }

  /** The adapter behind it: its clock, its faults, its snapshots, its manifest, and more. */
  get adapter(): Adapter<State> {
    return this.#adapter
  }

  /** Asks in process. */
  get fetch(): typeof fetch {
    return this.#adapter.fetch
  }

  /** A Fastify instance, ready to listen or to inject requests. */
  asWebApp(): ReturnType<Adapter<State>['asWebApp']> {
    return this.#adapter.asWebApp()
  }

  /** Everything as it was at first. */
  reset(): void {
    this.#adapter.reset()
  }
}

/** A class of mocks of one adapter. */
export type MockClass<State, Config extends AdapterConfig> = new (config?: Config) => AdapterMock<State>

/** The class of an adapter's mocks, such as `OntologyMock`. */
export function createMockClass<State, Fixture, Config extends AdapterConfig = AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
): MockClass<State, Config> {
  return class extends AdapterMock<State> {
    constructor(config?: Config) {
      super((fixture) => createAdapter(definition, withFixture(config, fixture)))
    }
  }
}

function withFixture<Config extends AdapterConfig>(
  config: Config | undefined,
  fixture: string | object | undefined,
): Config | undefined {
  return fixture === undefined ? config : ({ ...config, fixture } as Config)
}
