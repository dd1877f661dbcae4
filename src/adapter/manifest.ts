import type { AdapterConfig } from './config.ts'
import type { AdapterDefinition, Operation, SupportLevel } from './definition.ts'

/** What an adapter imitates, how well, and how that is proven. */
export interface Manifest {
  readonly packageVersion: string
  readonly documentedAt: string
  readonly source: string
  readonly operations: readonly ManifestEntry[]
}

/** What the manifest says of one operation. */
export interface ManifestEntry {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly aliases: readonly string[]
  readonly supportLevel: SupportLevel
  readonly family: string
  readonly version: string
  readonly supports: readonly string[]
  readonly limits: Readonly<Record<string, number>>
  readonly variants: readonly string[]
  readonly errors: readonly string[]
  readonly sideEffects: readonly string[]
  readonly tests: readonly string[]
  readonly documentation: string
  readonly verifiedAt: string
}

/** The manifest of a definition. */
export function createManifest<State, Fixture, Config extends AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
): Manifest {
  const { packageVersion, documentedAt, source, operations } = definition
  return {
    packageVersion,
    documentedAt,
    source,
    operations: operations.map((operation) => entryOf(operation, documentedAt)),
  }
}

function entryOf<State, Config extends AdapterConfig>(
  operation: Operation<State, Config>,
  documentedAt: string,
): ManifestEntry {
  return {
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
  }
}
