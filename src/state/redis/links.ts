import type { StateAddress } from './address.ts'
import { openLink, type OpenLink } from './link.ts'
import { linksBySentinels } from './sentinel.ts'

/** How links are made to where a state is kept. */
export function linksTo(address: StateAddress): OpenLink {
  const { sentinels } = address
  if (sentinels !== undefined) return linksBySentinels(address, sentinels)
  return (quietMs, onEnd) => openLink(address, quietMs, onEnd)
}
