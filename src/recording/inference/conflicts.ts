import type { ItemVersion } from '../../engine/route-options.ts'
import type { Folded } from './fold-paths.ts'
import { findHolders } from './holders.ts'
import { findVersions } from './item-versions.ts'
import { findKeepingState, type KeptByState } from './keeping-states.ts'
import type { SightingsOf } from './parents.ts'
import type { Resource } from './resources.ts'

/** What the state of a collection's items keeps requests from. */
export interface Conflicts {
  /** The paths of items that keep others from being removed, with pointers to the member that has the id. */
  readonly holders?: Readonly<Record<string, string>> | undefined
  /** The values of a field with which items are removed, and with no others. */
  readonly from?: KeptByState['from'] | undefined
  /** How items count their changes. */
  readonly version?: ItemVersion | undefined
  /** The gateway's own error for each exchange that was refused for these. */
  readonly codes: ReadonlyMap<number, (typeof CONFLICT_CODES)[number]>
}

/** The errors of requests that the state of an item refuses. */
export const CONFLICT_CODES = ['SIM_ITEM_IN_USE', 'SIM_ITEM_STALE'] as const

/** Finds which requests to collections were refused for the state of their items. */
export function findConflicts(
  folded: readonly Folded[],
  resources: readonly Resource[],
  sightingsOf: SightingsOf,
): ReadonlyMap<Resource, Conflicts> {
  const holders = findHolders(folded, resources, sightingsOf)
  const versions = findVersions(folded, resources, sightingsOf)
  return new Map(
    resources.flatMap((resource) => {
      const [held, counted] = [holders.get(resource), versions.get(resource)]
      const kept = findKeepingState(
        resource,
        folded,
        sightingsOf,
        ({ index }) => held?.refused.has(index) === true,
      )
      if (held === undefined && counted === undefined && kept === undefined) return []
      const codes: Conflicts['codes'] = new Map([
        ...[...(held?.refused ?? []), ...(kept?.refused ?? [])].map(
          (index) => [index, 'SIM_ITEM_IN_USE'] as const,
        ),
        ...[...(counted?.refused ?? [])].map((index) => [index, 'SIM_ITEM_STALE'] as const),
      ])
      return [[resource, { holders: held?.by, from: kept?.from, version: counted?.version, codes }] as const]
    }),
  )
}
