import type { StateAddress } from './address.ts'
import { linksByCluster } from './cluster.ts'
import { openLink, type OpenLink } from './link.ts'
import { linksBySentinels } from './sentinel.ts'

/**
 * How links are made to where a state is kept.
 * @param namespace as `namespaceOf` has it, such as `sim:{shop}`
 */
export function linksTo(address: StateAddress, namespace: string): OpenLink {
  const { sentinels, cluster } = address
  if (sentinels !== undefined) return linksBySentinels(address, sentinels)
  if (cluster !== undefined) return linksByCluster(address, cluster, namespace)
  return (quietMs, onEnd) => openLink(address, quietMs, onEnd)
}
