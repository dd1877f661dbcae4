import { isObject } from '../../engine/schema/schema.ts'
import { boundedFields } from './field-limits.ts'
import type { Folded } from './fold-paths.ts'
import { type Item, itemView, listIn } from './item-place.ts'
import type { SentItem } from './models.ts'
import { elsewhereOf, isAtResource, type Resource } from './resources.ts'

/** What is known of the items that requests to a collection, or to one of its items, send. @param shown what answers show of them */
export function sentTo(
  method: string,
  { host, path, samples }: Folded,
  resource: Resource,
  folded: readonly Folded[],
  shown: readonly Item[],
): SentItem | undefined {
  const { place, writes, empty } = resource
  const does = elsewhereOf(resource, { host, path, method })
  if (does?.does === 'remove' || (does?.does === 'change' && !does.isShown)) return undefined
  const isChange =
    (does === undefined ? method === 'PATCH' : does.does === 'change' && does.replaces !== true) ||
    (method === 'POST' && path === resource.path && writes.deeds.get(method) === 'change')
  // What a server sets where nothing is sent may be sent, too.
  const values = (name: string): readonly unknown[] => [
    ...[...resource.seeds.values()].flat().map((item) => item[name]),
    ...samples.flatMap((sample) => {
      const { body, response } = itemView(sample, place)
      const isSet = sample.status < 300 && isObject(response) && isObject(body) && !Object.hasOwn(body, name)
      return isSet ? [response[name]] : []
    }),
  ]
  const isDecimal = (name: string): boolean => shown.some(({ [name]: value }) => isFraction(value))
  const maker = isChange
    ? folded.find((each) => each.host === host && each.path === resource.collection)
    : undefined
  const limits = maker === undefined || place.body.length > 0 ? undefined : boundedFields(maker.samples)
  return { body: place.body, isChange, empty, values, isDecimal, ...(limits && { limits }) }
}

function isFraction(value: unknown): boolean {
  return typeof value === 'number' && !Number.isInteger(value)
}

/** What answers at the paths of a collection show of its items. */
export function itemsOf(resource: Resource, folded: readonly Folded[]): readonly Item[] {
  const own = folded.filter((each) => isAtResource(resource, each))
  return own
    .flatMap(({ samples }) => samples.filter(({ status }) => status < 300))
    .flatMap((sample) => [
      itemView(sample, resource.place).response,
      ...(listIn(sample.response)?.items ?? []),
    ])
    .filter((item): item is Item => isObject(item))
}
