import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../engine/schema/schema.ts'
import { groupBy } from '../../grouping.ts'
import type { LearnedFiles } from './files/learn-files.ts'
import type { IdBeside, InferredRoute } from './infer-route.ts'
import { type Inference, inferRoutes } from './infer-routes.ts'
import type { Item } from './item-place.ts'
import { ID, withIdsOfUrls } from './own-urls.ts'
import { resourceOf } from './resources.ts'
import { pathOf, type Sample } from './sample.ts'

/** Samples whose items have their ids within, and where the answers had them. */
interface Completed {
  readonly samples: readonly Sample[]
  readonly beside: ReadonlyMap<number, IdBeside>
}

/**
 * Infers routes where items do not have their ids: only their paths have them, and the answers that made them, as
 * `{ bookingid: 7, booking: { … } }` for what `GET /booking/7` answers without it.
 */
export function inferAll(
  samples: readonly Sample[],
  files: LearnedFiles | undefined,
  isTogether = true,
): Inference {
  const completed = completedSamples(samples)
  if (completed === undefined) return inferRoutes(samples, files, isTogether)
  const inference = inferRoutes(completed.samples, files, isTogether)
  const routes = inference.routes.map((route) => ({ ...route, idBeside: besideIn(route, completed) }))
  const areStored = routes.every(
    (route) => route.idBeside === undefined || resourceOf(inference.resources, route) !== undefined,
  )
  return areStored ? { ...inference, routes } : inferRoutes(samples, files, isTogether)
}

// None where all items have their ids.
function completedSamples(samples: readonly Sample[]): Completed | undefined {
  const below = groupBy(
    samples.filter(({ segments }) => segments.length > 1),
    (sample) => sample.origin + pathOf({ segments: sample.segments.slice(0, -1) }),
  )
  const makers = groupBy(
    samples.filter(({ method, status, response }) => method === 'POST' && status < 300 && isObject(response)),
    (sample) => sample.origin + pathOf(sample),
  )
  const beside = new Map<number, IdBeside>()
  const changed = new Map<number, Sample>()
  for (const [path, made] of makers) {
    const items = (below.get(path) ?? []).filter(isAboutItem)
    const found = membersOf(made, items)
    if (found === undefined) continue
    const { name, item } = found
    const ids = new Map(
      made.map(({ response }) => [String((response as Item)[name]), (response as Item)[name]]),
    )
    for (const sample of made) {
      const { [name]: id, [item]: own } = sample.response as Item
      changed.set(sample.index, { ...sample, response: { [name]: id, ...(own as Item) } })
      beside.set(sample.index, found)
    }
    for (const sample of items) {
      const text = sample.segments.at(-1) ?? ''
      const id = ids.get(text) ?? (typeof [...ids.values()][0] === 'number' ? Number(text) : text)
      changed.set(sample.index, { ...sample, response: { [name]: id, ...(sample.response as Item) } })
      beside.set(sample.index, { name })
    }
  }
  for (const [index, sample] of withIdsOfUrls(samples)) {
    if (beside.has(index)) continue
    changed.set(index, sample)
    beside.set(index, { name: ID })
  }
  return beside.size === 0
    ? undefined
    : { samples: samples.map((sample) => changed.get(sample.index) ?? sample), beside }
}

function isAboutItem({ method, status, response }: Sample): boolean {
  return method !== 'DELETE' && status < 300 && isObject(response)
}

// Two members, of which one is the id that a later path has and the other what was answered there, without it.
function membersOf(
  made: readonly Sample[],
  items: readonly Sample[],
): { readonly name: string; readonly item: string } | undefined {
  const [first] = made
  const members = Object.entries(first?.response as Item)
  const [item] = members.find(([, value]) => isObject(value)) ?? []
  const [name] = members.find(([, value]) => typeof value === 'number' || typeof value === 'string') ?? []
  if (made.length < 2 || members.length !== 2 || item === undefined || name === undefined) return undefined
  const names = [name, item].toSorted()
  const isAlike = made.every(
    ({ response }) =>
      isDeepStrictEqual(Object.keys(response as Item).toSorted(), names) &&
      isObject((response as Item)[item]),
  )
  const byId = groupBy(items, ({ segments }) => segments.at(-1) ?? '')
  const isShown = made.filter(({ index, response }) => {
    const next = byId.get(String((response as Item)[name]))?.find((each) => each.index > index)
    return isDeepStrictEqual(next?.response, (response as Item)[item])
  })
  const isBare = items.every(({ response }) => !Object.hasOwn(response as Item, name))
  return isAlike && isBare && isShown.length * 2 >= made.length ? { name, item } : undefined
}

function besideIn({ samples }: InferredRoute, { beside }: Completed): IdBeside | undefined {
  return samples.map(({ index }) => beside.get(index)).find((each) => each !== undefined)
}
