import type { AdapterConfig } from './config.ts'
import type { AdapterDefinition, Operation, SupportLevel } from './definition.ts'

type Described = 'method' | 'path' | 'family' | 'version' | 'tests' | 'documentation' | 'verifiedAt'
type Listed = 'aliases' | 'supports' | 'limits' | 'variants' | 'errors' | 'sideEffects'

/** What the manifest says of one operation. */
export interface ManifestEntry extends Required<Pick<Operation<unknown>, Described | Listed>> {
  readonly operationId: string
  readonly supportLevel: SupportLevel
}

/** What an adapter imitates, how well, and how that is proven. */
export interface Manifest extends Pick<
  AdapterDefinition<unknown, unknown>,
  'packageVersion' | 'documentedAt' | 'source'
> {
  readonly operations: readonly ManifestEntry[]
}

/** The manifest of a definition. */
export function createManifest<State, Fixture, Config extends AdapterConfig>({
  packageVersion,
  documentedAt,
  source,
  operations,
}: AdapterDefinition<State, Fixture, Config>): Manifest {
  return {
    packageVersion,
    documentedAt,
    source,
    operations: operations.map((operation) => ({
      operationId: operation.id,
      method: operation.method,
      path: operation.path,
      aliases: operation.aliases ?? [],
      supportLevel: operation.support,
      family: operation.family,
      version: operation.version,
      supports: operation.supports ?? [],
      limits: operation.limits ?? {},
      variants: operation.variants ?? [],
      errors: operation.errors ?? [],
      sideEffects: operation.sideEffects ?? [],
      tests: operation.tests,
      documentation: operation.documentation,
      verifiedAt: operation.verifiedAt ?? documentedAt,
    })),
  }
}
