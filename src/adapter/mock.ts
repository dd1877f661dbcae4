import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { OptionInvalid } from '../errors.ts'
import { type Adapter, createAdapter } from './adapter.ts'
import type { AdapterConfig } from './config.ts'
import type { AdapterDefinition } from './definition.ts'

/** Where a context listens. */
export interface ContextAddress {
  /** Default: that of the adapter's environment variable, or 127.0.0.1. */
  readonly host?: string
  /** Default: a free one. */
  readonly port?: number
}

const DEFAULT_TOKEN = 'sim-token'

/** A running adapter for tests. It is called by `fetch`, and over a socket once it listens. */
export class AdapterContext<State> implements AsyncDisposable, Disposable {
  readonly adapter: Adapter<State>
  /** The token for clients: that of the adapter's environment variable, or a usual one. */
  readonly token: string
  readonly #host: string
  #web: FastifyInstance | undefined

  constructor(
    { environment }: Pick<AdapterDefinition<State, unknown>, 'environment'>,
    adapter: Adapter<State>,
  ) {
    this.adapter = adapter
    this.token = process.env[environment.token] ?? DEFAULT_TOKEN
    this.#host = process.env[environment.host] ?? '127.0.0.1'
  }

  /** Calls the adapter in process, listening or not. */
  get fetch(): typeof fetch {
    return this.adapter.fetch
  }

  get state(): State {
    return this.adapter.state()
  }

  /** Where it listens. @throws OptionInvalid while it does not */
  get baseUrl(): string {
    const address = this.#web?.server.address() as AddressInfo | null | undefined
    if (address === undefined || address === null)
      throw new OptionInvalid(`${this.adapter.name} does not listen: begin with start(), or call fetch`)
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
    return `http://${host}:${address.port}`
  }

  /** Listens, unless it does already. */
  async listen({ host = this.#host, port = 0 }: ContextAddress = {}): Promise<this> {
    if (this.#web !== undefined) return this
    this.#web = this.adapter.asWebApp()
    await this.#web.listen({ host, port })
    return this
  }

  /** State, clock, faults, rate limits and request ids as at first; what listens goes on to. */
  reset(): void {
    this.adapter.reset()
  }

  /** Ends the listening and the state. */
  async close(): Promise<void> {
    const web = this.#web
    this.#web = undefined
    web?.server.closeAllConnections()
    await web?.close()
    this.adapter.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** @throws OptionInvalid when it listens, which takes `await using` to end */
  [Symbol.dispose](): void {
    if (this.#web === undefined) return this.adapter.close()
    void this.close()
    throw new OptionInvalid(`${this.adapter.name} listens: hold it by 'await using'`)
  }
}

/** A class of contexts of one adapter. */
export interface ContextClass<State, Config extends AdapterConfig> {
  /** A context without a socket. */
  new (config?: Config): AdapterContext<State>
  /** A context that listens. */
  start(config?: Config, address?: ContextAddress): Promise<AdapterContext<State>>
}

/** The class of an adapter's contexts, such as `OntologyMockContext`. */
export function createContextClass<State, Fixture, Config extends AdapterConfig = AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
): ContextClass<State, Config> {
  return class extends AdapterContext<State> {
    constructor(config?: Config) {
      super(definition, createAdapter(definition, config))
    }

    static async start(config?: Config, address?: ContextAddress): Promise<AdapterContext<State>> {
      return new this(config).listen(address)
    }
  }
}

/** An adapter to be served, called in process, or begun anew with another fixture. */
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

  /** Calls it in process. */
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
