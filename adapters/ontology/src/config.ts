import type { AdapterConfig, VirtualClock } from 'sim-gateway/adapter'

/** What a query's callback is given. */
export interface QueryCall {
  readonly ontology: string
  readonly query: string
  readonly version: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** The objects of a type, as plain records of their properties. */
  objects(objectType: string): readonly Readonly<Record<string, unknown>>[]
  readonly clock: Pick<VirtualClock, 'now'>
}

/** Answers a query; what it throws is answered as the service answers a query that failed. */
export type QueryCallback = (call: QueryCall) => unknown

/** How the ontology adapter behaves. */
export interface OntologyMockConfig extends AdapterConfig {
  /** The callbacks that fixtures may name for their queries. */
  readonly queries?: Readonly<Record<string, QueryCallback>>
  /** The branches there are, by their rids, besides the one that requests mean when they name none. All show the same. */
  readonly branches?: readonly string[]
}
