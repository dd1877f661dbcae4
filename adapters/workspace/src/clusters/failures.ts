import type { Cluster } from './cluster.ts'
import type { ClusterFailure } from './failure.ts'

/** The declared failures, and how often each has struck. */
export class ClusterFailures {
  readonly #rules: readonly ClusterFailure[]
  #counts: number[]

  constructor(rules: readonly ClusterFailure[]) {
    this.#rules = rules
    this.#counts = rules.map(() => 0)
  }

  /** The failure that befalls this start of a cluster, which counts. */
  strike(cluster: Cluster): ClusterFailure | undefined {
    const index = this.#rules.findIndex(
      (rule, at) => fits(rule, cluster) && (this.#counts[at] ?? 0) < (rule.times ?? Number.POSITIVE_INFINITY),
    )
    if (index >= 0) this.#counts[index] = (this.#counts[index] ?? 0) + 1
    return this.#rules[index]
  }

  snapshot(): readonly number[] {
    return [...this.#counts]
  }

  restore(counts: readonly number[]): void {
    this.#counts = [...counts]
  }
}

function fits(rule: ClusterFailure, { cluster_id, spec }: Cluster): boolean {
  return (
    (rule.cluster_id === undefined || rule.cluster_id === cluster_id) &&
    (rule.cluster_name === undefined || rule.cluster_name === spec['cluster_name']) &&
    (rule.node_type_id === undefined || rule.node_type_id === spec['node_type_id'])
  )
}
