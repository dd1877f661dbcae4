import { readStateAddress } from './address.ts'
import { askOn, type Link } from './link.ts'
import { linksTo } from './links.ts'
import type { Ask } from './scripts.ts'

/** A server of state that a command asks, which is not a gateway. */
export interface StateServer extends Ask {
  /** Its address, without a password. */
  readonly text: string
  /** Each server that writes, by itself. */
  readonly primaries: readonly Pick<Link, 'text' | 'send'>[]
  close(): Promise<void>
}

/** What a command is called where gateways are. No gateway has a name with a slash. */
export const COMMAND_NAME = '/sim-state'

const QUIET_MS = 5000

/**
 * Connects once, and changes nothing by that.
 * @param namespace as `namespaceOf` has it, such as `sim:{shop}`
 * @throws StateUnavailable, StateUnusable
 */
export async function openStateServer(url: string, namespace: string): Promise<StateServer> {
  const links = linksTo(readStateAddress(url), namespace)
  // It is for a moment only, so that nothing need be heard of other primaries.
  const link = await links.open(QUIET_MS, () => undefined).finally(() => links.close())
  return {
    ...askOn(link),
    ...{ text: link.text, primaries: link.primaries },
    close: () => link.close(),
  }
}
