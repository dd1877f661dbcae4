import { type Adapter, createAdapter } from 'sim-gateway/adapter'
import { adapter } from './adapter.ts'
import type { WorkspaceMockConfig } from './config.ts'
import type { WorkspaceState } from './state.ts'

/** A simulated workspace, to be served or asked in process. */
export class WorkspaceMock {
  #config: WorkspaceMockConfig
  #adapter: Adapter<WorkspaceState>

  constructor(config: WorkspaceMockConfig = {}) {
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

  /** The adapter behind it: its clock, its faults, its snapshots, its manifest. */
  get adapter(): Adapter<WorkspaceState> {
    return this.#adapter
  }

  /** Asks in process. */
  get fetch(): typeof fetch {
    return this.#adapter.fetch
  }

  /** A Fastify instance, ready to listen or to inject requests. */
  asWebApp(): ReturnType<Adapter<WorkspaceState>['asWebApp']> {
    return this.#adapter.asWebApp()
  }

  /** Everything as it was at first. */
  reset(): void {
    this.#adapter.reset()
  }
}
