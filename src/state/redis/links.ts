import type { StateAddress } from './address.ts'
import { linksByCluster } from './cluster.ts'
import { openLink, type Links } from './link.ts'
import { linksBySentinels } from './sentinel.ts'

/**
 * How links are made to where a state is kept.
 * @param namespace as `namespaceOf` has it, such as `sim:{shop}`
 */
export function linksTo(address: StateAddress, namespace: string): Links {
  const { sentinels, cluster } = address
  if (sentinels !== undefined) return linksBySentinels(address, sentinels)
  const open =
    cluster === undefined ? openLink.bind(undefined, address) : linksByCluster(address, cluster, namespace)
  return { open, close: () => undefined }
}
